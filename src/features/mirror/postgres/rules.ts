import { counted } from '../../../platform/counted.ts';
import type { Postgres, Transaction } from '../../../platform/postgres/postgres.ts';
import { removeSql } from './merge.ts';
import { callType, erasingLock } from './exclusions.ts';

/** The types of data that a retention rule can name. */
export const ruledTypes = ['SMS', 'Pager', 'Fax', 'VoiceMail', callType] as const;
export type RuledType = (typeof ruledTypes)[number];

/** A retention rule, which defines the maximum age of data of one type. */
export interface RetentionRule {
  readonly type: RuledType;
  readonly keepDays: number;
  readonly setAt: Date;
  readonly setBy: string;
}

/** A legal hold, which prevents all commands from deleting data of a mailbox or number. */
export interface LegalHold {
  readonly kind: 'mailbox' | 'number';
  /** The extension ID, or the number in E.164 format. */
  readonly value: string;
  readonly reason: string;
  readonly setAt: Date;
  readonly setBy: string;
}

/** Data of one type that is past the retention period of its rule. */
export interface ExpiredData {
  readonly type: RuledType;
  readonly keepDays: number;
  /** Data from before this time is deleted; ISO 8601, by the clock of the database. */
  readonly before: string;
  readonly items: number;
  readonly versions: number;
  readonly attachments: number;
  /** Number of expired items that a legal hold retains. */
  readonly onHold: number;
  /** Time of the oldest item; null without items. */
  readonly oldest: string | null;
}

/** Deleting millions of rows takes longer than other statements. */
const deleteMilliseconds = 6 * 3_600_000;

/** Returns the rules, ordered by type. @throws {StoreError} */
export function retentionRules(db: Postgres): Promise<readonly RetentionRule[]> {
  return db.query<RetentionRule>(
    'select type, keep_days as "keepDays", set_at as "setAt", set_by as "setBy" from retention_rule order by type',
  );
}

/**
 * Sets rules, and removes those without a number of days, with a line in the audit log for each change.
 * @param now the time of this machine, ISO 8601. @throws {StoreError}
 */
export async function setRules(
  db: Postgres,
  rules: ReadonlyMap<RuledType, number | undefined>,
  now: string,
): Promise<void> {
  await db.transaction(async (transaction) => {
    for (const [type, days] of rules) {
      const changed =
        days === undefined
          ? await transaction.run('delete from retention_rule where type = $1', [type])
          : await transaction.run(
              `insert into retention_rule as known (type, keep_days) values ($1, $2) on conflict (type) do update
               set keep_days = excluded.keep_days, set_at = store_now(), set_by = session_user where known.keep_days <> excluded.keep_days`,
              [type, days],
            );
      if (changed === 0) continue;
      const subject =
        days === undefined ? `${type}: no limit` : `${type}: retain for ${counted(days, 'day')}`;
      await auditLine(transaction, now, { action: 'rule', subject, count: 0 });
    }
  });
}

/** Returns the holds, oldest first. @throws {StoreError} */
export function legalHolds(db: Postgres): Promise<readonly LegalHold[]> {
  return db.query<LegalHold>(
    'select kind, value, reason, set_at as "setAt", set_by as "setBy" from legal_hold order by set_at, kind, value',
  );
}

type HoldKey = Pick<LegalHold, 'kind' | 'value'>;

/**
 * Adds or removes holds, with a line in the audit log for each change. The log contains no numbers, because it remains
 * when a number is erased later.
 * @param reason undefined removes the holds. @returns the holds that changed. @throws {StoreError}
 */
export async function changeHolds(
  db: Postgres,
  keys: readonly HoldKey[],
  { reason, now }: { readonly reason: string | undefined; readonly now: string },
): Promise<readonly HoldKey[]> {
  return db.transaction(async (transaction) => {
    // Waits for a running deletion, which used the earlier holds.
    await transaction.query(erasingLock);
    const changed: HoldKey[] = [];
    for (const key of keys) {
      const { kind, value } = key;
      const count =
        reason === undefined
          ? await transaction.run('delete from legal_hold where kind = $1 and value = $2', [kind, value])
          : await transaction.run(
              'insert into legal_hold (kind, value, reason) values ($1, $2, $3) on conflict do nothing',
              [kind, value, reason],
            );
      if (count === 0) continue;
      changed.push(key);
      const subject = kind === 'mailbox' ? `mailbox ${value}` : 'one phone number';
      const action = reason === undefined ? 'release' : 'hold';
      await auditLine(transaction, now, {
        action,
        subject: reason === undefined ? subject : `${subject}: ${reason}`,
        count: 1,
      });
    }
    return changed;
  });
}

/**
 * Returns the extension ID of a mailbox of the archive, by its ID or number; undefined if there is no such mailbox.
 * @throws {StoreError}
 */
export async function mailboxId(db: Postgres, name: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(
    'select extension_id as id from mailbox where extension_id = $1 or extension_number = $1 order by extension_id = $1 limit 1',
    [name],
  );
  return row?.id;
}

/** Returns the data that the rules would delete now, without deleting anything. @throws {StoreError} */
export async function expiredData(db: Postgres): Promise<readonly ExpiredData[]> {
  const found: ExpiredData[] = [];
  for (const { type, keepDays } of await retentionRules(db)) {
    const before = await timeBefore(db, keepDays);
    found.push(await countExpired(db, { type, keepDays, before }));
  }
  return found;
}

type Limit = Pick<ExpiredData, 'type' | 'keepDays' | 'before'>;

/**
 * Deletes data of one type from before a time, except data under legal holds, and adds a row to the audit log, in one
 * transaction. Later syncs do not copy the data again. Afterwards, `tidyMedia` must remove the files of attachments.
 * @returns undefined, without a deletion, if the rule now retains the data for longer. @throws {StoreError}
 */
export async function deleteExpired(
  db: Postgres,
  limit: Limit,
  now: string,
): Promise<ExpiredData | undefined> {
  const { type, before, keepDays } = limit;
  return db.transaction(async (transaction) => {
    await transaction.limit(deleteMilliseconds);
    // Waits for replies that are being stored, which were checked against the earlier limit.
    await transaction.query(erasingLock);
    // The user may have confirmed long after the rules were read.
    const [rule] = await transaction.query<{ days: number }>(
      'select keep_days as days from retention_rule where type = $1 for share',
      [type],
    );
    if (!rule || rule.days > keepDays) return undefined;
    await transaction.run(
      `insert into expired_before as known (type, before) values ($1, $2) on conflict (type)
       do update set before = greatest(known.before, excluded.before)`,
      [type, before],
    );
    const data = await countExpired(transaction, limit);
    if (type === callType)
      await transaction.run(`delete from call_record where ${oldCalls} and not ${callOnHold}`, [before]);
    else {
      await transaction.run(
        `delete from sync_error using message where message.extension_id = sync_error.extension_id
          and message.message_id = sync_error.message_id and ${oldMessages} and not ${messageOnHold}`,
        [type, keyOf(before)],
      );
      const condition = `${oldMessages} and not ${messageOnHold}`;
      await transaction.run(removeSql(condition, 'expired'), [type, keyOf(before)]);
    }
    const subject = `${type} from before ${before} (rule: retain for ${counted(keepDays, 'day')})`;
    await auditLine(transaction, now, { action: 'retention', subject, count: data.items });
    return data;
  });
}

const oldMessages = 'message.type = $1 and message.created_key < $2';
const messageOnHold = 'is_held(message.extension_id, message.from_number, message.to_numbers)';
const oldCalls = 'start_time < $1';
const callOnHold = 'is_held(extension_id, from_number, numbers)';

/** Returns the key of a creation time, in the form of `message.created_key`. */
function keyOf(time: string): number {
  return Date.parse(time) * 1000;
}

/** Returns the time this number of days ago, by the clock of the database. */
async function timeBefore(db: Postgres, days: number): Promise<string> {
  const [row] = await db.query<{ at: Date }>('select store_now() - make_interval(days => $1) as at', [days]);
  return (row?.at ?? new Date(0)).toISOString();
}

async function countExpired(
  db: Postgres | Transaction,
  { type, keepDays, before }: Limit,
): Promise<ExpiredData> {
  const sql =
    type === callType
      ? `with old as (select start_time as time, ${callOnHold} as is_held from call_record where ${oldCalls})
         select count(*) filter (where not is_held) as items, count(*) filter (where is_held) as "onHold",
           min(time) filter (where not is_held) as oldest, 0 as versions, 0 as attachments from old`
      : `with old as (select pk, creation_time as time, ${messageOnHold} as is_held from message where ${oldMessages}),
         due as (select pk from old where not is_held)
         select count(*) filter (where not is_held) as items, count(*) filter (where is_held) as "onHold",
           min(time) filter (where not is_held) as oldest,
           (select count(*) from message_version where message_pk in (select pk from due)) as versions,
           (select count(*) from media where message_pk in (select pk from due)) as attachments from old`;
  const values = type === callType ? [before] : [type, keyOf(before)];
  const [row] = await db.query<Omit<ExpiredData, 'type' | 'keepDays' | 'before'>>(sql, values);
  const { items = 0, onHold = 0, oldest = null, versions = 0, attachments = 0 } = row ?? {};
  return { type, keepDays, before, items, versions, attachments, onHold, oldest };
}

async function auditLine(
  transaction: Transaction,
  now: string,
  { action, subject, count }: { readonly action: string; readonly subject: string; readonly count: number },
): Promise<void> {
  await transaction.run('insert into audit (machine_time, action, subject, count) values ($1, $2, $3, $4)', [
    now,
    action,
    subject,
    count,
  ]);
}
