import type { CallLogRecord } from '../../../contract/call-log.ts';
import type { Id } from '../../../contract/common.ts';
import { unfinishedCallResults } from '../../../contract/enums.ts';
import { stringifyJson } from '../../../platform/json.ts';
import type { CallCounts } from '../../../store/call-store.ts';
import type { Database } from '../../../platform/sqlite.ts';

/** The counts of a page that is being stored. */
export type CopyCounts = { -readonly [K in keyof CallCounts]: CallCounts[K] };

/** A record with the values that are computed from it. */
export interface PreparedCall {
  readonly record: Partial<CallLogRecord>;
  readonly modified: string | null;
  readonly numbers: readonly string[];
  readonly raw: string;
}

/**
 * The columns with their values. A missing text is stored as an empty or NULL value, and a missing duration as 0; `raw`
 * has the unchanged record.
 */
export const callColumns: Readonly<Record<string, (call: PreparedCall) => string | number | null>> = {
  session_id: ({ record }) => record.sessionId ?? '',
  start_time: ({ record }) => startTime(record),
  duration_seconds: ({ record }) => record.duration ?? 0,
  type: ({ record }) => record.type ?? '',
  direction: ({ record }) => record.direction ?? '',
  action: ({ record }) => record.action ?? '',
  result: ({ record }) => record.result ?? '',
  from_number: ({ record }) => record.from?.phoneNumber ?? null,
  from_extension: ({ record }) => record.from?.extensionNumber ?? null,
  from_name: ({ record }) => record.from?.name ?? null,
  to_number: ({ record }) => record.to?.phoneNumber ?? null,
  to_extension: ({ record }) => record.to?.extensionNumber ?? null,
  to_name: ({ record }) => record.to?.name ?? null,
  extension_id: ({ record }) => textOf(record.extension?.id),
  recording_id: ({ record }) => record.recording?.id ?? null,
  message_id: ({ record }) => record.message?.id ?? null,
  transport: ({ record }) => record.transport ?? null,
  last_modified_time: ({ modified }) => modified,
  numbers: ({ numbers }) => ` ${numbers.join(' ')} `,
  unfinished: ({ record }) => Number(unfinishedCallResults.includes(record.result ?? '')),
  raw: ({ raw }) => raw,
};
const columnNames = Object.keys(callColumns);
const readers = Object.values(callColumns);

/**
 * Writes the records of one scope. Of two records with the same ID, the record with the later `lastModifiedTime` is
 * stored; if the times are equal, the record of the later run is stored.
 */
export class CallTable {
  readonly #scope: string;
  readonly #isErased: (numbers: readonly string[]) => boolean;
  readonly #known;
  readonly #write;

  constructor(db: Database, scope: string, isErased: (numbers: readonly string[]) => boolean) {
    this.#scope = scope;
    this.#isErased = isErased;
    this.#known = db.prepare(
      'SELECT last_modified_time AS modified, raw FROM call_record WHERE scope = ? AND record_id = ?',
    );
    this.#write = db.prepare(
      `INSERT INTO call_record (scope, record_id, ${columnNames.join(', ')}) VALUES (?, ?, ${columnNames.map(() => '?').join(', ')})
       ON CONFLICT (scope, record_id) DO UPDATE SET ${columnNames.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    );
  }

  put(record: CallLogRecord, counts: CopyCounts): void {
    counts.received += 1;
    const numbers = numbersOf(record);
    if (this.#isErased(numbers)) {
      counts.erased += 1;
      return;
    }
    const call = prepareCall(record, numbers);
    const { raw, modified } = call;
    const known = this.#known.get(this.#scope, record.id) as
      | { readonly modified: string | null; readonly raw: string }
      | undefined;
    const isOlder = known !== undefined && (known.modified ?? '') > (modified ?? known.modified ?? '');
    if (known?.raw === raw || isOlder) {
      counts.unchanged += 1;
      return;
    }
    if (known) counts.changed += 1;
    else counts.added += 1;
    this.#write.run(this.#scope, record.id, ...readers.map((read) => read(call)));
  }
}

export function prepareCall(record: CallLogRecord, numbers: readonly string[]): PreparedCall {
  const modified = record.lastModifiedTime === undefined ? null : utc(record.lastModifiedTime);
  return { record, modified, numbers, raw: stringifyJson(record) };
}

function textOf(id: Id | undefined): string | null {
  return id === undefined ? null : String(id);
}

/** Returns all distinct numbers of the call and its legs. */
export function numbersOf(record: CallLogRecord): readonly string[] {
  const numbers: string[] = [];
  const add = (number: string | undefined): void => {
    if (number !== undefined && !numbers.includes(number)) numbers.push(number);
  };
  add(record.from?.phoneNumber);
  add(record.to?.phoneNumber);
  for (const { from, to } of record.legs ?? []) {
    add(from?.phoneNumber);
    add(to?.phoneNumber);
  }
  return numbers;
}

/** Returns the start time of a call as it is stored; empty if the record has none. */
export function startTime(record: Partial<CallLogRecord>): string {
  return record.startTime === undefined ? '' : utc(record.startTime);
}

/** Converts a time to UTC with milliseconds, so that times can be compared as text. */
function utc(time: string): string {
  return isUtc.test(time) ? time : new Date(time).toISOString();
}

/** The usual form of the service. Its shape was checked when the reply was read. */
const isUtc = /^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z$/;
