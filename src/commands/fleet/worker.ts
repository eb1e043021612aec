import { hostname } from 'node:os';
import {
  enrolledSessions,
  FleetWorker,
  markChanged,
  openFleet,
  taskKinds,
  type TaskEnd,
  type TaskKind,
} from '../../features/fleet/index.ts';
import { guardedArchives } from '../../features/mirror/postgres/index.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { processName } from '../../platform/process-name.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Context } from '../../runtime/context.ts';
import { streamWork } from '../../runtime/stream-work.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import { messageOf } from '../../errors/command.ts';
import { SignInRequiredError } from '../../errors/service.ts';
import { ucctl } from '../../errors/hint.ts';
import { runTask } from './run-task.ts';
import { LineQueue } from '../../platform/line-queue.ts';
import { runView, type RunRow } from './fleet.rows.ts';

export interface WorkerOptions {
  readonly concurrency: number;
  readonly tasks: readonly TaskKind[];
  readonly lease: number;
  readonly once?: boolean;
  readonly all?: boolean;
}

/** `fleet worker`: executes tasks until it is interrupted, drained or, with `--once`, nothing is due. */
export async function worker(ctx: Context, options: WorkerOptions): Promise<void> {
  const db = await openFleet(ctx);
  const open = await guardedArchives(ctx, 'change');
  const sessions = await sessionsOf(ctx, db);
  const name = processName();
  const lines = new LineQueue<RunRow>();
  const lost: string[] = [];
  const fleetWorker = new FleetWorker({
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
      const counts = await runTask(ctx, open, task, work);
      // New messages may have attachments.
      if (task.kind === 'messages' && counts.added > 0) await markChanged(db, ['media'], [task.subject]);
      return counts;
    },
    sleep: (milliseconds, signal) => ctx.sleep(milliseconds, signal),
    onEnd: (end) => {
      if (options.all || isNews(end)) lines.add(rowOf(end, name, ctx.now()));
    },
    onStore: (problem) =>
      problem === undefined
        ? ctx.out.note('the store is available again')
        : ctx.out.warn(`the store is not available: ${problem}; retrying`),
    onSession: (profile, problem) => {
      lost.push(profile);
      ctx.out.warn(`the sign-in of profile ${profile} can no longer be used: ${problem}`);
    },
  });
  ctx.out.note(
    `Worker ${name} started with ${sessions.map(({ profile }) => profile).join(', ')}. Press Ctrl-C to stop it.`,
  );
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
