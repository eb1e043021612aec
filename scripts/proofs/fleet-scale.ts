import { cpuUsage } from 'node:process';
import { storeBudget } from '../../src/store/budget.ts';
import { connectStore, initializeStore, Postgres } from '../../src/store/index.ts';
import { FleetLimiter } from '../../src/client/fleet-limiter.ts';
import type { Client } from '../../src/client/index.ts';
import { enroll, fleetState, FleetWorker, type TaskWork } from '../../src/features/fleet/index.ts';
import type { FleetSession } from '../../src/runtime/fleet-session.ts';
import { startPostgres, type PostgresCluster } from '../../test/support/postgres-cluster.ts';
import { fixedSessions } from '../../test/support/fleet-sessions.ts';
import { FastClock } from './fast-clock.ts';
import { clusterSeconds } from './cluster-seconds.ts';
import type { Result, Size } from './result.ts';

const workers = 2;
const concurrency = 32;
/** Published limit of requests per minute for the group of syncs. */
const limit = 50;
const windowMilliseconds = 60_000;
const replyMilliseconds = 200;
const leaseMilliseconds = 8000;
/** Part of the budget that the tasks need at the interval of the proof. */
const share = 5 / 6;
/** Part of a second interval for which the steady state is watched. */
const watched = 0.1;
const sampleMilliseconds = 10_000;
const reportMilliseconds = 600_000;
const sizes = {
  full: { extensions: [10_000, 30_000, 100_000], sessions: 40 },
  reduced: { extensions: [60, 120], sessions: 1 },
} as const;
/** Cost of a mailbox of the largest company, relative to that of the smallest. */
const mostGrowth = 1.5;

/**
 * The scheduler of the fleet copies the mailboxes of a large company with many sign-ins, on a fast clock (npm run proof --
 * fleet-scale). Workers, tasks and rate budgets are those of the program, with a PostgreSQL store whose clock is the
 * fast clock. Only the requests are simulated: the service counts them in its windows and answers after 0.2 s.
 */
export async function run(size: Size = 'full'): Promise<readonly Result[]> {
  const { extensions, sessions } = sizes[size === 'full' ? 'full' : 'reduced'];
  const simulations: Simulated[] = [];
  for (const count of extensions) simulations.push(await simulate(count, sessions));
  return [...simulations.map((one) => resultOf(one, sessions)), growthOf(simulations, size)];
}

/** What a simulation found; times in seconds of the fast clock. */
interface Simulated {
  readonly extensions: number;
  readonly archiveSeconds: number;
  /** Time at which no task was due for the first time. */
  readonly steadySeconds: number;
  readonly everySeconds: number;
  /** Longest wait of a due task in the second interval. */
  readonly longestDue: number;
  readonly late: number;
  readonly rejected: number;
  readonly fenced: number;
  readonly requests: number;
  readonly tasks: number;
  readonly processorSeconds: number;
  readonly transactions: number;
}

function resultOf(one: Simulated, sessions: number): Result {
  const least = leastSeconds(one.extensions, sessions);
  const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
  const used = least / one.archiveSeconds;
  return {
    promise: `${one.extensions.toLocaleString('en')} mailboxes, ${sessions} sign-ins with ${limit} requests a minute`,
    figure:
      `full archive after ${minutes(one.archiveSeconds)} min of at least ${minutes(least)} min (${used.toFixed(3)}), steady state after ${minutes(one.steadySeconds)} min; ` +
      `with an interval of ${minutes(one.everySeconds)} min, no task then waits longer than ${one.longestDue} s, ${one.late} late; ${one.requests} requests, ${one.rejected} × 429, ${one.fenced} replies discarded; ` +
      `per task ${((one.processorSeconds / one.tasks) * 1000).toFixed(2)} ms of processor time and ${(one.transactions / one.tasks).toFixed(2)} transactions that write`,
    holds:
      // One window more, because the limits are unknown at the beginning.
      one.archiveSeconds <= least / 0.95 + windowMilliseconds / 1000 &&
      one.steadySeconds <= one.everySeconds &&
      one.longestDue <= windowMilliseconds / 1000 &&
      one.late + one.rejected + one.fenced === 0,
  };
}

/** Seconds in which the limit allows one request for each mailbox: the last window only begins. */
function leastSeconds(extensions: number, sessions: number): number {
  const windows = Math.ceil(extensions / (sessions * limit));
  return ((windows - 1) * windowMilliseconds + replyMilliseconds) / 1000;
}

function growthOf(simulations: readonly Simulated[], size: Size): Result {
  const costs = simulations.map(({ processorSeconds, tasks }) => processorSeconds / tasks);
  const transactions = simulations.map((one) => one.transactions / one.tasks);
  const growth = (values: readonly number[]): number => (values.at(-1) ?? 0) / (values[0] ?? 1);
  const counts = simulations.map(({ extensions }) => extensions.toLocaleString('en')).join(', ');
  return {
    promise: `the cost grows linearly (${counts} mailboxes)`,
    figure: `a task of the largest company needs ${growth(costs).toFixed(2)} times the processor time and ${growth(transactions).toFixed(2)} times the transactions of the smallest`,
    holds: growth(transactions) <= mostGrowth && (size === 'reduced' || growth(costs) <= mostGrowth),
  };
}

async function simulate(extensions: number, sessionCount: number): Promise<Simulated> {
  const server = await startPostgres();
  const url = `${server.url}/postgres`;
  const db = connectStore({ url, source: 'the proof', env: {} });
  const pools: Postgres[] = [];
  try {
    await initializeStore(db, {});
    await db.script(`create unlogged table fast_clock (at timestamptz not null); insert into fast_clock values ('2026-01-05T09:00:00Z');
      create or replace function store_now() returns timestamptz language sql volatile as 'select at from fast_clock'`);
    const everySeconds = Math.ceil(extensions / (sessionCount * limit * share)) * 60;
    const tasks = Array.from({ length: extensions }, (_, index) => ({
      kind: 'messages' as const,
      subject: String(1_000_000 + index),
      label: String(index),
    }));
    await enroll(db, tasks, { everySeconds, onDelete: 'mark' });
    for (let left = workers; left > 0; left -= 1) pools.push(new Postgres(db.settings, { poolSize: 8 }));
    return await new Simulation({ server, db, pools, extensions, everySeconds, sessionCount }).run();
  } finally {
    for (const pool of pools) await pool.close();
    await db.close();
    await server.stop();
  }
}

interface Setting {
  readonly server: PostgresCluster;
  readonly db: Postgres;
  /** The connections of each worker. */
  readonly pools: readonly Postgres[];
  readonly extensions: number;
  readonly everySeconds: number;
  readonly sessionCount: number;
}

class Simulation {
  readonly #setting: Setting;
  readonly #clock: FastClock;
  readonly #workers: readonly FleetWorker[];
  readonly #end = new AbortController();
  readonly #limiters = new Map<FleetSession, FleetLimiter>();
  /** Windows of the service by sign-in. */
  readonly #windows = new Map<string, { begin: number; used: number }>();
  readonly #seen = new Set<number>();
  #tasks = 0;
  #requests = 0;
  #rejected = 0;
  #archiveAt: number | undefined;
  #problem: string | undefined;

  constructor(setting: Setting) {
    this.#setting = setting;
    this.#clock = new FastClock(
      // The two loops of each worker, their tasks, and the loop that takes the samples.
      () => 1 + this.#workers.reduce((sum, worker) => sum + 2 + worker.running, 0),
      (now) =>
        setting.db.script(
          `update fast_clock set at = timestamptz '2026-01-05T09:00:00Z' + interval '${now} milliseconds'`,
        ),
    );
    this.#workers = setting.pools.map((pool, index) => this.#worker(pool, index));
  }

  async run(): Promise<Simulated> {
    const { db, extensions, everySeconds } = this.#setting;
    const before = await this.#costs();
    const running = this.#workers.map((worker) => worker.run(this.#end.signal));
    const seen = await Promise.race([this.#watch(), this.#clock.failure]);
    const after = await this.#costs();
    // The workers end in real time, with the tasks that they have.
    this.#end.abort();
    await Promise.all(running);
    const [rows] = await db.query<{ fenced: number }>('select sum(fenced)::bigint as fenced from fleet_task');
    if (this.#problem !== undefined) throw new Error(this.#problem);
    return {
      extensions,
      everySeconds,
      archiveSeconds: (this.#archiveAt ?? Number.NaN) / 1000,
      ...seen,
      rejected: this.#rejected,
      fenced: rows?.fenced ?? -1,
      requests: this.#requests,
      tasks: this.#tasks,
      processorSeconds: after.processorSeconds - before.processorSeconds,
      transactions: after.transactions - before.transactions,
    };
  }

  /** Waits for the full archive, the steady state, and a part of the second interval. */
  async #watch(): Promise<Pick<Simulated, 'steadySeconds' | 'longestDue' | 'late'>> {
    const { db, everySeconds } = this.#setting;
    let steadyAt: number | undefined;
    let longestDue = 0;
    let late = 0;
    while (this.#clock.now() < everySeconds * 1000 * (1 + watched)) {
      await this.#clock.sleep(sampleMilliseconds, this.#end.signal);
      this.#report();
      if (this.#archiveAt === undefined) continue;
      const [state] = (await fleetState(db)).kinds;
      if (!state) continue;
      if (steadyAt === undefined && state.due === 0) steadyAt = this.#clock.now();
      if (steadyAt === undefined) continue;
      longestDue = Math.max(longestDue, state.oldestDueSeconds);
      late = Math.max(late, state.late);
    }
    return { steadySeconds: (steadyAt ?? Number.NaN) / 1000, longestDue, late };
  }

  /** Reports the progress on stderr, because the largest company takes more than a quarter of an hour. */
  #report(): void {
    if (this.#clock.now() % reportMilliseconds > 0) return;
    const { extensions } = this.#setting;
    const minutes = this.#clock.now() / 60_000;
    process.stderr.write(
      `${extensions} mailboxes: ${this.#tasks} syncs after ${minutes} min of the fast clock\n`,
    );
  }

  async #costs(): Promise<Pick<Simulated, 'processorSeconds' | 'transactions'>> {
    const { db, server } = this.#setting;
    const { user, system } = cpuUsage();
    // Statistics of the server arrive seconds later. IDs of transactions that write are exact.
    const [row] = await db.query<{ transactions: number }>(
      'select pg_current_xact_id()::text::bigint as transactions',
    );
    return {
      processorSeconds: (user + system) / 1e6 + clusterSeconds(server.data),
      transactions: row?.transactions ?? 0,
    };
  }

  #worker(db: Postgres, index: number): FleetWorker {
    const { sessionCount } = this.#setting;
    const worker = `worker-${index}`;
    return new FleetWorker({
      db,
      facts: { worker, machine: worker, pid: index, version: '0', concurrency },
      kinds: ['messages'],
      sessions: fixedSessions(
        Array.from({ length: sessionCount }, (_, number) => this.#session(db, `s${number}`)),
        (problem) => (this.#problem ??= problem),
      ),
      leaseMilliseconds,
      once: false,
      run: (task, work) => this.#copy(db, task.taskId, work),
      sleep: this.#clock.sleep,
      monotonic: this.#clock.now,
      onEnd: ({ result, problem }) => {
        if (result === 'done') this.#tasks += 1;
        else if (!this.#end.signal.aborted) this.#problem ??= `${result}: ${problem}`;
      },
      onStore: (problem) => (this.#problem ??= problem),
      onService: () => undefined,
    });
  }

  #session(db: Postgres, name: string): FleetSession {
    const budget = storeBudget(db, name, (milliseconds) => this.#clock.sleep(milliseconds, this.#end.signal));
    const limiter = new FleetLimiter(() => Promise.resolve(budget));
    const session: FleetSession = {
      profile: name,
      origin: 'http://127.0.0.1',
      owner: name,
      rejectionOwner: name,
      who: name,
      // The simulation sends no request.
      api: {} as Client,
      groupOf: (method, path) => limiter.groupOf(method, path),
      prepay: (group, taken) => limiter.prepay(group, taken),
      reaches: () => Promise.resolve(true),
    };
    this.#limiters.set(session, limiter);
    return session;
  }

  /** One sync of a mailbox: its request, and the transaction that stores the reply. */
  async #copy(db: Postgres, taskId: number, { session, signal, guard }: TaskWork): Promise<object> {
    const path = '/restapi/v1.0/account/~/extension/1/message-sync';
    const limiter = this.#limiters.get(session);
    if (!limiter) throw new Error('no limiter');
    const group = limiter.groupOf('GET', path);
    if ((await limiter.take(group, this.#clock.now())) > 0) throw new Error('a task without a budget');
    const remaining = this.#request(session.owner);
    await this.#clock.sleep(replyMilliseconds, signal);
    await limiter.learn(group, 'GET', path, replyOf(remaining));
    await db.transaction((transaction) => guard(transaction));
    this.#seen.add(taskId);
    if (this.#seen.size === this.#setting.extensions) this.#archiveAt ??= this.#clock.now();
    return {};
  }

  /** Counts a request as the service does. @returns the requests that are left in the window. */
  #request(owner: string): number {
    this.#requests += 1;
    const now = this.#clock.now();
    const known = this.#windows.get(owner);
    const window = known && now < known.begin + windowMilliseconds ? known : { begin: now, used: 0 };
    this.#windows.set(owner, window);
    window.used += 1;
    if (window.used > limit) this.#rejected += 1;
    return Math.max(0, limit - window.used);
  }
}

function replyOf(remaining: number): Parameters<FleetLimiter['learn']>[3] {
  const headers: Readonly<Record<string, string>> = {
    'x-rate-limit-group': 'light',
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-window': String(windowMilliseconds / 1000),
  };
  const unread = (): never => {
    throw new Error('the reply has no body');
  };
  return {
    status: 200,
    headers,
    header: (name: string) => headers[name],
    text: unread,
    chunks: unread,
    discard: () => undefined,
  } as unknown as Parameters<FleetLimiter['learn']>[3];
}
