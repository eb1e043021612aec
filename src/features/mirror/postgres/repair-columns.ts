import type { Transaction } from '../../../platform/postgres/postgres.ts';
import { storedRecord } from '../record-check.ts';
import { inTransaction, lockMailbox, type ReplyTarget } from './apply.ts';
import { erasureLock } from './exclusions.ts';
import { values } from './merge.ts';
import { readRows } from './rows.ts';
import { Stage } from './stage.ts';

/** A later reply of the service changes only the availability, and leaves the record. */
const repaired = values.filter((name) => name !== 'availability');
const columnsOf = (table: string): string => repaired.map((name) => `${table}.${name}`).join(', ');

/**
 * Writes the columns that differ from the staged records. A message whose record has changed since it was staged is not
 * written. Parameters: 1 mailbox; 2 IDs and 3 records of messages without content that have a text.
 */
const repairSql = `
with changed as (
  update message set changed_in = pg_current_xact_id(), ${repaired.map((name) => `${name} = record.${name}`).join(', ')},
    availability = case when message.availability = 'Alive' then record.availability else message.availability end
  from stage_message as record
  where message.extension_id = $1 and message.message_id = record.message_id and message.raw = record.raw and record.kind = 'message'
    and ((${columnsOf('message')}) is distinct from (${columnsOf('record')})
      or (message.availability = 'Alive' and record.availability <> 'Alive'))
  returning message.message_id
), emptied as (
  update message set changed_in = pg_current_xact_id(), subject = null
  from unnest($2::text[], $3::text[]) as given (id, raw)
  where message.extension_id = $1 and message.message_id = given.id and message.raw = given.raw and message.subject is not null
  returning message.message_id
)
insert into message_change (extension_id, message_id, change)
select $1, message_id, 'changed' from (select message_id from changed union all select message_id from emptied) as message`;

interface Row {
  readonly id: string;
  readonly raw: string;
  readonly subject: string | null;
}

/**
 * Writes the columns and words of a mailbox again that differ from the records of its messages, because another program
 * changed them. Equal messages are not written. A message with an unreadable record, or the record of another message,
 * remains as `sync verify` reports it. An aborted signal ends the work while it reads, and nothing is then written.
 * @returns the number of changed messages. @throws {StoreError}
 */
export async function repairColumns(
  { db, guard }: ReplyTarget,
  extensionId: string,
  signal: AbortSignal,
): Promise<number> {
  // Also repairs messages that a legal hold retains after an erasure of their number.
  const stage = new Stage(db, extensionId, () => false);
  const emptied: Row[] = [];
  try {
    const sql = 'select message_id as id, raw, subject from message where extension_id = $1';
    for await (const row of readRows<Row>(db, sql, [extensionId])) {
      if (signal.aborted) return 0;
      const record = storedRecord(row);
      if (record?.id !== row.id) continue;
      if (record.kind === 'message') await stage.records([row.raw]);
      else if (row.subject !== null) emptied.push(row);
    }
    if (stage.size + emptied.length === 0) return 0;
    return await stage.finish((session) =>
      inTransaction(session, stage.size, async () => {
        await guard?.(session);
        return repairStaged(session, extensionId, emptied);
      }),
    );
  } finally {
    await stage.close();
  }
}

async function repairStaged(
  session: Transaction,
  extensionId: string,
  emptied: readonly Row[],
): Promise<number> {
  await lockMailbox(session, extensionId);
  await session.query(erasureLock);
  return session.run(repairSql, [extensionId, emptied.map(({ id }) => id), emptied.map(({ raw }) => raw)]);
}
