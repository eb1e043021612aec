import type { CallParty } from '../../contract/call-log.ts';
import type { CallRecordRow } from './record-store.ts';
import type { World } from '../world/world.ts';

/** A stored leg. Replies add its address and extension. Times are in milliseconds since 1970, durations in seconds. */
export interface StoredLeg {
  readonly startTime: number;
  readonly duration: number;
  readonly direction: string;
  readonly action: string;
  readonly result: string;
  readonly legType: string;
  readonly transport: string;
  readonly from: CallParty;
  readonly to: CallParty;
  readonly extensionId?: number;
  readonly master?: boolean;
}

type Stated = 'legs' | 'id' | 'sender' | 'recipient' | 'fromNumber' | 'toNumber' | 'deleted' | 'type';
type Derived = Stated | 'fromExtension' | 'toExtension' | 'recordingId' | 'messageId' | 'messageType';

/** The input of a record. Its search columns are derived from the parties. */
export interface NewCallRecord extends Omit<CallRecordRow, Derived> {
  readonly type?: string;
  readonly from: CallParty;
  readonly to: CallParty;
  readonly legs: readonly StoredLeg[];
  readonly recordingId?: number | null;
  readonly messageId?: number | null;
  readonly messageType?: string | null;
}

export const firstRecordId = 700_000_000_000;
/** The factor between record IDs of two calls. It is greater than the number of extensions in any call. */
const recordsPerCall = 1000;

/** Writes the record of a message into the call log. */
export function addMessageRecord(world: World, record: NewCallRecord): void {
  world.callRecords.add(toRow(world.nextId('callRecord', firstRecordId), record));
}

/**
 * Returns the ID of a record, computed from the call and the index among its records. The ID stays the same when the
 * call ends.
 */
export function callRecordId(callId: number, place: number): number {
  return callId * recordsPerCall + place;
}

/** Returns the call of a record ID that `callRecordId` computed. */
export function callOfRecord(recordId: number): number {
  return Math.floor(recordId / recordsPerCall);
}

/** Returns the row of a record with a given ID. */
export function toRow(id: number, { from, to, legs, ...record }: NewCallRecord): CallRecordRow {
  return {
    recordingId: null,
    messageId: null,
    messageType: null,
    type: 'Voice',
    ...record,
    id,
    sender: JSON.stringify(from),
    recipient: JSON.stringify(to),
    fromNumber: from.phoneNumber ?? null,
    toNumber: to.phoneNumber ?? null,
    fromExtension: from.extensionNumber ?? null,
    toExtension: to.extensionNumber ?? null,
    legs: JSON.stringify(legs),
    deleted: 0,
  };
}
