import { randomBytes } from 'node:crypto';
import { counted } from '../../../platform/counted.ts';
import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type { Traces } from '../../../store/message-store.ts';
import { numberHash } from '../erased.ts';
import { LegalHoldError } from '../legal-hold-error.ts';
import { erasingLock } from './exclusions.ts';
import { forgetSearches } from './export.ts';
import { addAuditLine } from './audit.ts';
import { involved, removeNumber } from './merge.ts';

/** Searches senders and recipients for a number. @throws {StoreError} */
export async function tracesOf(db: Queries, number: string): Promise<Traces> {
  const [row] = await db.query<Omit<Traces, 'exports' | 'hold'>>(
    `with found as (select pk, creation_time from message where ${involved})
     select (select count(*) from found) as messages, (select min(creation_time) from found) as first,
       (select max(creation_time) from found) as last,
       (select count(*) from message_version where message_pk in (select pk from found)) as versions,
       (select count(*) from media where message_pk in (select pk from found)) as attachments`,
    [number],
  );
  const targets = await db.query<{ target: string }>('select target from export_state order by target');
  const { messages = 0, versions = 0, attachments = 0, first = null, last = null } = row ?? {};
  return {
    messages,
    versions,
    attachments,
    first,
    last,
    exports: targets.map(({ target }) => target),
    hold: await dataOnHold(db, number),
  };
}

/**
 * Removes every message from or to a number and every call with it, stores a salted hash of it, and adds a line to the
 * audit log. The server overwrites the deleted rows when it vacuums the tables; its write-ahead log and backups have
 * them until they expire.
 * @throws {LegalHoldError} a legal hold keeps data of the number. @throws {StoreError}
 */
export async function eraseNumber(db: Postgres, number: string, now: number): Promise<void> {
  const salt = randomBytes(16).toString('hex');
  const at = new Date(now).toISOString();
  await db.transaction(async (transaction) => {
    // Waits for replies that are being stored, which were checked against the earlier list of numbers.
    await transaction.query(erasingLock);
    const hold = await dataOnHold(transaction, number);
    if (hold !== null) throw new LegalHoldError(hold);
    const count =
      (await removeNumber(transaction, number)) +
      (await transaction.run(`delete from call_record where position(' ' || $1 || ' ' in numbers) > 0`, [
        number,
      ]));
    await forgetSearches(transaction, number);
    await transaction.run('insert into erased (salt, number_hash, erased_at) values ($1, $2, $3)', [
      salt,
      numberHash(salt, number),
      at,
    ]);
    // The number itself must not remain in the archive.
    await addAuditLine(transaction, { action: 'erase', subject: 'one phone number', count, at });
  });
}

/** Returns the data of a number that legal holds retain, as text; null if no hold applies. @throws {StoreError} */
async function dataOnHold(db: Queries, number: string): Promise<string | null> {
  // Nothing of the number may be copied yet, but later syncs would not copy it either.
  const [hold] = await db.query("select 1 from legal_hold where kind = 'number' and value = $1", [number]);
  if (hold) return 'all data';
  const [row] = await db.query<{ messages: number; calls: number }>(
    `select (select count(*) from message where ${involved} and is_held(extension_id, from_number, to_numbers)) as messages,
      (select count(*) from call_record where position(' ' || $1 || ' ' in numbers) > 0
        and is_held(extension_id, from_number, numbers)) as calls`,
    [number],
  );
  const { messages = 0, calls = 0 } = row ?? {};
  return messages + calls > 0 ? `${counted(messages, 'message')} and ${counted(calls, 'call record')}` : null;
}
