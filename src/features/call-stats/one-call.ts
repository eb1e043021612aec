import { dayMilliseconds } from '../../platform/day.ts';
import type { CallLogRecord, CallParty } from '../../contract/call-log.ts';
import { outcomeOf, type CallOutcome } from './outcome.ts';

/** The members of a record that determine which record represents the call. */
export interface RankedRecord {
  readonly isQueue: boolean;
  /** Start in milliseconds since 1970. */
  readonly startTime: number;
  readonly isOutbound: boolean;
  readonly outcome: CallOutcome;
  readonly id: string;
}

/** Outcomes in the order in which they determine the result of a call whose phones rang at the same time. */
const outcomeOrder: readonly CallOutcome[] = [
  'answered',
  'voicemail',
  'abandoned',
  'missed',
  'unanswered',
  'other',
];

/** Returns the members of a record that determine whether it represents its call. */
export function rankOf(
  { direction, result, startTime = '', id = '' }: Partial<CallLogRecord>,
  isQueue: boolean,
): RankedRecord {
  return {
    isQueue,
    startTime: Date.parse(startTime),
    isOutbound: direction === 'Outbound',
    outcome: outcomeOf(direction, result),
    id,
  };
}

/**
 * Whether a record determines the result of its call, instead of another record of the same session: the record of a
 * queue, otherwise the record that started first, otherwise the record of the caller, otherwise the record whose
 * outcome is first in `outcomeOrder`. The ID decides last, because the log does not order records of the same time.
 */
export function isBetter(one: RankedRecord, than: RankedRecord): boolean {
  if (one.isQueue !== than.isQueue) return one.isQueue;
  if (one.startTime !== than.startTime) return one.startTime < than.startTime;
  if (one.isOutbound !== than.isOutbound) return one.isOutbound;
  const [order, other] = [outcomeOrder.indexOf(one.outcome), outcomeOrder.indexOf(than.outcome)];
  return order === other ? one.id < than.id : order < other;
}

/** The owner of a record that names no extension. */
export const unknownOwner = 'unknown';

/**
 * Returns the ID of the extension that a record belongs to. In the published form, only the legs of a record have an
 * extension (CALL-6).
 */
export function ownerOf(record: Partial<CallLogRecord>): string {
  const own = ownParty(record);
  const id = record.extension?.id ?? own?.extensionId ?? own?.extensionNumber ?? extensionOfLegs(record);
  return String(id ?? unknownOwner);
}

/**
 * Returns the record with the ID of its extension, if its party has only an extension number. `idOf` returns the ID of
 * an extension number.
 */
export function withOwner(
  record: Partial<CallLogRecord>,
  idOf: (extensionNumber: string) => string | undefined,
): Partial<CallLogRecord> {
  const { extensionId, extensionNumber } = ownParty(record) ?? {};
  if (record.extension || extensionId !== undefined || extensionNumber === undefined) return record;
  const id = idOf(extensionNumber);
  return id === undefined ? record : { ...record, extension: { uri: '', id } };
}

/** Returns the party of a record on the side of the account; undefined if the record has no direction. */
export function ownParty({ direction, to, from }: Partial<CallLogRecord>): Partial<CallParty> | undefined {
  if (direction === 'Inbound') return to;
  return direction === 'Outbound' ? from : undefined;
}

function extensionOfLegs({ legs = [] }: Partial<CallLogRecord>): string | number | undefined {
  const named = legs.filter(({ extension }) => extension?.id !== undefined);
  return (named.find(({ master }) => master) ?? named[0])?.extension?.id;
}

/** The record that represents a call, with the agent who answered it and the number of its records. */
export type OneCall<R> = R & {
  /** The party who answered, if that is not `to`. */
  readonly takenBy?: CallParty;
  readonly records: number;
};

/** Longest time in milliseconds between the records of one call in an ordered log. */
const openMilliseconds = dayMilliseconds;
/**
 * Time in milliseconds beyond a limited list that is searched for further records of the last call, such as the records
 * of agents whose phones rang.
 */
const ringMilliseconds = 600_000;

export interface MergeOptions {
  /** Reads the IDs of the queues; called once, when a session has a second record. */
  readonly queueIds: () => Promise<ReadonlySet<string>>;
  /** Maximum number of calls; by default unlimited. */
  readonly limit?: number | undefined;
  /** Called if there are more calls than `limit`. */
  readonly onCut?: () => void;
}

/** Merges the records of each session into one record, in the order of the log. Stores one day of calls in memory. */
export async function* oneRecordPerCall<R extends CallLogRecord>(
  records: AsyncIterable<R>,
  { queueIds, limit = Number.POSITIVE_INFINITY, onCut }: MergeOptions,
): AsyncGenerator<OneCall<R>, void, undefined> {
  let queues: ReadonlySet<string> | undefined;
  const merged = async (group: readonly R[]): Promise<OneCall<R>> => {
    if (group.length > 1) queues ??= await queueIds();
    return mergedCall(group, queues ?? new Set());
  };
  const open = new Map<string, R[]>();
  let calls = 0;
  let newest: R | undefined;
  for await (const record of records) {
    const key = sessionOf(record);
    const known = open.get(key);
    if (known) {
      known.push(record);
    } else if (calls < limit) {
      open.set(key, [record]);
      newest = record;
      calls += 1;
    } else {
      if (calls === limit) onCut?.();
      calls = limit + 1;
      if (isFarther(newest, record, ringMilliseconds)) break;
    }
    for (const [session, group] of open) {
      if (!isFarther(group[0], record, openMilliseconds)) break;
      open.delete(session);
      yield await merged(group);
    }
  }
  for (const group of open.values()) yield await merged(group);
}

/** Returns the session of a record. A record without a session is a call of its own. */
function sessionOf({ sessionId, id }: Partial<CallLogRecord>): string {
  return sessionId ?? `record ${id ?? ''}`;
}

function isFarther(one: CallLogRecord | undefined, than: CallLogRecord, milliseconds: number): boolean {
  return Math.abs(Date.parse(one?.startTime ?? '') - Date.parse(than.startTime)) > milliseconds;
}

function mergedCall<R extends CallLogRecord>(group: readonly R[], queues: ReadonlySet<string>): OneCall<R> {
  const rank = (record: R): RankedRecord => rankOf(record, queues.has(ownerOf(record)));
  const ordered = group.toSorted((a, b) => (isBetter(rank(a), rank(b)) ? -1 : 1));
  const [main, ...others] = ordered as [R, ...R[]];
  const takenBy = takerOf(main, others);
  return { ...main, records: group.length, ...(takenBy && { takenBy }) };
}

/** Returns the party of the answered record or leg, if its extension is not the called extension. */
function takerOf(main: CallLogRecord, others: readonly CallLogRecord[]): CallParty | undefined {
  if (outcomeOf(main.direction, main.result) !== 'answered') return undefined;
  const taken = [...others, ...(main.legs ?? [])].find(
    ({ direction, result, to, extension }) =>
      direction === 'Inbound' &&
      outcomeOf(direction, result) === 'answered' &&
      to?.extensionNumber !== undefined &&
      to.extensionNumber !== main.to?.extensionNumber &&
      extension !== undefined,
  );
  return taken?.to;
}
