import { createHash } from 'node:crypto';
import { insertText, prepareNamed } from '../../platform/named-statement.ts';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DiskFullError } from '../../errors/command.ts';
import { Interrupted, isForeignAbort } from '../../errors/interrupted.ts';
import { SignInRequiredError } from '../../errors/service.ts';
import type { Message } from '../../contract/message.ts';
import type { Database } from '../../platform/sqlite.ts';
import { parseJson } from '../../platform/json.ts';
import { isFull } from './no-room.ts';
import { wantedAttachments } from './record.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** An attachment as its message describes it. */
export interface WantedMedia {
  readonly uri: string;
  readonly contentType?: string | undefined;
  readonly size?: number | undefined;
}

/**
 * Downloads an attachment into `folder` as `name`, and resumes a partial file there. `sha256` is undefined if the complete file already
 * existed.
 */
export type FetchMedia = (
  attachment: WantedMedia,
  folder: string,
  name: string,
) => Promise<{
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string | undefined;
}>;

/** The result of copying attachments. */
export interface MediaReport {
  readonly copied: number;
  readonly failed: number;
  /** The message of the first failure. */
  readonly problem?: string;
}

/** The file of content with this hash, in a folder next to the database; equal contents share one file. */
export function mediaFile(database: string, sha256: string): string {
  return join(`${database}.media`, sha256.slice(0, 2), sha256);
}

/**
 * Number of attachments that are downloaded at the same time. The transport keeps all downloads within the rate
 * limits of the service.
 */
const atOnce = 4;

/**
 * Copies the missing attachments, several at once; each file appears complete or not at all. Copied attachments are not requested again, and an
 * interrupted file is resumed. An attachment that cannot be downloaded is counted and retried in the next run.
 */
export async function copyMedia(
  db: Database,
  database: string,
  extensionId: string,
  fetchMedia: FetchMedia,
): Promise<MediaReport> {
  let problem: string | undefined;
  let copied = 0;
  let failed = 0;
  let interruption: { readonly error: unknown } | undefined;
  const missing = missingMedia(db, extensionId);
  const columns = ['message_pk', 'attachment_id', 'content_type', 'file_name', 'bytes', 'sha256'];
  const save = prepareNamed(db, insertText('media', columns, 'REPLACE'));
  // Two messages may share an attachment, which is then downloaded once.
  const underWay = new Map<string, ReturnType<typeof store>>();
  const stored = async (attachment: WantedMedia): ReturnType<typeof store> => {
    const { uri } = attachment;
    const work = underWay.get(uri) ?? store(database, attachment, fetchMedia);
    underWay.set(uri, work);
    return work.finally(() => underWay.delete(uri));
  };
  const copySome = async (): Promise<void> => {
    for (const { pk, id, fileName, ...attachment } of missing) {
      try {
        const { sha256, bytes } = await stored(attachment);
        save.run({
          message_pk: pk,
          attachment_id: id,
          content_type: attachment.contentType ?? null,
          file_name: fileName ?? null,
          bytes,
          sha256,
        });
        copied += 1;
      } catch (error) {
        if (isInterruption(error)) interruption ??= { error };
        failed += 1;
        problem ??= (error as Error).message;
      }
      if (interruption) return;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, copySome));
  if (interruption) throw interruption.error;
  // No partial file is left, so the folder can be deleted.
  if (failed === 0 && copied > 0) await rmdir(unfinished(database)).catch(() => undefined);
  return { copied, failed, ...(problem !== undefined && { problem }) };
}

interface MissingMedia extends WantedMedia {
  readonly pk: number;
  readonly id: string;
  readonly fileName?: string | undefined;
}

/** Maximum number of rows in memory at the same time, because a mailbox can have a million attachments. */
const some = 1000;

/** The attachments that are not copied yet, oldest message first. Several workers share the generator; each takes the next attachment. */
function* missingMedia(db: Database, extensionId: string): Generator<MissingMedia, void, undefined> {
  const have = db.prepare('SELECT 1 AS n FROM media WHERE message_pk = ? AND attachment_id = ?');
  const next = db.prepare(
    `SELECT pk, raw FROM message WHERE media_wanted > 0 AND pk > ? AND extension_id = ? AND availability = 'Alive' AND missing_since IS NULL
     AND media_wanted > (SELECT count(*) FROM media WHERE message_pk = pk) ORDER BY pk LIMIT ${some}`,
  );
  let after = 0;
  for (;;) {
    const rows = next.all(after, extensionId) as { readonly pk: number; readonly raw: string }[];
    for (const { pk, raw } of rows) {
      const message = parseJson(raw) as Partial<Message>;
      for (const { id, uri, contentType, fileName, size } of wantedAttachments(message)) {
        if (have.get(pk, String(id)) === undefined) {
          yield { pk, id: String(id), uri, contentType, fileName, size };
        }
      }
      after = pk;
    }
    if (rows.length < some) return;
  }
}

/** Downloads into the folder of partial files, then renames the file to the hash of its content. */
async function store(
  database: string,
  attachment: WantedMedia,
  fetchMedia: FetchMedia,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  // The file name is derived from the URL, so that the next run finds the partial file.
  const name = createHash('sha256').update(attachment.uri).digest('hex').slice(0, 32);
  // The folder is created here with mode 0700, because the download would create it readable for everyone.
  makeFolder(unfinished(database), 0o700);
  const {
    file,
    bytes,
    sha256 = await hashOf(file),
  } = await fetchMedia(attachment, unfinished(database), name);
  const target = mediaFile(database, sha256);
  makeFolder(dirname(target), 0o700);
  await chmod(file, 0o600);
  if (existsSync(target)) await rm(file);
  else await rename(file, target);
  return { sha256, bytes };
}

function unfinished(database: string): string {
  return join(`${database}.media`, 'unfinished');
}

/** Deletes the rows of attachments whose files are missing or changed, so that they are copied again. */
export async function dropDamagedMedia(db: Database, database: string, extensionId: string): Promise<void> {
  const next = db.prepare(
    `SELECT DISTINCT sha256 FROM media WHERE sha256 > ? AND message_pk IN (SELECT pk FROM message WHERE extension_id = ?)
     ORDER BY sha256 LIMIT ${some}`,
  );
  const forget = db.prepare('DELETE FROM media WHERE sha256 = ?');
  let after = '';
  for (;;) {
    const rows = next.all(after, extensionId) as { readonly sha256: string }[];
    for (const { sha256 } of rows) {
      after = sha256;
      const file = mediaFile(database, sha256);
      if ((await hashOf(file).catch(() => undefined)) === sha256) continue;
      await rm(file, { force: true });
      forget.run(sha256);
    }
    if (rows.length < some) return;
  }
}

/** The sha256 of a file in hexadecimal. @throws when the file cannot be read. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}

/** Removes partial files; the next run downloads these attachments from the beginning. */
export async function dropUnfinishedMedia(database: string): Promise<void> {
  await rm(unfinished(database), { recursive: true, force: true });
}

/** Removes files that no message uses any more. Must be called after a commit. */
export async function tidyMedia(db: Database, database: string): Promise<void> {
  const rows = db.prepare('SELECT sha256 FROM media_garbage').all() as { readonly sha256: string }[];
  const used = db.prepare('SELECT 1 AS n FROM media WHERE sha256 = ?');
  const done = db.prepare('DELETE FROM media_garbage WHERE sha256 = ?');
  for (const { sha256 } of rows) {
    if (used.get(sha256) === undefined) await rm(mediaFile(database, sha256), { force: true });
    done.run(sha256);
  }
}

/** Whether an error ends the run: Ctrl-C, a lost sign-in or a full disk. A missing attachment does not. */
function isInterruption(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error instanceof Interrupted || error instanceof SignInRequiredError) return true;
  return isForeignAbort(error) || error instanceof DiskFullError || isFull(error);
}
