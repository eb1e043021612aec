import { hostname } from 'node:os';
import {
  enrolledSessions,
  FleetWorker,
  markChanged,
  rejectionOwnerOfToken,
  SessionPool,
  taskKinds,
  type ClaimedTask,
  type FleetWorkerSettings,
  type TaskKind,
} from '../../features/fleet/index.ts';
import { defaultPolicy, policyOfTasks } from '../../features/mirror/index.ts';
import {
  guardedArchives,
  requireArchiveAccount,
  signInUser,
  type SignInUser,
} from '../../features/mirror/postgres/index.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { processName } from '../../platform/process-name.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import type { Context } from '../../runtime/context.ts';
import { streamWork } from '../../runtime/stream-work.ts';
import { CommandError } from '../../errors/command.ts';
import { SignInRequiredError } from '../../errors/service.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { counted } from '../../platform/counted.ts';
import { entryOf, isNews, rowOf, spanOf } from './attempt-report.ts';
import { enrollPurge } from './enroll-purge.ts';
import { runTask, type TaskCounts, type TaskResources } from './run-task.ts';
import { inSpan } from '../../platform/spans.ts';
import { LineQueue } from '../../platform/line-queue.ts';
import { runService, StoreHealth, type Service } from '../../features/service/index.ts';
import type { ServiceOptions } from '../../runtime/service-options.ts';
import { runView, type RunRow } from './fleet.rows.ts';

/** Milliseconds within which the service must reply at the start, so that the worker reads the account of its sign-in. */
const accountMilliseconds = 3000;

export interface WorkerOptions extends ServiceOptions {
  readonly concurrency: number;
  readonly tasks: readonly TaskKind[];
  readonly lease: number;
  readonly once?: boolean;
  readonly all?: boolean;
}

/**
 * `fleet worker`: executes tasks until it is interrupted or drained or, with `--once`, until no task is due.
 */
export async function worker(ctx: Context, options: WorkerOptions): Promise<void> {
  await runService(ctx, options, (service) => work(ctx, options, service));
}

async function work(ctx: Context, options: WorkerOptions, service: Service): Promise<void> {
  const db = await ctx.store();
  const resources = await resourcesOf(ctx);
  const { requireKnownSchema } = await import('../../store/index.ts');
  const own = await ownSession(ctx);
  const sessions = sessionsOf(ctx, db, own, options);
  await sessions.refresh();
  const name = processName();
  const lines = new LineQueue<RunRow>();
  let isServiceLost = false;
  const health = new StoreHealth(ctx, db);
  const { metrics } = service;
  const meters =
    metrics &&
    (await import('./worker-metrics.ts')).workerMetrics(metrics, db, {
      running: () => fleetWorker.running,
      lostSessions: () => sessions.lost,
    });
  const fleetWorker: FleetWorker = new FleetWorker({
    db,
    facts: factsOf(ctx, name, options),
    kinds: kindsOf(options),
    sessions,
    leaseMilliseconds: options.lease * 1000,
    once: options.once ?? false,
    requireSchema: (queries) => requireKnownSchema(db, queries),
    run(task, work) {
      meters?.claimed(task.kind);
      return runMarking(db, task, () => runTask(ctx, resources, task, work));
    },
    sleep: service.sleeperOf(ctx),
    onLimited: (kind, profile) => meters?.limited(kind, profile),
    onEnd: (end) => {
      meters?.ended(end);
      if (!options.all && !isNews(end)) return;
      const row = rowOf(end, name, ctx.now());
      lines.add(row);
      ctx.out.log(entryOf(end, row));
    },
    onStore: health.changed,
    ...warningsOf(ctx),
    onService: (isReachable) => {
      isServiceLost = !isReachable;
      if (isReachable) ctx.out.note('The service replies again.');
      else ctx.out.warn('the service does not reply to this worker; the worker claims no tasks and retries');
    },
  });
  service.check({
    store: health.check,
    session: () => (sessions.usable.length === 0 ? 'all sign-ins have failed' : undefined),
    service: () => (isServiceLost ? 'the service does not reply' : undefined),
    claim: () => (fleetWorker.isDraining ? 'the worker is draining' : undefined),
  });
  await service.started();
  await noteStart(ctx, db, name, sessions);
  if (kindsOf(options).includes('messages')) await defaultPolicy(ctx, resources.open().messages, enrollPurge);
  await streamWork(ctx, lines, runView, (signal) => fleetWorker.run(signal));
  if (sessions.usable.length === 0) throw noSignIn();
  if (fleetWorker.isDraining) ctx.out.note(`Worker ${name} was drained: its tasks have ended.`);
}

async function resourcesOf(ctx: Context): Promise<TaskResources> {
  return { open: await guardedArchives(ctx, 'change'), policyOf: policyOfTasks(() => ctx.elapsed()) };
}

/** Returns the kinds of tasks that a worker executes. */
function kindsOf({ tasks }: WorkerOptions): readonly TaskKind[] {
  return tasks.length > 0 ? [...new Set(tasks)] : taskKinds;
}

/** Executes an attempt of a task. New messages may have attachments, so it makes the task of the attachments due. */
async function runMarking(
  db: Postgres,
  task: ClaimedTask,
  run: () => Promise<TaskCounts>,
): Promise<TaskCounts> {
  const counts = await inSpan(spanOf(task), run);
  if (task.kind === 'messages' && counts.added > 0) await markChanged(db, ['media'], [task.subject]);
  return counts;
}

/** Returns how a worker is listed in the store. */
function factsOf(
  { version }: Context,
  worker: string,
  { concurrency }: WorkerOptions,
): FleetWorkerSettings['facts'] {
  return { worker, machine: hostname(), pid: ownProcess.pid, version, concurrency };
}

/** Returns the warnings of a worker about its tasks and about a store that does not reply. */
function warningsOf({ out }: Context): Pick<FleetWorkerSettings, 'onFailed' | 'onAbandonedStore'> {
  return {
    onFailed: (tasks) =>
      out.warn(
        nextStep`${counted(tasks, 'due task')} failed, because the service rejected all usable sign-ins; to show the reason: ${ucctl('fleet status')}`,
      ),
    onAbandonedStore: () =>
      out.warn(
        'the store does not reply, so the worker ends without it; tasks that are not released become due when their leases end',
      ),
  };
}

/**
 * Returns the sign-in of this run. Rejects a sign-in to another account than that of the archive. A worker also starts if the
 * user is unknown, because the service may reply later.
 */
async function ownSession(ctx: Context): Promise<FleetSession> {
  const own = await ctx.fleetSession();
  const user = (await own.reaches(accountMilliseconds)) ? await checkedUser(ctx, own) : undefined;
  if (ctx.settings.token.value === undefined) return own;
  return { ...own, rejectionOwner: rejectionOwnerOfToken(own.origin, user?.extension) };
}

/** Returns the user of a sign-in; undefined if it cannot be read. @throws {CommandError} `other_account` (exit 11). */
async function checkedUser(ctx: Context, { api }: FleetSession): Promise<SignInUser | undefined> {
  try {
    const user = await signInUser(api, ctx.signal);
    await requireArchiveAccount(ctx, api, () => Promise.resolve(user));
    return user;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    return undefined;
  }
}

/** Reports the start of a worker, with the sign-ins that it uses, and those that it does not use. */
async function noteStart(
  ctx: Context,
  db: Postgres,
  name: string,
  sessions: Pick<SessionPool, 'usable'>,
): Promise<void> {
  const profiles = sessions.usable.map(({ profile }) => profile).join(', ');
  ctx.out.note(`Worker ${name} started with ${profiles}. Press Ctrl-C to stop it.`);
  await noteSharedBudgets(ctx, db, sessions);
}

/** Reports enrolled sign-ins that add no requests, because the service counts requests per user and app (RATE-5). */
async function noteSharedBudgets(
  ctx: Context,
  db: Postgres,
  { usable }: Pick<SessionPool, 'usable'>,
): Promise<void> {
  for (const { profile, owner } of await enrolledSessions(db)) {
    const used = usable.find((one) => one.owner === owner);
    if (used === undefined || used.profile === profile) continue;
    ctx.out.note(
      `The worker does not use the sign-in of profile ${profile}: it has the same user and app as profile ${used.profile}, so it shares the rate limits. For more requests, sign in as another user.`,
    );
  }
}

function noSignIn(): SignInRequiredError {
  const why = 'the worker cannot use any sign-in of the fleet';
  return new SignInRequiredError('rejected', why, undefined, ucctl('login'));
}

/** Returns the sign-in of this run and the enrolled sign-ins. Reports and skips a sign-in that cannot be opened. */
function sessionsOf(ctx: Context, db: Postgres, own: FleetSession, { lease }: WorkerOptions): SessionPool {
  const isToken = ctx.settings.token.value !== undefined;
  return new SessionPool({
    db,
    own,
    leaseMilliseconds: lease * 1000,
    // A token from the environment replaces the session of every profile.
    open: isToken ? undefined : ({ profile, origin }) => ctx.fleetSession({ profile, origin }),
    onUsed: (profile) => ctx.out.note(`The worker now uses the sign-in of profile ${profile}.`),
    onUnopened: (profile, problem) =>
      ctx.out.warn(`ucctl does not use the sign-in of profile ${profile}: ${problem}`),
    onLost: (profile, problem) =>
      ctx.out.warn(
        nextStep`the worker can no longer use the session of profile ${profile}: ${problem}; sign in again: ${ucctl`login -p ${profile}`}`,
      ),
  });
}
