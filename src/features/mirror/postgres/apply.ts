import type { Postgres, Queries, Transaction } from '../../../platform/postgres/postgres.ts';
import type { ApplySettings, ReplySink, SyncCounts, SyncInfo, SyncProblem } from '../../../store/reply.ts';
import type { Stream } from '../../../store/mailbox.ts';
import { completeFrom } from '../message-table.ts';
import { OvertakenError } from '../overtaken.ts';
import { bindAccount } from './account.ts';
import { excludedMessage, type Exclusions, isCurrent, readExclusions } from './exclusions.ts';
import { handleVanished, mergeStage, noneRemoved, removeMarked, type MergeCounts } from './merge.ts';
import { Stage } from './stage.ts';
import type { VersionedStream } from './streams.ts';

/** A merge of many records may take longer than other statements. */
const mergeMilliseconds = 1_800_000;

/** For replies with at most this number of records, the merge looks up each record in the index. */
const fewRecords = 200;

/** Called first in each transaction that stores data; it throws if this process must not store any. */
export type CommitGuard = (transaction: Queries) => Promise<void>;

/** The store to which replies are written. */
export interface ReplyTarget {
  readonly db: Postgres;
  readonly guard?: CommitGuard | undefined;
}

/** One reply on its way into the store. */
interface Reply {
  readonly guard?: CommitGuard | undefined;
  readonly stream: VersionedStream;
  readonly settings: ApplySettings;
  readonly stage: Stage;
  readonly exclusions: Exclusions;
}

/**
 * Stores one reply: the records are staged while they arrive, and then merged with the sync token in one short
 * transaction.
 * @throws {OvertakenError} if another machine stored a reply of this mailbox in the meantime. @throws
 * {OtherAccountError} if the archive contains the data of another account. @throws {StoreError}
 */
export async function applyReply<T extends SyncInfo>(
  { db, guard }: ReplyTarget,
  given: { readonly stream: Stream; readonly settings: ApplySettings },
  read: (sink: ReplySink) => Promise<T>,
): Promise<{ readonly counts: SyncCounts; readonly info: T }> {
  const stream = given.stream as VersionedStream;
  const exclusions = await readExclusions(db);
  const stage = new Stage(db, stream.extensionId, excludedMessage(exclusions, stream.extensionId));
  try {
    const info = await read(stage);
    const reply: Reply = { guard, stream, settings: given.settings, stage, exclusions };
    const counts = isEmpty(reply)
      ? await db.transaction((transaction) => advance(transaction, reply, info))
      : await stage.finish((session) =>
          inTransaction(session, stage.size, () => store(session, reply, info)),
        );
    return { counts, info };
  } finally {
    await stage.close();
  }
}

/** Whether an incremental reply has no records, so that only the token changes. */
function isEmpty({ stage, settings }: Reply): boolean {
  return stage.size === 0 && stage.problems.length === 0 && !settings.full && settings.onDelete !== 'purge';
}

/** Runs `work`, which uses the staged records, in a transaction that empties the stage. @throws {StoreError} */
export async function inTransaction<T>(
  session: Transaction,
  records: number,
  work: () => Promise<T>,
): Promise<T> {
  // The planner underestimates a mailbox that was never analyzed, and would compare each record with each
  // message.
  const plan = records > fewRecords ? '; set local enable_nestloop = off' : '';
  await session.script(`begin${plan}`);
  try {
    await session.limit(mergeMilliseconds);
    const result = await work();
    // The stage is emptied with the commit, so that its rows are never merged twice.
    await session.script('truncate stage_message; commit');
    return result;
  } catch (error) {
    await session.script('rollback').catch(() => undefined);
    throw error;
  }
}

async function advance(transaction: Transaction, reply: Reply, info: SyncInfo): Promise<SyncCounts> {
  await reply.guard?.(transaction);
  await bindAccount(transaction, info.accountId);
  await saveToken(transaction, reply, info);
  return countsOf(reply.stage, undefined, 0);
}

async function store(transaction: Transaction, reply: Reply, info: SyncInfo): Promise<SyncCounts> {
  const { stream, settings, stage } = reply;
  const { extensionId } = stream;
  await reply.guard?.(transaction);
  await bindAccount(transaction, info.accountId);
  await lockForReply(transaction, reply);
  await saveToken(transaction, reply, info);
  const merged = await mergeStage(transaction, extensionId, settings);
  let vanished = 0;
  if (settings.full) {
    const { isCut = false } = info;
    const oldest = isCut ? completeFrom(merged.oldest) : Date.parse(stream.dateFrom) * 1000;
    const { messageType: type = null, direction = null } = stream;
    const unreadable = stage.problems.flatMap(({ messageId }) => messageId ?? []);
    vanished = await handleVanished(
      transaction,
      { extensionId, oldest, type, direction, unreadable, isPersonal: settings.isPersonal ?? false },
      settings,
    );
    await dropOldProblems(transaction, reply, isCut);
  }
  const isPurge = settings.onDelete === 'purge';
  const removed = isPurge ? await removeMarked(transaction, extensionId) : noneRemoved;
  await saveProblems(transaction, reply);
  const { deleted, purged, ...rest } = countsOf(stage, merged, vanished + removed.vanished);
  const counts = { ...rest, deleted: deleted + removed.deleted, purged: purged + removed.purged };
  if (counts.received > 0 || settings.full || removed !== noneRemoved) {
    await transaction.run(
      'insert into run (stream_id, sync_type, repair, ended_at, counts) values ($1, $2, $3, $4, $5)',
      [
        stream.streamId,
        settings.full ? 'FSync' : 'ISync',
        settings.full && stream.syncToken !== undefined,
        settings.now,
        JSON.stringify(counts),
      ],
    );
  }
  return counts;
}

/** Ensures that only one machine at a time writes to a mailbox, until the end of the transaction. @throws {StoreError} */
export async function lockMailbox(transaction: Transaction, extensionId: string): Promise<void> {
  await transaction.run('insert into mailbox (extension_id) values ($1) on conflict do nothing', [
    extensionId,
  ]);
  await transaction.query('select 1 from mailbox where extension_id = $1 for update', [extensionId]);
}

/** Locks the mailbox of a reply, and ensures that no data was erased since the records were checked. */
async function lockForReply(
  transaction: Transaction,
  { stream: { extensionId }, exclusions }: Reply,
): Promise<void> {
  await lockMailbox(transaction, extensionId);
  if (!(await isCurrent(transaction, exclusions)))
    throw new OvertakenError(`the reply for mailbox ${extensionId}`, 'data was erased');
}

async function saveToken(
  transaction: Transaction,
  { stream, settings }: Reply,
  info: SyncInfo,
): Promise<void> {
  const changed = await transaction.run(
    `update stream set sync_token = $3, sync_time = $4, full_sync_time = case when $5 then $4 else full_sync_time end,
       older_records = case when $5 then coalesce($6, older_records) else older_records and coalesce($6, older_records) end, version = version + 1 where stream_id = $1 and version = $2`,
    [
      stream.streamId,
      stream.version,
      info.syncToken,
      info.syncTime ?? settings.now,
      settings.full,
      info.olderRecordsExist ?? null,
    ],
  );
  if (changed !== 1)
    throw new OvertakenError(
      `the reply for mailbox ${stream.extensionId}`,
      'another run stored a newer reply',
    );
}

/**
 * Deletes the records that a full sync returns again, or can no longer return. A cut reply does not contain the oldest
 * records.
 */
async function dropOldProblems(
  transaction: Transaction,
  { stream, stage }: Reply,
  isCut: boolean,
): Promise<void> {
  await transaction.run(
    'delete from sync_error where stream_id = $1 and (not $2 or message_id is null or message_id = any($3::text[]))',
    [stream.streamId, isCut, stage.problems.map(({ messageId }) => messageId)],
  );
}

async function saveProblems(transaction: Transaction, { stream, settings, stage }: Reply): Promise<void> {
  if (stage.problems.length === 0) return;
  await transaction.run(
    `insert into sync_error (stream_id, extension_id, message_id, problem, seen_at)
     select $1, $2, id, problem, $5 from unnest($3::text[], $4::text[]) as given (id, problem)`,
    [
      stream.streamId,
      stream.extensionId,
      stage.problems.map(({ messageId }) => messageId),
      stage.problems.map(({ problem }) => problem),
      settings.now,
    ],
  );
}

function countsOf(stage: Stage, merged: MergeCounts | undefined, vanished: number): SyncCounts {
  const { added = 0, changed = 0, unchanged = 0, deleted = 0, purged = 0 } = merged ?? {};
  const { received, problems } = stage;
  return { received, added, changed, unchanged, deleted, purged, vanished, errors: problems.length };
}

/**
 * Retries a record that an earlier sync could not store, and deletes its row of `sync_error`. Without `text`, only
 * deletes the row. @throws {StoreError}
 */
export async function settleProblem(
  db: Postgres,
  given: { readonly problem: SyncProblem; readonly stream: Stream; readonly text: string | undefined },
  settings: ApplySettings,
): Promise<'copied' | 'not found' | 'failed'> {
  const { problem, stream, text } = given;
  const forget = 'delete from sync_error where error_id = $1';
  if (text === undefined) {
    await db.run(forget, [problem.problemId]);
    return 'not found';
  }
  const exclusions = await readExclusions(db);
  const stage = new Stage(db, stream.extensionId, excludedMessage(exclusions, stream.extensionId));
  const reply: Reply = { stream: stream as VersionedStream, settings, stage, exclusions };
  try {
    await stage.records([text]);
    return await stage.finish((session) =>
      inTransaction(session, 1, async () => {
        await lockForReply(session, reply);
        await session.run(forget, [problem.problemId]);
        await mergeStage(session, stream.extensionId, settings);
        await saveProblems(session, reply);
        return stage.problems.length > 0 ? 'failed' : 'copied';
      }),
    );
  } finally {
    await stage.close();
  }
}
