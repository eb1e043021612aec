import type { CallParty } from '../../contract/call-log.ts';
import type { CallRecordRow } from '../store/call-records.ts';
import type { World } from '../world.ts';

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

/** Writes one line of the call log and answers its id. */
export function addCallRecord(world: World, record: NewCallRecord): number {
  const id = world.nextId('callRecord', firstRecordId);
  world.callRecords.add(toRow(id, record));
  return id;
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
