import { consumersOf, openEventStore, PostgresEventLog } from '../../features/live/index.ts';
import type { ConsumerStatus } from '../../store/event-log.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { counted } from '../../platform/counted.ts';
import { ucctl } from '../../errors/hint.ts';
import { startOf } from './consume.ts';
import { storeTime } from '../../platform/postgres/store-time.ts';
import { lagSeconds } from './consumer-state.ts';
import { consumerRows, type ConsumerRow } from './consumer.rows.ts';

export interface EventsConsumersOptions {
  readonly names: readonly string[];
  readonly replayFrom?: string;
  readonly remove?: boolean;
}

/** `events consumers [NAME...]`: lists consumers, moves them to a position, or deletes them. */
export async function consumers(ctx: Context, options: EventsConsumersOptions): Promise<void> {
  const { names, replayFrom, remove } = options;
  const changes = replayFrom !== undefined || remove === true;
  if (changes && names.length === 0)
    throw usageError('--replay-from and --remove require the names of consumers', ucctl('events consumers'));
  const start = replayFrom === undefined ? undefined : startOf(ctx, '--replay-from', replayFrom);
  const db = await openEventStore(ctx);
  const log = new PostgresEventLog(db);
  const found = await consumersOf(log, names);
  if (remove) await confirm(ctx, found);
  for (const { name } of found) {
    if (start !== undefined) await log.replay(name, start);
    if (remove) await log.removeConsumer(name);
  }
  const now = await storeTime(db);
  const shown = remove ? found : await consumersOf(log, names);
  await ctx.out.list(
    shown.map((one) => rowOf(one, now, statusAfter(options))),
    consumerRows.list,
  );
}

function confirm(ctx: Context, consumers: readonly ConsumerStatus[]): Promise<void> {
  for (const { name, behind, pending, dead } of consumers) {
    const waiting = counted(behind + pending, 'unprocessed event');
    ctx.out.preview(`consumer ${name}: ${waiting}, ${counted(dead, 'dead letter')}`);
  }
  const what =
    consumers.length === 1
      ? 'this consumer, its position and its'
      : 'these consumers, their positions and their';
  return requireConfirmation(ctx, `Delete ${what} dead letters permanently?`, 'nothing was deleted');
}

function statusAfter({ remove, replayFrom }: EventsConsumersOptions): ConsumerRow['status'] {
  if (remove) return 'removed';
  return replayFrom === undefined ? 'active' : 'replaying';
}

function rowOf(
  { name, receiver, behind, pending, claimed, dead, oldestAt }: ConsumerStatus,
  now: number,
  status: ConsumerRow['status'],
): ConsumerRow {
  return {
    consumer: name,
    receiver: receiver ?? null,
    waiting: behind + pending - claimed,
    running: claimed,
    dead,
    lagSeconds: lagSeconds({ oldestAt }, now),
    status,
  };
}
