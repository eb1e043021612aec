import {
  EventConsumer,
  hasAllKeys,
  openEventStore,
  openEventStream,
  PostgresEventLog,
  requireConsumer,
  streamTarget,
  targetsOf,
  type ConsumeEnd,
  type EventStream,
} from '../../features/live/index.ts';
import { eventSubject } from '../../features/live/notification/notification.rows.ts';
import { readTime } from '../../features/time-window/index.ts';
import { LineQueue } from '../../platform/line-queue.ts';
import { processName } from '../../platform/process-name.ts';
import type { ConsumerStart } from '../../store/event-log.ts';
import type { Context } from '../../runtime/context.ts';
import { streamWork } from '../../runtime/stream-work.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { consumedView, type ConsumedRow } from './consumer.rows.ts';

export interface EventsConsumeOptions {
  readonly name: string;
  readonly exec?: string;
  readonly forwardTo?: string;
  readonly to?: string;
  readonly from?: string;
  readonly receiver?: string;
  readonly concurrency: number;
  readonly attempts: number;
  readonly lease: number;
  readonly once?: boolean;
  readonly all?: boolean;
}

/** `events consume NAME`: delivers the events of a store until it is interrupted or, with `--once`, nothing is due. */
export async function consumeEvents(ctx: Context, options: EventsConsumeOptions): Promise<void> {
  const stream = options.to === undefined ? undefined : await openEventStream(ctx, '--to', options.to);
  try {
    await consumeInto(ctx, options, stream);
  } finally {
    await stream?.close();
  }
}

async function consumeInto(
  ctx: Context,
  options: EventsConsumeOptions,
  stream: EventStream | undefined,
): Promise<void> {
  const { name, receiver, exec, forwardTo } = options;
  const start = startOf(ctx, '--from', options.from ?? 'end');
  const [target] = stream
    ? [streamTarget(ctx, stream)]
    : await targetsOf(ctx, forwardTo === undefined ? [] : [forwardTo], exec);
  if (!target)
    throw usageError(
      'events consume needs --exec COMMAND, --forward-to URL or --to nats://HOST:PORT/STREAM',
      ucctl('events consume --help'),
    );
  const db = await openEventStore(ctx);
  const log = new PostgresEventLog(db);
  const isNew = await requireConsumer(log, name, { start, receiver });
  if (isNew) ctx.out.note(`Created consumer ${name}.`);
  else if (options.from !== undefined)
    ctx.out.warn(
      `consumer ${name} exists, so --from has no effect; to process events again: ucctl events consumers ${name} --replay-from ${options.from}`,
    );
  const lines = new LineQueue<ConsumedRow>();
  const consumer = new EventConsumer({
    log,
    consumer: name,
    worker: processName(),
    target,
    concurrency: options.concurrency,
    leaseMilliseconds: options.lease * 1000,
    maxAttempts: options.attempts,
    once: options.once ?? false,
    hasAll: (from, keys) => hasAllKeys(db, from, keys),
    sleep: (milliseconds, signal) => ctx.sleep(milliseconds, signal),
    onEnd: (end) => {
      if (options.all || !['done', 'skipped'].includes(end.result)) lines.add(rowOf(end, ctx.now()));
    },
    onStore: (problem) =>
      problem === undefined
        ? ctx.out.note('The store works again.')
        : ctx.out.warn(`the store does not work: ${problem}; retrying`),
  });
  await streamWork(ctx, lines, consumedView, (signal) => consumer.run(signal));
}

/** Reads a position in the log. @throws {CommandError} `usage`. */
export function startOf(ctx: Context, flag: string, text: string): ConsumerStart {
  if (text === 'start' || text === 'end') return text;
  return { since: readTime(ctx, flag, text, 'start, end, a date, ISO 8601, 2h, 7d, today or yesterday') };
}

function rowOf({ claimed, event, result, problem, milliseconds }: ConsumeEnd, now: number): ConsumedRow {
  const { id, consumer, attempt, lane } = claimed;
  return {
    at: new Date(now).toISOString(),
    consumer,
    id,
    uuid: event.uuid,
    event: eventSubject(event.event).name,
    extensionId: lane === '' ? null : lane,
    attempt,
    result,
    milliseconds,
    ...(problem !== undefined && { problem }),
  };
}
