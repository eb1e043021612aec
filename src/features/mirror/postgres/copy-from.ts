import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, Exit } from '../../../errors/command.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';
import { counted } from '../../../platform/counted.ts';
import type { Postgres, Queries, Transaction } from '../../../platform/postgres/postgres.ts';
import { storeLock } from '../../../platform/postgres/store-lock.ts';
import { iterateRows, rollBack, type Database } from '../../../platform/sqlite.ts';
import { openReadOnly } from '../../../platform/sqlite/read-only.ts';
import type { MediaStore } from '../../../store/media-store.ts';
import { requireMirror } from '../mirror.ts';
import { OvertakenError } from '../overtaken.ts';
import { OtherAccountError } from '../other-account.ts';
import { bindAccount, boundAccount } from './account.ts';
import { copyIn } from './copy-in.ts';
import { type Part, partsOf, type PartRows, type Row } from './copy-parts.ts';
import { erasingLock, type Exclusions, isCurrent, readExclusions } from './exclusions.ts';
import { contentLock, mediaHashes } from './media-table.ts';
import { holdSession } from './stage.ts';

/** A mailbox may have millions of messages. */
const partMilliseconds = 6 * 3_600_000;

/** Number of rows that are sent to the server per statement. */
const batch = 2000;

/** The result of copying one mailbox, or the calls of one scope. */
export interface CopyLine {
  readonly part: string;
  readonly rows: number;
  readonly checksum: string;
  readonly result: 'copied' | 'already copied';
}

/** The copy of a file into the store. */
export interface StoreCopy {
  readonly db: Postgres;
  readonly media: MediaStore;
  /** Path of the SQLite file. */
  readonly file: string;
  /** The places where the file may have its attachments. */
  readonly contents: readonly MediaStore[];
}

/**
 * Copies a mailbox copy in an SQLite file into the store: each mailbox in a separate transaction, with its messages,
 * older versions, attachments and sync tokens, and then the calls. The rows in the store are read back before the
 * commit, and their checksum must equal the checksum of the file. Data of erased numbers, and data that a retention
 * rule has deleted, is not copied. After an interruption, the next run continues with the next mailbox.
 * @throws {CommandError} `store_copy_conflict` (exit 11) if the store has other messages of a mailbox, and
 * `store_copy_differs` (exit 11) if a checksum differs. @throws {OtherAccountError} if the store has the data of
 * another account. @throws {OvertakenError} if data was erased meanwhile. @throws {StoreError}
 */
export async function* copyIntoStore(copy: StoreCopy): AsyncGenerator<CopyLine, void, undefined> {
  const source = openReadOnly(copy.file);
  try {
    requireMirror(source, copy.file);
    // All reads see the same state, even while a sync writes to the file.
    source.exec('BEGIN');
    const parts = partsOf(source);
    await requireOwnAccount(source, copy, parts);
    await copyErased(source, copy, parts);
    for (const part of parts) {
      yield await copyPart(source, copy, part);
      if (part.table === 'message') await copyContents(copy, part.key);
    }
  } finally {
    // On Node 20, a closed connection keeps its transaction until its statements are garbage collected.
    rollBack(source);
    source.close();
  }
}

async function copyPart(source: Database, { db, file }: StoreCopy, part: Part): Promise<CopyLine> {
  const exclusions = await readExclusions(db);
  // The checksum of the whole part shows later whether the part was copied, even if data was erased in the meantime.
  const { whole, retained, rows } = checksumsOf(source, part, exclusions);
  const line = { part: part.name, rows, checksum: whole };
  const { session, release } = await holdSession(db);
  try {
    await session.script('begin');
    await session.limit(partMilliseconds);
    // One process at a time copies a part.
    await session.query(storeLock('$1'), [`copy ${part.name}`]);
    if ((await storedChecksum(session, file, part)) === whole) {
      await session.script('rollback');
      return { ...line, result: 'already copied' };
    }
    if (!(await isCurrent(session, exclusions))) throw new OvertakenError(part.name, 'data was erased');
    await bindAccount(session, accountOf(source, part));
    await requireEmpty(session, part);
    await fill(source, session, { part, exclusions, place: db.settings.place });
    await requireEqual(session, part, retained);
    await session.run(
      // An earlier run recorded the part if it had no rows at that time.
      `insert into store_copy (source, mailbox, checksum, messages) values ($1, $2, $3, $4)
       on conflict (source, mailbox) do update set checksum = excluded.checksum, messages = excluded.messages,
         copied_at = store_now()`,
      [file, part.name, whole, rows],
    );
    await session.script('commit');
    return { ...line, result: 'copied' };
  } catch (error) {
    await session.script('rollback').catch(() => undefined);
    throw error;
  } finally {
    await release();
  }
}

/**
 * Rejects the file of another account before anything is stored. The transaction of each part checks the account again.
 */
async function requireOwnAccount(source: Database, { db }: StoreCopy, parts: readonly Part[]): Promise<void> {
  const known = await boundAccount(db);
  if (known === undefined) return;
  for (const part of parts) {
    const account = accountOf(source, part);
    if (account !== undefined && account !== known) throw new OtherAccountError(known, account);
  }
}

/** Returns the checksum of a part at the time when it was copied; undefined if it was never copied. */
async function storedChecksum(db: Queries, file: string, { name }: Part): Promise<string | undefined> {
  const [done] = await db.query<{ checksum: string }>(
    'select checksum from store_copy where source = $1 and mailbox = $2',
    [file, name],
  );
  return done?.checksum;
}

async function requireEmpty(db: Queries, { name, table, where, key }: Part): Promise<void> {
  const [row] = await db.query<{ n: number }>(`select count(*) as n from ${table} where ${where} = $1`, [
    key,
  ]);
  if (!row || row.n === 0) return;
  throw new CommandError(
    'store_copy_conflict',
    Exit.conflict,
    `${name} was not copied: the store already contains different data (${counted(row.n, 'row')})`,
    { hint: 'copy into a store without this data, such as an empty schema: add ?schema=NAME to the address' },
  );
}

/** The rows of the file that the store may contain. */
function* rowsOf(source: Database, part: Part, exclusions: Exclusions): Generator<Row, void, undefined> {
  const isExcluded = part.excluded(exclusions);
  for (const row of iterateRows<Row>(source, part.rows.sql, [part.key])) if (!isExcluded(row)) yield row;
}

function accountOf(source: Database, { accountSql, key }: Part): string | undefined {
  const row = source.prepare(accountSql).get(key) as { readonly address: string | null } | undefined;
  return /\/account\/(\d+)/.exec(row?.address ?? '')?.[1];
}

async function fill(
  source: Database,
  session: Transaction,
  {
    part,
    exclusions,
    place,
  }: { readonly part: Part; readonly exclusions: Exclusions; readonly place: string },
): Promise<void> {
  const { table, columns, valuesOf } = part;
  let waiting: ReturnType<typeof valuesOf>[] = [];
  const flush = async (): Promise<void> => {
    await copyIn(session, { table, columns, place }, waiting);
    waiting = [];
  };
  for (const row of rowsOf(source, part, exclusions)) {
    waiting.push(valuesOf(row));
    if (waiting.length >= batch) await flush();
  }
  if (waiting.length > 0) await flush();
  for (const { sql, insert } of part.further) {
    let batchRows: object[] = [];
    const send = async (): Promise<void> => {
      await session.run(insert, [JSON.stringify(batchRows), part.key]);
      batchRows = [];
    };
    for (const row of iterateRows<object>(source, sql, [part.key])) {
      batchRows.push(row);
      if (batchRows.length >= batch) await send();
    }
    if (batchRows.length > 0) await send();
  }
  if (part.last !== undefined) await session.run(part.last, [part.key]);
}

async function requireEqual(session: Transaction, part: Part, checksum: string): Promise<void> {
  const { name, rows, key } = part;
  await session.query(`declare copied no scroll cursor for ${rows.storeSql}`, [key]);
  const hash = createHash('sha256');
  for (;;) {
    const some = await session.query<Readonly<Record<string, unknown>>>(`fetch ${batch} from copied`);
    for (const row of some) hash.update(lineOf(row, rows));
    if (some.length < batch) break;
  }
  await session.script('close copied');
  if (hash.digest('hex') === checksum) return;
  throw new CommandError(
    'store_copy_differs',
    Exit.conflict,
    `${name} was not copied: the rows in the store differ from those in the file`,
    { hint: nextStep`report this as a bug; to check the file: ${ucctl('sync verify')}` },
  );
}

/** The checksum of all rows of a part in the file, and that of the rows that the store may contain, with their number. */
function checksumsOf(
  source: Database,
  part: Part,
  exclusions: Exclusions,
): { readonly whole: string; readonly retained: string; readonly rows: number } {
  const isExcluded = part.excluded(exclusions);
  const [whole, retained] = [createHash('sha256'), createHash('sha256')];
  let rows = 0;
  for (const row of iterateRows<Row>(source, part.rows.sql, [part.key])) {
    const line = lineOf(row, part.rows);
    whole.update(line);
    if (isExcluded(row)) continue;
    retained.update(line);
    rows += 1;
  }
  return { whole: whole.digest('hex'), retained: retained.digest('hex'), rows };
}

function lineOf(row: Readonly<Record<string, unknown>>, { compared }: PartRows): string {
  return `${JSON.stringify(compared.map((name) => row[name] ?? null))}\n`;
}

/**
 * Copies the hashes of erased numbers. The store applies them to all of its data, so nothing is copied if the file
 * contains a part that cannot be copied.
 */
async function copyErased(source: Database, copy: StoreCopy, parts: readonly Part[]): Promise<void> {
  const rows = source.prepare('SELECT salt, number_hash, erased_at FROM erased').all();
  if (rows.length === 0) return;
  const { db, file } = copy;
  const exclusions = await readExclusions(db);
  for (const part of parts) {
    const stored = await storedChecksum(db, file, part);
    if (stored === undefined || stored !== checksumsOf(source, part, exclusions).whole)
      await requireEmpty(db, part);
  }
  await db.transaction(async (transaction) => {
    // Waits for replies that are being stored, which were checked against the earlier list of numbers.
    await transaction.query(erasingLock);
    await transaction.run(
      `insert into erased (salt, number_hash, erased_at)
       select salt, number_hash, erased_at from json_to_recordset($1) as given (salt text, number_hash text, erased_at text) on conflict do nothing`,
      [JSON.stringify(rows)],
    );
  });
}

/**
 * Copies the content of attachments that the media store lacks. The file may have further attachments, of messages that
 * the store must not contain.
 */
async function copyContents({ db, media, contents }: StoreCopy, extensionId: string): Promise<void> {
  for await (const sha256 of mediaHashes(db, extensionId)) {
    // Waits for another process that found the content unused before the rows were committed, and deletes it.
    await db.query(contentLock, [sha256]);
    if ((await media.hash(sha256)) === sha256) continue;
    const content = await intactContent(contents, sha256);
    if (content === undefined) continue;
    await mkdir(media.unfinished, { recursive: true, mode: 0o700 });
    const copied = join(media.unfinished, `copy-${sha256}`);
    await writeFile(copied, content, { mode: 0o600 });
    await media.put(copied, { sha256, bytes: content.length });
  }
}

/** Returns content from the first place where it is not damaged; undefined if there is none. */
async function intactContent(
  contents: readonly MediaStore[],
  sha256: string,
): Promise<Uint8Array | undefined> {
  for (const place of contents) if ((await place.hash(sha256)) === sha256) return place.read(sha256);
  return undefined;
}
