import type { CallLogRecord } from '../../../contract/call-log.ts';
import { numbersOf } from '../calls/call-table.ts';

/** A call that no exclusion of the archive matches, with its phone numbers. */
export interface StorableCall {
  readonly record: CallLogRecord;
  readonly numbers: readonly string[];
}

/** A call with its ID. */
export type PageCall = readonly [id: string, call: StorableCall];

/**
 * Returns the records that the archive may store, by ID, and the number of other records. Of two records with the same
 * ID, the record with the later `lastModifiedTime` is used; if the times are equal, the later record is used.
 */
export function storable(
  records: readonly CallLogRecord[],
  isExcluded: (record: CallLogRecord, numbers: readonly string[]) => boolean,
): { readonly pageCalls: ReadonlyMap<string, StorableCall>; readonly erased: number } {
  const pageCalls = new Map<string, StorableCall>();
  let erased = 0;
  for (const record of records) {
    const numbers = numbersOf(record);
    if (isExcluded(record, numbers)) {
      erased += 1;
      continue;
    }
    const other = pageCalls.get(record.id);
    if (!other || modifiedOf(other.record) <= modifiedOf(record))
      pageCalls.set(record.id, { record, numbers });
  }
  return { pageCalls, erased };
}

function modifiedOf({ lastModifiedTime }: CallLogRecord): number {
  return lastModifiedTime === undefined ? 0 : Date.parse(lastModifiedTime);
}

/** Calls, oldest first, so that the calls of a period are next to each other. Each time is parsed once. */
export function inOrder(calls: readonly PageCall[]): readonly PageCall[] {
  return calls
    .map((call) => [Date.parse(call[1].record.startTime), call] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, call]) => call);
}
