import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execPath } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { Dice } from '../../test/support/dice.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import type { Started } from '../../test/support/process.ts';
import { signInAs } from '../../test/support/sandbox.ts';
import { compareMailboxes, recordWrites, writesOf } from './fleet-writes.ts';
import { openMachines, type Link, type Machine } from './machines.ts';
import { timeLimit, untilShown, type Result, type Size } from './result.ts';
import { openSlowGate, type SlowGate } from './slow-gate.ts';

/** The links that each worker loses; the last worker keeps its links. */
const cuts: readonly (readonly Link[])[] = [['database'], ['service'], ['database', 'service'], []];
/** Each worker has one mailbox while the service holds back its replies. */
const mailboxes = 4;
const concurrency = 1;
/** Milliseconds that the service needs for a sync. */
const replyMilliseconds = 200;
/** Milliseconds after a cut until the replies of the requests in progress arrive. */
const lateMilliseconds = 300;
/** The default lease of a worker in seconds, and a lease that ends before the connections of the worker do. */
const leases = { usual: 8, short: 1 };
/** Milliseconds in which another worker must claim the tasks of a worker without its links. */
const longestTakeover = 10_000;
const sizes = {
  full: { usual: 8, short: 12, controls: 6 },
  // On a loaded machine, the server ends the cut connection before the link returns, and the control shows no fault.
  reduced: { usual: 0, short: 1, controls: 0 },
} as const;

/**
 * Workers on machines of their own lose their link to the database, to the service, or both, during requests (npm run
 * proof -- partition). Another worker takes over their tasks, and nothing is stored late when the links return. In the
 * control of the full size, the check of the fence always succeeds, and writes are late.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { usual, short, controls } = sizes[size === 'full' ? 'full' : 'reduced'];
  const stage = await Stage.open();
  try {
    const results: Result[] = [];
    if (usual > 0) results.push(await partitioned(stage, usual, leases.usual, size));
    results.push(await partitioned(stage, short, leases.short, size));
    if (controls === 0) return results;
    await recordWrites(stage.db, false);
    await stage.startWorkers(leases.short);
    results.push(await untilShown(() => withoutFence(stage, controls)));
    await stage.stopWorkers();
    return results;
  } finally {
    await stage.close();
  }
}

/** The replies of the service, which it can hold back. */
class Replies {
  #released: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;

  async wait(): Promise<{ readonly before: number; readonly after: number }> {
    await this.#released;
    return { before: replyMilliseconds / 2, after: replyMilliseconds / 2 };
  }

  hold(): void {
    this.#released = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  release(): void {
    this.#release();
  }
}

/** A service, a store, and machines with a worker each. */
class Stage {
  readonly db: Postgres;
  readonly sandbox: Sandbox;
  readonly machines: readonly Machine[];
  readonly workers: Started[] = [];
  readonly dice = new Dice(90);
  readonly replies: Replies;
  readonly #gate: SlowGate;
  readonly #server: PostgresCluster;
  readonly #token: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'ucctl-partition-'));

  private constructor(parts: {
    readonly db: Postgres;
    readonly sandbox: Sandbox;
    readonly machines: readonly Machine[];
    readonly gate: SlowGate;
    readonly server: PostgresCluster;
    readonly token: string;
    readonly replies: Replies;
  }) {
    ({ db: this.db, sandbox: this.sandbox, machines: this.machines, replies: this.replies } = parts);
    this.#gate = parts.gate;
    this.#server = parts.server;
    this.#token = parts.token;
  }

  static async open(): Promise<Stage> {
    const server = await startPostgres({ host: '*', settings: { synchronous_commit: 'on' } });
    const sandbox = await startSandbox({
      clock: 'real',
      rateLimits: 'off',
      settings: { mailboxMessages: 100_000, requestLogRows: 100 },
    });
    const replies = new Replies();
    const gate = await openSlowGate(
      sandbox.url,
      () => replies.wait(),
      (path) => path.endsWith('/message-sync'),
    );
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const db = connectStore({ url, source: 'the proof', env: {} });
    await initializeStore(db, {});
    const token = await signInAs(sandbox, 'administrator');
    const machines = await openMachines(cuts.length, Number(new URL(gate.url).port));
    const stage = new Stage({ db, sandbox, machines, gate, server, token, replies });
    await stage.#enroll();
    return stage;
  }

  async #enroll(): Promise<void> {
    const { exit, stderr } = await this.#start(this.machines.at(-1), ['enroll', '--extension', 'all']).ended;
    if (exit !== 0) throw new Error(`the mailboxes were not enrolled: ${stderr}`);
    await this.db.run(
      'delete from fleet_task where task_id not in (select task_id from fleet_task order by task_id limit $1)',
      [mailboxes],
    );
  }

  #start(machine: Machine | undefined, words: readonly string[]): Started {
    if (!machine) throw new Error('no machine');
    const store = `postgres://postgres@${machine.databaseHost}:${this.#server.port}/postgres`;
    const program = [execPath, resolve('bin/ucctl.cjs'), 'fleet', ...words, '-o', 'ndjson'];
    return machine.start(program, {
      HOME: this.#folder,
      UCCTL_STORE: `${store}?sslmode=disable`,
      UCCTL_BASE_URL: machine.service,
      UCCTL_TOKEN: this.#token,
    });
  }

  /** Starts a worker on each machine. */
  async startWorkers(lease: number): Promise<void> {
    await this.db.run(`update fleet_task set every_seconds = 1, due_at = '-infinity'`);
    const words = ['worker', '--lease', `${lease}s`, '--concurrency', String(concurrency)];
    this.workers.push(...this.machines.map((machine) => this.#start(machine, words)));
  }

  /** Ends the workers, finishes all tasks, and waits until nobody has a task. */
  async stopWorkers(): Promise<void> {
    await this.db.run(`update fleet_task set every_seconds = 3600`);
    const ended = this.workers.splice(0);
    for (const { child } of ended) child.kill('SIGTERM');
    await Promise.all(ended.map((worker) => worker.ended));
    await this.db.run(`update fleet_task set lease_until = '-infinity', done_at = null`);
    for (let left: number | undefined = 1; left !== 0;) {
      // A request that fails on a busy machine waits for its next attempt.
      await this.db.run(`update fleet_task set due_at = '-infinity' where done_at is null`);
      const { exit, stderr } = await this.#start(this.machines.at(-1), ['worker', '--once']).ended;
      if (exit !== 0) throw new Error(`the last tasks failed: ${stderr}`);
      const [row] = await this.db.query<{ left: number }>(
        'select count(*) as left from fleet_task where done_at is null',
      );
      left = row?.left;
    }
  }

  /** The tasks of each worker, in the order of the machines. */
  async tasks(): Promise<readonly (readonly Task[])[]> {
    const rows = await this.db.query<Task & { readonly pid: number }>(
      `select pid, task_id as "taskId", fence, runs, fleet_task.worker from fleet_task join fleet_worker using (worker) where lease_until > store_now()`,
    );
    return this.workers.map(({ child }) => rows.filter(({ pid }) => pid === child.pid));
  }

  /** A message arrives in mailboxes that are enrolled. */
  async change(): Promise<void> {
    for (const to of ['101', '102', '103'])
      await this.sandbox.control('POST', '/triggers/sms', {
        to,
        text: `text ${Math.floor(this.dice.next() * 1e9)}`,
      });
  }

  async close(): Promise<void> {
    for (const { child, ended } of this.workers) {
      child.kill('SIGKILL');
      await ended.catch(() => undefined);
    }
    for (const machine of this.machines) await machine.close();
    await this.db.close();
    await this.#gate.close();
    await this.sandbox.close();
    await this.#server.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A task that a worker has. */
interface Task {
  readonly taskId: number;
  readonly fence: number;
  readonly runs: number;
  readonly worker: string | null;
}

/** Holds the replies of the service until each worker has a task whose request is in progress. @returns these tasks. */
async function allBusy(stage: Stage): Promise<readonly (readonly Task[])[]> {
  stage.replies.hold();
  const earlier = new Set((await stage.tasks()).flat().map(nameOf));
  for (;;) {
    const tasks = await stage.tasks();
    const begun = tasks.map((own) => own.filter((task) => !earlier.has(nameOf(task))));
    if (begun.every((own) => own.length > 0)) break;
    const dead = stage.workers.find(({ child }) => child.exitCode !== null);
    if (dead) throw new Error(`a worker ended: ${(await dead.ended).stderr}`);
    await pause(50);
  }
  const tasks = await stage.tasks();
  return tasks.map((own) => own.filter((task) => !earlier.has(nameOf(task))));
}

function nameOf({ taskId, fence }: Task): string {
  return `${taskId} ${fence}`;
}

/**
 * Waits until other workers have claimed the tasks of a worker, or the worker itself has finished them.
 * @returns the number of tasks that others have claimed.
 */
async function takenOver(db: Postgres, claimed: readonly Task[]): Promise<number> {
  for (;;) {
    const rows = await db.query<Task>(
      `select task_id as "taskId", fence, runs, worker from fleet_task where task_id = any($1::text[]::bigint[])`,
      [claimed.map(({ taskId }) => taskId)],
    );
    const states = claimed.map(({ taskId, fence, runs, worker }) => {
      const now = rows.find((row) => row.taskId === taskId);
      if (now && now.fence > fence && now.worker !== worker) return 'taken';
      return now && now.fence === fence && now.runs > runs ? 'finished' : 'claimed';
    });
    if (states.every((state) => state !== 'claimed'))
      return states.filter((state) => state === 'taken').length;
    await pause(50);
  }
}

/** Seconds until the tasks were taken over, by the links that were cut. */
type Takeovers = Map<string, number[]>;

/** One round: cuts all links at the same time, and restores those of each machine when its tasks are taken over. */
async function cutAll(stage: Stage, takeovers: Takeovers): Promise<void> {
  await stage.change();
  const claimed = await allBusy(stage);
  const cutAt = performance.now();
  for (const [index, links] of cuts.entries())
    for (const link of links) stage.machines[index]?.cut(link, true);
  await pause(lateMilliseconds);
  stage.replies.release();
  await Promise.all(
    cuts.map(async (links, index) => {
      if (links.length === 0) return;
      const taken = await takenOver(stage.db, claimed[index] ?? []);
      const name = links.join(' and ');
      if (taken > 0)
        takeovers.set(name, [...(takeovers.get(name) ?? []), (performance.now() - cutAt) / 1000]);
      await pause(stage.dice.next() * 1500);
      for (const link of links) stage.machines[index]?.cut(link, false);
    }),
  );
}

async function partitioned(stage: Stage, rounds: number, lease: number, size: Size): Promise<Result> {
  const { db, sandbox } = stage;
  await recordWrites(db, true);
  await stage.startWorkers(lease);
  const takeovers: Takeovers = new Map();
  for (let round = 0; round < rounds; round += 1) await cutAll(stage, takeovers);
  await allBusy(stage);
  stage.replies.release();
  await stage.stopWorkers();
  const { all, late, fenced } = await writesOf(db);
  const { lost, doubled, compared } = await compareMailboxes(db, sandbox);
  const longest = Math.max(0, ...[...takeovers.values()].flat());
  const figures = [...takeovers].map(([name, times]) => `${name} ${Math.max(...times).toFixed(1)} s`);
  return {
    promise: `workers with a lease of ${lease} s lose their links to the database, the service and both, and another worker takes over`,
    figure: `${rounds} rounds; longest takeover: ${figures.join(', ')}; ${all} writes: ${late} late, ${fenced} replies discarded, ${lost} lost, ${doubled} duplicated; ${compared} messages equal to the service`,
    holds:
      takeovers.size === cuts.length - 1 &&
      longest * 1000 < timeLimit(size, longestTakeover) &&
      late + lost + doubled === 0 &&
      compared > 0,
  };
}

/** The first worker loses the database during requests, and returns when its tasks have been taken over. */
async function withoutFence(stage: Stage, rounds: number): Promise<Result> {
  const { db } = stage;
  for (let round = 0; round < rounds; round += 1) {
    // The replies arrive while the link is cut. The link returns before the server ends the connection, after 5 s.
    const [claimed = []] = await allBusy(stage);
    stage.machines[0]?.cut('database', true);
    await pause(lateMilliseconds);
    stage.replies.release();
    await takenOver(db, claimed);
    stage.machines[0]?.cut('database', false);
    // The worker has stored its replies when it has a task again.
    await allBusy(stage);
    stage.replies.release();
  }
  const { all, late } = await writesOf(db);
  return {
    promise: 'control, which must fail: without the fence, a worker whose link returns writes late',
    figure: `${all} writes: ${late} late`,
    holds: late > 0,
  };
}
