import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import type { Ended, Started } from '../../test/support/process.ts';
import { runUcctl } from '../../test/support/run-ucctl.ts';
import { pathsIn } from '../../test/support/paths.ts';
import { sandboxHttp, userOf } from '../../test/support/sandbox.ts';
import { openMachines, ownMachine, type Machine } from './machines.ts';
import type { Result, Size } from './result.ts';
import { openSlowGate, type SlowGate } from './slow-gate.ts';

const hour = 3_600_000;
const graceSeconds = 60;
const key = Buffer.alloc(32, 5).toString('base64');
/** Milliseconds for which the gate delays a renewal before and after the service processes it. */
const holdMilliseconds = 1500;
const longestTakeover = 10_000;

const sizes = {
  full: { machines: 3, processes: 50, rounds: 1, kills: 3, partitions: 2, crowd: 5 },
  reduced: { machines: 1, processes: 3, rounds: 1, kills: 1, partitions: 0, crowd: 2 },
} as const;

/** One session of many processes on several machines, with kills and partitions (npm run proof -- session-fleet). */
export async function run(size: Size): Promise<readonly Result[]> {
  const { machines, processes, rounds, kills, partitions, crowd } = sizes[size];
  const fleet = await Fleet.open(machines);
  try {
    const results = [await concurrently(fleet, rounds, processes), await killed(fleet, kills, crowd)];
    if (partitions > 0) results.push(await partitioned(fleet, partitions, crowd));
    return results;
  } finally {
    await fleet.close();
  }
}

class Fleet {
  readonly sandbox: Sandbox;
  readonly gate: SlowGate;
  readonly machines: readonly Machine[];
  readonly db: Postgres;
  readonly #cluster: PostgresCluster;
  readonly #home: string;
  readonly #hold: { milliseconds: number };
  #seen = 0;
  #started = 0;

  private constructor(parts: {
    readonly sandbox: Sandbox;
    readonly gate: SlowGate;
    readonly machines: readonly Machine[];
    readonly db: Postgres;
    readonly cluster: PostgresCluster;
    readonly home: string;
    readonly hold: { milliseconds: number };
  }) {
    ({ sandbox: this.sandbox, gate: this.gate, machines: this.machines, db: this.db } = parts);
    this.#cluster = parts.cluster;
    this.#home = parts.home;
    this.#hold = parts.hold;
  }

  static async open(count: number): Promise<Fleet> {
    const home = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
    const sandbox = await startSandbox({
      startTime: Date.now(),
      rateLimits: 'off',
      settings: { refreshGraceSeconds: graceSeconds, requestLogRows: 100_000 },
    });
    const hold = { milliseconds: 0 };
    const gate = await openSlowGate(sandbox.url, () => ({
      before: hold.milliseconds,
      after: hold.milliseconds,
    }));
    const isNetwork = count > 1;
    const cluster = await startPostgres({ host: isNetwork ? '*' : '127.0.0.1' });
    const machines = isNetwork
      ? await openMachines(count, Number(new URL(gate.url).port))
      : [ownMachine(gate.url)];
    const db = connectStore({
      url: `postgres://postgres@127.0.0.1:${cluster.port}/postgres`,
      source: 'the proof',
      env: {},
    });
    await initializeStore(db, {});
    const fleet = new Fleet({ sandbox, gate, machines, db, cluster, home, hold });
    await fleet.#signIn();
    return fleet;
  }

  /** The delay of renewals from now on. */
  set hold(milliseconds: number) {
    this.#hold.milliseconds = milliseconds;
  }

  async #signIn(): Promise<void> {
    const { username, extension, password } = userOf(this.sandbox, '102');
    const http = sandboxHttp(this.sandbox);
    const line = `login --flow password --username ${username} --extension ${extension}`;
    const { exit, stderr } = await runUcctl(line, {
      sandbox: {
        http: (request) => http({ ...request, url: new URL(request.url.pathname, this.sandbox.url) }),
      },
      paths: pathsIn(join(this.#home, 'login')),
      env: {
        ...this.#environment(this.db.settings.place),
        // The session belongs to the address that the machines use.
        UCCTL_BASE_URL: this.machines[0]?.service ?? '',
        UCCTL_PASSWORD: password,
      },
    });
    if (exit !== 0) throw new Error(`the sign-in of the proof failed: ${stderr}`);
  }

  #environment(store: string): Readonly<Record<string, string>> {
    const { clientId, clientSecret } = this.sandbox.ready;
    return {
      UCCTL_STORE: `${store}?sslmode=disable`,
      UCCTL_STORE_KEY: key,
      UCCTL_CLIENT_ID: clientId,
      UCCTL_CLIENT_SECRET: clientSecret ?? '',
    };
  }

  /** Makes the access token expire at the service and in the store. */
  async expire(): Promise<void> {
    await this.sandbox.clock.advance(2 * hour);
    // The clock of the store is that of the service, as in reality.
    const ahead = this.sandbox.clock.now() - Date.now();
    await this.db.script(
      `create or replace function store_now() returns timestamptz language sql volatile as 'select clock_timestamp() + interval ''${ahead} milliseconds'''`,
    );
    this.grants();
  }

  /** Renewal requests since the last call, by status. */
  grants(): readonly number[] {
    const all = this.sandbox.requestLog().filter(({ path }) => path.endsWith('/oauth/token'));
    return all.slice(this.#seen, (this.#seen = all.length)).map(({ status }) => status);
  }

  async generation(): Promise<number> {
    const [row] = await this.db.query<{ generation: number }>('select generation from session');
    return row?.generation ?? 0;
  }

  start(index: number): Started {
    const machine = this.machines[index % this.machines.length];
    if (!machine) throw new Error('no machine');
    const paths = pathsIn(join(this.#home, String(++this.#started)));
    return machine.start([execPath, resolve('bin/ucctl.cjs'), 'queue', 'list', '-o', 'json'], {
      ...this.#environment(`postgres://postgres@${machine.databaseHost}:${this.#cluster.port}/postgres`),
      UCCTL_BASE_URL: machine.service,
      UCCTL_CONFIG_DIR: paths.config,
      UCCTL_STATE_DIR: paths.state,
      UCCTL_CACHE_DIR: join(this.#home, 'cache'),
      HOME: this.#home,
    });
  }

  async close(): Promise<void> {
    for (const machine of this.machines) await machine.close();
    await this.gate.close();
    await this.db.close();
    await this.#cluster.stop();
    await this.sandbox.close();
    rmSync(this.#home, { recursive: true, force: true });
  }
}

/** Many processes on all machines find an expired token at the same time. */
async function concurrently(fleet: Fleet, rounds: number, processes: number): Promise<Result> {
  const ended: Ended[] = [];
  const renewals: number[] = [];
  let rejected = 0;
  for (let round = 0; round < rounds; round += 1) {
    await fleet.expire();
    const before = await fleet.generation();
    const all = Array.from({ length: processes }, (_, index) => fleet.start(index).ended);
    ended.push(...(await Promise.all(all)));
    const grants = fleet.grants();
    rejected += grants.filter((status) => status !== 200).length;
    renewals.push(grants.length, (await fleet.generation()) - before);
  }
  const good = ended.filter(({ exit }) => exit === 0).length;
  return {
    promise: `${processes} processes on ${fleet.machines.length} machines find an expired token, ${rounds} rounds`,
    figure: `exit 0: ${good} of ${ended.length}; at most ${Math.max(...renewals)} renewals per round; rejected renewals: ${rejected}${whyOf(ended)}`,
    holds: good === ended.length && renewals.every((count) => count === 1) && rejected === 0,
  };
}

function whyOf(ended: readonly Ended[]): string {
  const bad = ended.find(({ exit }) => exit !== 0);
  return bad ? `; first failure: ${bad.exit} ${bad.stderr.slice(0, 300)}` : '';
}

/** Starts a process, and waits until its renewal request arrives. @throws if it ends without one. */
async function renewing(fleet: Fleet, index: number): Promise<Started> {
  const asked = fleet.gate.nextTokenRequest();
  const started = fleet.start(index);
  const early = await Promise.race([asked.then(() => undefined), started.ended]);
  if (early) throw new Error(`no renewal: exit ${early.exit}: ${early.stderr}`);
  return started;
}

/** The process that renews is killed at points spread over the renewal; the service has a grace period. */
async function killed(fleet: Fleet, kills: number, crowd: number): Promise<Result> {
  const ended: Ended[] = [];
  let rejected = 0;
  let doubled = 0;
  fleet.hold = holdMilliseconds;
  for (let round = 0; round < kills; round += 1) {
    await fleet.expire();
    const before = await fleet.generation();
    const holder = await renewing(fleet, round);
    const others = Array.from({ length: crowd }, (_, index) => fleet.start(round + 1 + index).ended);
    await delay((round / kills) * 2 * holdMilliseconds);
    holder.child.kill('SIGKILL');
    await holder.ended;
    ended.push(...(await Promise.all(others)));
    rejected += fleet.grants().filter((status) => status !== 200).length;
    // The holder may have stored the session just before it was killed, and never a second time.
    if ((await fleet.generation()) - before !== 1) doubled += 1;
  }
  fleet.hold = 0;
  const good = ended.filter(({ exit }) => exit === 0).length;
  return {
    promise: `the renewing machine is killed at ${kills} points, within the grace period of the service`,
    figure: `exit 0: ${good} of ${ended.length}; rounds without exactly 1 stored renewal: ${doubled}; rejected renewals: ${rejected}${whyOf(ended)}`,
    holds: good === ended.length && doubled === 0 && rejected === 0,
  };
}

/** The machine that renews loses its link to the database, but not to the service. */
async function partitioned(fleet: Fleet, partitions: number, crowd: number): Promise<Result> {
  const ended: Ended[] = [];
  const takeovers: number[] = [];
  let rejected = 0;
  let wrong = 0;
  for (let round = 0; round < partitions; round += 1) {
    await fleet.expire();
    const before = await fleet.generation();
    fleet.hold = 30_000;
    const holder = await renewing(fleet, round);
    fleet.hold = 0;
    fleet.machines[round % fleet.machines.length]?.cut('database', true);
    const cutAt = performance.now();
    const next = fleet.gate.nextTokenRequest().then(() => performance.now() - cutAt);
    const others = Array.from({ length: crowd }, (_, index) => {
      const isOnCut = (round + 1 + index) % fleet.machines.length === round % fleet.machines.length;
      return fleet.start(round + (isOnCut ? 2 : 1) + index).ended;
    });
    takeovers.push(await next);
    ended.push(...(await Promise.all(others)));
    fleet.machines[round % fleet.machines.length]?.cut('database', false);
    holder.child.kill('SIGKILL');
    await holder.ended;
    rejected += fleet.grants().filter((status) => status !== 200).length;
    if ((await fleet.generation()) - before !== 1) wrong += 1;
  }
  const good = ended.filter(({ exit }) => exit === 0).length;
  const worst = Math.max(...takeovers);
  return {
    promise: `the renewing machine loses its database connection ${partitions} times`,
    figure: `new owner after at most ${(worst / 1000).toFixed(1)} s; exit 0: ${good} of ${ended.length}; rounds without exactly 1 stored renewal: ${wrong}; rejected renewals: ${rejected}${whyOf(ended)}`,
    holds: worst < longestTakeover && good === ended.length && wrong === 0 && rejected === 0,
  };
}
