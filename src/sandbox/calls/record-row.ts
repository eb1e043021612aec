import type { CallParty } from '../../contract/call-log.ts';
import type { CallRecordRow } from './record-store.ts';
import type { World } from '../world/world.ts';

/** A leg as it is stored; address and extension are added when it is told. Times in milliseconds, duration in seconds. */
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

/** What a record needs; the columns for searching follow from the parties. */
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
/** More extensions than any call has. */
const recordsPerCall = 1000;

/** Writes the record of a message into the call log. */
export function addMessageRecord(world: World, record: NewCallRecord): void {
  world.callRecords.add(toRow(world.nextId('callRecord', firstRecordId), record));
}

/** The id of a record of a call, by its place among the records of the call: the same while the call goes on and after its end. */
export function callRecordId(callId: number, place: number): number {
  return callId * recordsPerCall + place;
}

/** The call of a record id, for any id that `callRecordId` can have made. */
export function callOfRecord(recordId: number): number {
  return Math.floor(recordId / recordsPerCall);
}

/** The row of a record whose id is known. */
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
