import { randomBytes } from 'node:crypto';
import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type { Traces } from '../../../store/message-store.ts';
import { numberHash } from '../erased.ts';
import type { MessageColumns } from '../record.ts';
import { involved, removeNumber } from './merge.ts';

/** The salted hashes of erased numbers. */
export interface ErasedNumbers {
  readonly salts: readonly string[];
  readonly hashes: ReadonlySet<string>;
}

/** @throws {StoreError} */
export async function erasedNumbers(db: Queries): Promise<ErasedNumbers> {
  const rows = await db.query<{ salt: string; hash: string }>('select salt, number_hash as hash from erased');
  return {
    salts: [...new Set(rows.map(({ salt }) => salt))],
    hashes: new Set(rows.map(({ hash }) => hash)),
  };
}

/** Returns a check whether one of several numbers was erased. */
export function isErasedOf({ salts, hashes }: ErasedNumbers): (numbers: readonly string[]) => boolean {
  if (hashes.size === 0) return () => false;
  return (numbers) => numbers.some((number) => salts.some((salt) => hashes.has(numberHash(salt, number))));
}

/** The same check for a message. */
export function erasedCheckOf(erased: ErasedNumbers): (record: MessageColumns) => boolean {
  const isErased = isErasedOf(erased);
  return ({ fromNumber, toNumbers }) => isErased([fromNumber ?? '', ...toNumbers.split(' ')]);
}

/** Looks for a number among senders and recipients. @throws {StoreError} */
export async function tracesOf(db: Queries, number: string): Promise<Traces> {
  const [row] = await db.query<Omit<Traces, 'exports'>>(
    `with found as (select pk, creation_time from message where ${involved})
     select (select count(*) from found) as messages, (select min(creation_time) from found) as first,
       (select max(creation_time) from found) as last,
       (select count(*) from message_version where message_pk in (select pk from found)) as versions,
       (select count(*) from media where message_pk in (select pk from found)) as attachments`,
    [number],
  );
  const targets = await db.query<{ target: string }>('select target from export_state order by target');
  const { messages = 0, versions = 0, attachments = 0, first = null, last = null } = row ?? {};
  return { messages, versions, attachments, first, last, exports: targets.map(({ target }) => target) };
}

/**
 * Removes every message from or to a number, and stores a salted hash of it. The server overwrites the deleted rows
 * when it vacuums the tables; its write-ahead log and backups have them until they expire.
 * @throws {StoreError}
 */
export async function eraseNumber(db: Postgres, number: string, now: number): Promise<void> {
  const salt = randomBytes(16).toString('hex');
  await db.transaction(async (transaction) => {
    // Waits for replies that are being stored, which were checked against the earlier list of numbers.
    await transaction.query("select pg_advisory_xact_lock(hashtext('ucctl erase'))");
    await removeNumber(transaction, number);
    await transaction.run('insert into erased (salt, number_hash, erased_at) values ($1, $2, $3)', [
      salt,
      numberHash(salt, number),
      new Date(now).toISOString(),
    ]);
  });
}
