import {
  checkConsumer,
  EventConsumer,
  isRepeated,
  openEventStore,
  openEventStream,
  PostgresEventLog,
  requireConsumer,
  streamProblem,
  streamTarget,
  targetsOf,
  type ConsumeEnd,
  type EventStream,
  type Target,
} from '../../features/live/index.ts';
import { runService, StoreHealth, type Service } from '../../features/service/index.ts';
import { eventSubject } from '../../features/live/notification/notification.rows.ts';
import { readTime } from '../../features/time-window/index.ts';
import { LineQueue } from '../../platform/line-queue.ts';
import { processName } from '../../platform/process-name.ts';
import type { ConsumerStart } from '../../store/event-log.ts';
import type { Context } from '../../runtime/context.ts';
import type { LogEntry } from '../../runtime/output.ts';
import type { ServiceOptions } from '../../runtime/service-options.ts';
import { streamWork } from '../../runtime/stream-work.ts';
import { usageError } from '../../errors/command.ts';
import { ucctl, nextStep } from '../../errors/hint.ts';
import { stateOf } from './consumer-state.ts';
import { consumedView, type ConsumedRow } from './consumer.rows.ts';

export interface EventsConsumeOptions extends ServiceOptions {
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
  checkConsumer(options.name);
  const stream = options.to === undefined ? undefined : await openEventStream(ctx, '--to', options.to);
  try {
    await runService(ctx, options, (service) => consume(ctx, options, stream, service));
  } finally {
    await stream?.close();
  }
}

async function consume(
  ctx: Context,
  options: EventsConsumeOptions,
  stream: EventStream | undefined,
  service: Service,
): Promise<void> {
  const { name, receiver } = options;
  const start = startOf(ctx, '--from', options.from ?? 'end');
  const target = await targetOf(ctx, options, stream);
  const db = await openEventStore(ctx);
  const log = new PostgresEventLog(db);
  const { requireKnownSchema } = await import('../../store/index.ts');
  const isNew = await requireConsumer(log, name, { start, receiver });
  if (isNew) ctx.out.note(`Created consumer ${name}.`);
  else if (options.from !== undefined)
    ctx.out.warn(
      nextStep`consumer ${name} exists, so --from has no effect; to process events again: ${ucctl`events consumers ${name} --replay-from ${options.from}`}`,
    );
  const lines = new LineQueue<ConsumedRow>();
  const worker = processName();
  const health = new StoreHealth(ctx, db);
  const { metrics } = service;
  const count =
    metrics &&
    (await import('./consumer-metrics.ts')).consumerMetrics(metrics, name, () => stateOf(db, log, name));
  const consumer = new EventConsumer({
    log,
    consumer: name,
    worker,
    target,
    concurrency: options.concurrency,
    leaseMilliseconds: options.lease * 1000,
    maxAttempts: options.attempts,
    once: options.once ?? false,
    requireSchema: () => requireKnownSchema(db),
    isRepeated: (claimed, event) => isRepeated(db, claimed, event),
    sleep: service.sleeperOf(ctx),
    onEnd: (end) => {
      service.turned();
      count?.(end);
      if (!options.all && ['done', 'skipped'].includes(end.result)) return;
      const row = rowOf(end, ctx.now());
      lines.add(row);
      ctx.out.log(entryOf(row, worker));
    },
    onStore: health.changed,
  });
  service.check({
    store: health.check,
    ...(stream && { stream: () => streamProblem(stream) }),
    claim: async () =>
      (await stateOf(db, log, name)) === undefined ? `consumer ${name} was removed` : undefined,
  });
  await service.started();
  await streamWork(ctx, lines, consumedView, (signal) => consumer.run(signal));
}

/** Returns the only target of the events. @throws {CommandError} `usage` without a target. */
async function targetOf(
  ctx: Context,
  { exec, forwardTo }: EventsConsumeOptions,
  stream: EventStream | undefined,
): Promise<Target> {
  if (stream) return streamTarget(ctx, stream);
  const [target] = await targetsOf(ctx, forwardTo === undefined ? [] : [forwardTo], exec);
  if (target) return target;
  throw usageError(
    'events consume needs --exec COMMAND, --forward-to URL or --to nats://HOST:PORT/STREAM',
    ucctl('events consume --help'),
  );
}

/** Reads a position in the log. @throws {CommandError} `usage`. */
export function startOf(ctx: Context, flag: string, text: string): ConsumerStart {
  if (text === 'start' || text === 'end') return text;
  return {
    since: readTime(ctx, flag, text, 'start, end, a date, an ISO 8601 time, 2h, 7d, today or yesterday'),
  };
}

/** Returns the entry of an attempt for the structured log. */
function entryOf(row: ConsumedRow, run: string): LogEntry {
  const isProblem = row.result === 'retry' || row.result === 'dead';
  return {
    level: isProblem ? 'warn' : 'info',
    message: `${row.event} ${row.uuid}: ${row.result}`,
    ...row,
    time: undefined,
    run,
  };
}

function rowOf({ claimed, event, result, problem, milliseconds }: ConsumeEnd, now: number): ConsumedRow {
  const { id, consumer, attempt, lane } = claimed;
  return {
    time: new Date(now).toISOString(),
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
