import type { Queries } from '../../../platform/postgres/postgres.ts';
import { storeLock } from '../../../platform/postgres/store-lock.ts';
import type { ExcludableRecord } from '../../../store/message-store.ts';
import { numberHash } from '../erased.ts';

/** The type of call records in retention rules. */
export const callType = 'Call';

/** The data that the archive must not store: erased numbers, and records that a retention rule has deleted. */
export interface Exclusions {
  readonly salts: readonly string[];
  readonly hashes: ReadonlySet<string>;
  /** For each type, the time before which records were deleted, in ISO 8601. */
  readonly expiredBefore: ReadonlyMap<string, string>;
  readonly mailboxesOnHold: ReadonlySet<string>;
  readonly numbersOnHold: ReadonlySet<string>;
  /** A text that differs after every change of the other members. */
  readonly state: string;
}

/** SQL expression of a text that differs after every change of the exclusions. */
export const stateOfExclusions = `(select count(*) from erased)::text
    || ' ' || coalesce((select string_agg(type || before, ' ' order by type) from expired_before), '')
    || ' ' || coalesce((select string_agg(kind || value, ' ' order by kind, value) from legal_hold), '')`;

/** @throws {StoreError} */
export async function readExclusions(db: Queries): Promise<Exclusions> {
  const [state, erased, expired, holds] = [
    await exclusionState(db),
    await db.query<{ salt: string; hash: string }>('select salt, number_hash as hash from erased'),
    await db.query<{ type: string; before: string }>('select type, before from expired_before'),
    await db.query<{ kind: string; value: string }>('select kind, value from legal_hold'),
  ];
  const onHold = (kind: string): ReadonlySet<string> =>
    new Set(holds.flatMap((hold) => (hold.kind === kind ? [hold.value] : [])));
  return {
    salts: [...new Set(erased.map(({ salt }) => salt))],
    hashes: new Set(erased.map(({ hash }) => hash)),
    expiredBefore: new Map(expired.map(({ type, before }) => [type, before])),
    mailboxesOnHold: onHold('mailbox'),
    numbersOnHold: onHold('number'),
    state,
  };
}

/** @throws {StoreError} */
async function exclusionState(db: Queries): Promise<string> {
  const [row] = await db.query<{ state: string }>(`select ${stateOfExclusions} as state`);
  return row?.state ?? '';
}

/** Waits for running erasures, and prevents further erasures until the end of the transaction. */
export const erasureLock = storeLock("'erase'", 'shared');

/** Waits for data that is being stored and for other erasures, until the end of the transaction. */
export const erasingLock = storeLock("'erase'");

/**
 * Waits for running erasures, and prevents further erasures until the end of the transaction. @returns whether the
 * exclusions have not changed since the records were checked. @throws {StoreError}
 */
export async function isCurrent(transaction: Queries, { state }: Exclusions): Promise<boolean> {
  await transaction.query(erasureLock);
  return (await exclusionState(transaction)) === state;
}

/** Returns a function that checks whether one of several numbers was erased. */
export function isErasedOf({
  salts,
  hashes,
}: Pick<Exclusions, 'salts' | 'hashes'>): (numbers: readonly string[]) => boolean {
  if (hashes.size === 0) return () => false;
  return (numbers) => numbers.some((number) => salts.some((salt) => hashes.has(numberHash(salt, number))));
}

/** The part of a message or call record that rules need. */
interface RuledRecord {
  readonly type: string;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly extensionId: string | undefined;
  readonly numbers: readonly string[];
}

/** Whether a retention rule has deleted records of this age. */
function isExpired({ expiredBefore }: Exclusions, { type, time }: RuledRecord): boolean {
  const before = expiredBefore.get(type);
  return before !== undefined && time < before;
}

/** Whether a legal hold retains a record. */
function isOnHold(
  { mailboxesOnHold, numbersOnHold }: Exclusions,
  { extensionId, numbers }: RuledRecord,
): boolean {
  if (extensionId !== undefined && mailboxesOnHold.has(extensionId)) return true;
  return numbersOnHold.size > 0 && numbers.some((number) => numbersOnHold.has(number));
}

/**
 * Returns a function that checks whether the archive must not store a record. A legal hold takes precedence over erased
 * numbers and retention rules.
 */
export function exclusionCheck(
  exclusions: Exclusions,
  isErased = isErasedOf(exclusions),
): (record: RuledRecord) => boolean {
  return (record) =>
    !isOnHold(exclusions, record) && (isErased(record.numbers) || isExpired(exclusions, record));
}

/** Returns a function that checks whether a message of a mailbox must not be stored. */
export function excludedMessage(
  exclusions: Exclusions,
  extensionId: string,
): (record: ExcludableRecord) => boolean {
  const isExcluded = exclusionCheck(exclusions);
  return ({ type, creationTime, fromNumber, toNumbers }) =>
    isExcluded({
      type,
      time: creationTime,
      extensionId,
      numbers: [fromNumber ?? '', ...toNumbers.split(' ')],
    });
}
