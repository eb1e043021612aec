import { hostname } from 'node:os';
import {
  enrolledSessions,
  FleetWorker,
  markChanged,
  openFleet,
  taskKinds,
  type ClaimedTask,
  type TaskEnd,
  type TaskKind,
} from '../../features/fleet/index.ts';
import { guardedArchives } from '../../features/mirror/postgres/index.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { processName } from '../../platform/process-name.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Context } from '../../runtime/context.ts';
import type { LogEntry } from '../../runtime/output.ts';
import { streamWork } from '../../runtime/stream-work.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import { messageOf } from '../../errors/command.ts';
import { SignInRequiredError } from '../../errors/service.ts';
import { ucctl } from '../../errors/hint.ts';
import { runTask } from './run-task.ts';
import { inSpan, type SpanFacts } from '../../platform/spans.ts';
import { LineQueue } from '../../platform/line-queue.ts';
import { pingStore, runService, type Service } from '../../features/service/index.ts';
import type { ServiceOptions } from '../../runtime/service-options.ts';
import { runView, type RunRow } from './fleet.rows.ts';

export interface WorkerOptions extends ServiceOptions {
  readonly concurrency: number;
  readonly tasks: readonly TaskKind[];
  readonly lease: number;
  readonly once?: boolean;
  readonly all?: boolean;
}

/** `fleet worker`: executes tasks until it is interrupted, drained or, with `--once`, nothing is due. */
export async function worker(ctx: Context, options: WorkerOptions): Promise<void> {
  await runService(ctx, options, (service) => work(ctx, options, service));
}

async function work(ctx: Context, options: WorkerOptions, service: Service): Promise<void> {
  const db = await openFleet(ctx);
  const open = await guardedArchives(ctx, 'change');
  const sessions = await sessionsOf(ctx, db);
  const name = processName();
  const lines = new LineQueue<RunRow>();
  const lost: string[] = [];
  let storeProblem: string | undefined;
  const { metrics } = service;
  const meters =
    metrics && (await import('./worker-metrics.ts')).workerMetrics(metrics, db, () => fleetWorker.running);
  const fleetWorker: FleetWorker = new FleetWorker({
    db,
    facts: {
      worker: name,
      machine: hostname(),
      pid: ownProcess.pid,
      version: ctx.version,
      concurrency: options.concurrency,
    },
    kinds: options.tasks.length > 0 ? [...new Set(options.tasks)] : taskKinds,
    sessions,
    leaseMilliseconds: options.lease * 1000,
    once: options.once ?? false,
    async run(task, work) {
      meters?.claimed(task.kind);
      const counts = await inSpan(spanOf(task), () => runTask(ctx, open, task, work));
      // New messages may have attachments.
      if (task.kind === 'messages' && counts.added > 0) await markChanged(db, ['media'], [task.subject]);
      return counts;
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
    onStore: (problem) => {
      storeProblem = problem;
      if (problem === undefined) ctx.out.note('the store is available again');
      else ctx.out.warn(`the store is not available: ${problem}; retrying`);
    },
    onSession: (profile, problem) => {
      lost.push(profile);
      meters?.sessionLost();
      ctx.out.warn(`the sign-in of profile ${profile} can no longer be used: ${problem}`);
    },
  });
  ctx.out.note(
    `Worker ${name} started with ${sessions.map(({ profile }) => profile).join(', ')}. Press Ctrl-C to stop it.`,
  );
  service.check({
    store: () => storeProblem ?? pingStore(db),
    session: () => (lost.length === sessions.length ? 'none of the sign-ins can be used' : undefined),
    claim: () => (fleetWorker.isDraining ? 'the worker is draining' : undefined),
  });
  await service.started();
  await streamWork(ctx, lines, runView, (signal) => fleetWorker.run(signal));
  if (lost.length === sessions.length)
    throw new SignInRequiredError(
      'rejected',
      'none of the sign-ins of the fleet can be used',
      undefined,
      ucctl('login'),
    );
}

/** Returns the sign-in of this run and the enrolled sign-ins. Reports and skips a sign-in that cannot be opened. */
async function sessionsOf(ctx: Context, db: Postgres): Promise<readonly FleetSession[]> {
  const own = await ctx.fleetSession();
  const sessions = [own];
  // A token from the environment replaces the session of every profile.
  if (ctx.settings.token.value !== undefined) return sessions;
  for (const { profile, origin, owner } of await enrolledSessions(db)) {
    if (owner === own.owner || sessions.some((session) => session.owner === owner)) continue;
    try {
      sessions.push(await ctx.fleetSession({ profile, origin }));
    } catch (error) {
      ctx.out.warn(`the sign-in of profile ${profile} is not used: ${messageOf(error)}`);
    }
  }
  return sessions;
}

function spanOf({ kind, subject, attempts, fence }: ClaimedTask): SpanFacts {
  return {
    name: `task ${kind}`,
    kind: 'internal',
    attributes: {
      'ucctl.task': kind,
      'ucctl.extension.id': kind === 'calls' ? undefined : subject,
      'ucctl.attempt': attempts,
      'ucctl.fence': fence,
    },
  };
}

/** Returns the entry of an attempt for the structured log. */
function entryOf({ task: { kind, label, subject } }: TaskEnd, row: RunRow): LogEntry {
  const isProblem = row.result !== 'done' && row.result !== 'released';
  return {
    level: isProblem ? 'warn' : 'info',
    message: `${kind} of ${label}: ${row.result}`,
    ...row,
    extensionId: kind === 'calls' ? undefined : subject,
    run: row.worker,
    // The entry has a time of its own.
    at: undefined,
    worker: undefined,
  };
}

/** Returns whether an attempt changed the archive or had a problem. */
function isNews({ result, report }: TaskEnd): boolean {
  const { added = 0, changed = 0 } = (report ?? {}) as Partial<RunRow>;
  return result !== 'done' || added + changed > 0;
}

function rowOf(
  { task, session, result, milliseconds, report, problem }: TaskEnd,
  name: string,
  now: number,
): RunRow {
  const { received, added, changed } = (report ?? {}) as Partial<RunRow>;
  return {
    at: new Date(now).toISOString(),
    worker: name,
    session,
    task: task.kind,
    mailbox: task.label,
    result,
    milliseconds,
    ...(report && { received, added, changed }),
    ...(problem !== undefined && { problem }),
  };
}
