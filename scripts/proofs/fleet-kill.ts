import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import { startUcctl, type Started } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { compareMailboxes, recordWrites, writesOf } from './fleet-writes.ts';
import { untilShown, type Result, type Size } from './result.ts';
import { openSlowGate, type SlowGate } from './slow-gate.ts';

const workers = 3;
const concurrency = 4;
const leaseSeconds = 1;
const budgetLeaseSeconds = 4;
/** Milliseconds that the service needs for a sync, so that kills and stalls occur during requests. */
const replyMilliseconds = 500;
const sizes = {
  full: { kills: 700, stalls: 300, controlStalls: 30, mailboxes: 130 },
  reduced: { kills: 3, stalls: 2, controlStalls: 8, mailboxes: 0 },
} as const;
/** Published limit of requests per minute for the group of syncs. */
const publishedLimit = 50;

/**
 * Workers of a fleet are ended by SIGKILL and suspended beyond their leases while messages arrive, change and are
 * deleted (npm run proof -- fleet-kill). Each write records the fence of its worker and the fence of the task in its
 * own transaction. The control replaces the check of the fence by `true`, and must fail.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const wanted = sizes[size === 'full' ? 'full' : 'reduced'];
  const results = [
    await campaign({ kills: wanted.kills, stalls: wanted.stalls, isFenced: true }),
    await untilShown(() => campaign({ kills: 0, stalls: wanted.controlStalls, isFenced: false })),
  ];
  if (wanted.mailboxes > 0) results.push(await withinBudget(wanted.mailboxes));
  return results;
}

/** A service, a store and workers. */
class Stage {
  readonly sandbox: Sandbox;
  readonly gate: SlowGate;
  readonly server: PostgresCluster;
  readonly db: Postgres;
  readonly url: string;
  readonly token: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'ucctl-fleet-kill-'));
  readonly running = new Set<Started>();

  private constructor(parts: Pick<Stage, 'sandbox' | 'gate' | 'server' | 'db' | 'url' | 'token'>) {
    this.sandbox = parts.sandbox;
    this.gate = parts.gate;
    this.server = parts.server;
    this.db = parts.db;
    this.url = parts.url;
    this.token = parts.token;
  }

  static async open(options: Parameters<typeof startSandbox>[0], slow: number): Promise<Stage> {
    const server = await startPostgres({ settings: { synchronous_commit: 'on' } });
    const sandbox = await startSandbox({ clock: 'real', ...options });
    const gate = await openSlowGate(
      sandbox.url,
      () => ({ before: slow / 2, after: slow / 2 }),
      (path) => path.endsWith('/message-sync'),
    );
    const url = `${server.url}/postgres`;
    const db = connectStore({ url, source: 'the proof', env: {} });
    await initializeStore(db, {});
    const token = await signInAs(sandbox, 'administrator');
    return new Stage({ sandbox, gate, server, db, url, token });
  }

  start(words: readonly string[]): Started {
    const started = startUcctl([...words, '--store', this.url, '-o', 'ndjson'], {
      env: { HOME: this.folder, UCCTL_BASE_URL: this.gate.url, UCCTL_TOKEN: this.token },
    });
    this.running.add(started);
    started.ended.then(
      () => this.running.delete(started),
      () => this.running.delete(started),
    );
    return started;
  }

  /** Runs a command that must succeed. */
  async succeed(words: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.start(words).ended;
    if (exit !== 0) throw new Error(`ucctl ${words.join(' ')}: ${stderr}`);
    return stdout;
  }

  worker(lease = leaseSeconds): Started {
    const limits = ['--lease', `${lease}s`, '--concurrency', String(concurrency)];
    return this.start(['fleet', 'worker', ...limits, '--all']);
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.running) {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    }
    await this.db.close();
    await this.gate.close();
    await this.sandbox.close();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Campaign {
  readonly kills: number;
  readonly stalls: number;
  readonly isFenced: boolean;
}

async function campaign({ kills, stalls, isFenced }: Campaign): Promise<Result> {
  const stage = await Stage.open(
    { rateLimits: 'off', settings: { mailboxMessages: 100_000 } },
    replyMilliseconds,
  );
  try {
    const { db } = stage;
    await stage.succeed(['fleet', 'enroll', '--extension', 'all']);
    await db.run('update fleet_task set every_seconds = 1');
    await recordWrites(db, isFenced);
    const tally = { kills: 0, stalls: 0 };
    await Promise.all(
      Array.from({ length: workers }, (_, index) =>
        injectFaults(stage, { kills, stalls }, tally, new Dice(7 + index)),
      ),
    );
    await db.run(`update fleet_task set due_at = '-infinity', every_seconds = 3600`);
    await pause(leaseSeconds * 1000);
    await stage.succeed(['fleet', 'worker', '--once']);
    const { lost, doubled, compared } = await compareMailboxes(db, stage.sandbox);
    const { all, late, fenced } = await writesOf(db);
    const counts = `${tally.kills} kills, ${tally.stalls} stalls, ${all} writes: ${late} late, ${fenced} replies discarded`;
    if (!isFenced)
      return {
        promise: 'control, which must fail: without the fence, stalled workers write late',
        figure: counts,
        holds: late > 0 && compared > 0,
      };
    return {
      promise:
        'workers that are killed or suspended lose and duplicate nothing, and write nothing after their lease has ended',
      figure: `${counts}, ${lost} lost, ${doubled} duplicated; ${compared} messages equal to the service`,
      holds:
        late === 0 && lost + doubled === 0 && compared > 0 && tally.kills >= kills && tally.stalls >= stalls,
    };
  } finally {
    await stage.close();
  }
}

/** Restarts a worker, and kills or suspends it, until all concurrent calls together have reached the wanted counts. */
async function injectFaults(
  stage: Stage,
  wanted: Pick<Campaign, 'kills' | 'stalls'>,
  tally: { kills: number; stalls: number },
  dice: Dice,
): Promise<void> {
  let worker: Started | undefined;
  while (tally.kills < wanted.kills || tally.stalls < wanted.stalls) {
    await change(stage, dice);
    if (!worker) {
      worker = stage.worker();
      // Kills and stalls must occur during requests and transactions, not during the start.
      await untilWorking(worker);
    }
    await pause(dice.next() * 1500);
    const isKill = tally.stalls >= wanted.stalls || (tally.kills < wanted.kills && dice.next() < 0.7);
    if (isKill) {
      tally.kills += 1;
      worker.child.kill('SIGKILL');
      await worker.ended;
      worker = undefined;
    } else {
      tally.stalls += 1;
      worker.child.kill('SIGSTOP');
      await pause(leaseSeconds * 1000 + 300 + dice.next() * 1500);
      worker.child.kill('SIGCONT');
    }
  }
  worker?.child.kill('SIGTERM');
  await worker?.ended;
}

/** Resolves when a worker has ended its first attempt, or has ended itself. */
function untilWorking({ child, ended }: Started): Promise<unknown> {
  const reported = new Promise((resolve) => child.stdout.once('data', resolve));
  return Promise.race([reported, ended]);
}

/** Messages arrive, one is read, and one is deleted. */
async function change({ sandbox, token }: Stage, dice: Dice): Promise<void> {
  for (const to of ['101', '102', '103', '104'])
    await sandbox.control('POST', '/triggers/sms', { to, text: `text ${Math.floor(dice.next() * 1e9)}` });
  const mailbox = 171_857_102 + Math.floor(dice.next() * 3);
  const alive = sandbox.messages(mailbox).filter(({ availability }) => availability === 'Alive');
  const one = alive[Math.floor(dice.next() * alive.length)];
  if (!one) return;
  // The sandbox could close an open connection at the moment when the next request uses it.
  const reply = await fetch(
    `${sandbox.url}/restapi/v1.0/account/~/extension/${mailbox}/message-store/${String(one.id)}`,
    {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      body: '{"readStatus":"Read"}',
    },
  );
  await reply.text();
}

/** Workers that are killed every 5 s use the published limit, and never exceed it. */
async function withinBudget(mailboxes: number): Promise<Result> {
  const stage = await Stage.open({ rateLimits: 'realistic', fixture: 'call-center' }, 100);
  try {
    const { db, sandbox } = stage;
    await stage.succeed(['fleet', 'enroll', '--extension', 'all', '--every', '1d']);
    await db.run(
      'delete from fleet_task where task_id not in (select task_id from fleet_task order by task_id limit $1)',
      [mailboxes],
    );
    const seen = sandbox.requestLog().length;
    const done = { is: false };
    let kills = 0;
    const victims = Array.from({ length: 4 }, () => stage.worker(budgetLeaseSeconds));
    const killing = (async () => {
      for (let turn = 0; !done.is; turn += 1) {
        for (let slept = 0; slept < 5000 && !done.is; slept += 100) await pause(100);
        if (done.is) return;
        victims[turn % victims.length]?.child.kill('SIGKILL');
        victims[turn % victims.length] = stage.worker(budgetLeaseSeconds);
        kills += 1;
      }
    })();
    const left = async (): Promise<number> =>
      (await db.query<{ left: number }>('select count(*) as left from fleet_task where runs = 0'))[0]?.left ??
      0;
    while ((await left()) > 0) await pause(100);
    done.is = true;
    await killing;
    const log = sandbox
      .requestLog()
      .slice(seen)
      .filter(({ path }) => path.includes('/message-sync'));
    const begin = log[0]?.time ?? 0;
    const [end] = await db.query<{ at: Date }>('select max(done_at) as at from fleet_task');
    const seconds = ((end?.at.getTime() ?? 0) - begin) / 1000;
    const least = (Math.ceil(mailboxes / publishedLimit) - 1) * 60 + 0.5;
    const rejected = log.filter(({ status }) => status === 429).length;
    const [tasks] = await db.query<{ fenced: number }>(
      'select sum(fenced)::bigint as fenced from fleet_task',
    );
    const share = least / seconds;
    return {
      promise: `4 workers, one killed every 5 s, copy ${mailboxes} mailboxes at the published limit`,
      figure: `${seconds.toFixed(1)} s of at least ${least} s (${share.toFixed(3)}), ${kills} kills, ${log.length} requests, ${rejected} × 429, ${tasks?.fenced} replies discarded`,
      holds: share >= 0.95 && rejected === 0 && tasks?.fenced === 0,
    };
  } finally {
    await stage.close();
  }
}
