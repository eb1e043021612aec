import type { CallLogRecord, CallParty } from '../../contract/call-log.ts';
import type { Id } from '../../contract/common.ts';
import { stringifyJson } from '../../platform/json.ts';
import type { Database } from '../../platform/sqlite.ts';

/** What became of the records of one reading. */
export interface CallCounts {
  received: number;
  added: number;
  changed: number;
  unchanged: number;
  /** Not copied, because a number of theirs was erased. */
  withheld: number;
}

/** Results of calls that have not ended (CALL-21). */
const unfinished = new Set(['In Progress', 'Unknown']);

const columns = [
  'session_id',
  'start_time',
  'duration_seconds',
  'type',
  'direction',
  'action',
  'result',
  'from_number',
  'from_extension',
  'from_name',
  'to_number',
  'to_extension',
  'to_name',
  'extension_id',
  'recording_id',
  'message_id',
  'transport',
  'last_modified_time',
  'numbers',
  'unfinished',
  'raw',
] as const;

/** Writes records of one scope; the newer `lastModifiedTime` wins, at equal times the later reading. */
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
      `INSERT INTO call_record (scope, record_id, ${columns.join(', ')}) VALUES (?, ?, ${columns.map(() => '?').join(', ')})
       ON CONFLICT (scope, record_id) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    );
  }

  put(record: CallLogRecord, counts: CallCounts): void {
    counts.received += 1;
    const numbers = numbersOf(record);
    if (this.#isErased(numbers)) {
      counts.withheld += 1;
      return;
    }
    const raw = stringifyJson(record);
    const modified = record.lastModifiedTime === undefined ? null : utc(record.lastModifiedTime);
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
    this.#write.run(this.#scope, record.id, ...valuesOf(record, modified, numbers, raw));
  }
}

/** A member that a reply lacks is an empty column, and the record stays in `raw` as it came. */
function valuesOf(
  record: Partial<CallLogRecord>,
  modified: string | null,
  numbers: readonly string[],
  raw: string,
): (string | number | null)[] {
  return [
    record.sessionId ?? '',
    record.startTime === undefined ? '' : utc(record.startTime),
    record.duration ?? 0,
    record.type ?? '',
    record.direction ?? '',
    record.action ?? '',
    record.result ?? '',
    ...partyValues(record.from),
    ...partyValues(record.to),
    textOf(record.extension?.id),
    record.recording?.id ?? null,
    record.message?.id ?? null,
    record.transport ?? null,
    modified,
    ` ${numbers.join(' ')} `,
    Number(unfinished.has(record.result ?? '')),
    raw,
  ];
}

function textOf(id: Id | undefined): string | null {
  return id === undefined ? null : String(id);
}

function partyValues(party: CallParty | undefined): (string | null)[] {
  return [party?.phoneNumber ?? null, party?.extensionNumber ?? null, party?.name ?? null];
}

/** Every number on either side of the call and of its legs, once. */
function numbersOf(record: CallLogRecord): readonly string[] {
  const sides = [record, ...(record.legs ?? [])].flatMap(({ from, to }) => [
    from?.phoneNumber,
    to?.phoneNumber,
  ]);
  return [...new Set(sides.filter((number) => number !== undefined))];
}

/** One spelling of a time, so that times compare as text. */
function utc(time: string): string {
  return new Date(time).toISOString();
}
