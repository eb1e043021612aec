import { activeCallLatencySeconds } from '../../contract/limits.ts';
import type { CallRow } from './store.ts';
import type { CallRecordRow } from './record-store.ts';
import type { World } from '../world/world.ts';
import { callOfRecord, callRecordId, toRow } from './record-row.ts';
import { recordsOf } from './records.ts';

/**
 * Returns connected calls of an extension and calls that ended a short time ago, latest first. The service notices an
 * end 3 to 10 s late; until then the call is still in progress (ACTIVE-6).
 */
export function activeCalls(world: World, accountId: number, extensionId?: number): readonly CallRecordRow[] {
  const now = world.clock.now();
  const calls = world.calls.connected(accountId, now - world.settings.activeCallRetentionMilliseconds);
  return calls
    .flatMap((call) => toRows(world, call, now))
    .filter((row) => extensionId === undefined || row.extensionId === extensionId);
}

/** Returns the active call whose record has this ID; undefined if there is none. */
export function activeRecord(world: World, id: number): CallRecordRow | undefined {
  const call = world.calls.byId(callOfRecord(id));
  if (!call || call.connectedAt === null || call.endedAt !== null) return undefined;
  return toRows(world, call, world.clock.now()).find((row) => row.id === id);
}

/** Returns the latency of a call, which depends only on its ID. */
export function latencyMilliseconds(callId: number): number {
  const { min, max } = activeCallLatencySeconds;
  return (min + (callId % (max - min + 1))) * 1000;
}

function toRows(world: World, call: CallRow, now: number): readonly CallRecordRow[] {
  const isNoticed = call.endedAt !== null && now >= call.endedAt + latencyMilliseconds(call.id);
  const records = recordsOf(
    world,
    { ...call, endedAt: isNoticed && call.endedAt !== null ? call.endedAt : now },
    null,
  );
  return records.flatMap((record, place) =>
    record.result === 'Missed'
      ? []
      : [toRow(callRecordId(call.id, place), isNoticed ? record : { ...record, result: 'In Progress' })],
  );
}
