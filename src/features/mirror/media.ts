import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Message } from '../../contract/message.ts';
import type { Database } from '../../platform/sqlite.ts';
import { parseJson } from '../../platform/json.ts';
import { wantedAttachments } from './record.ts';

/** Opens the content behind an attachment's address. `complete` is false for a part of it. */
export type OpenMedia = (
  uri: string,
) => Promise<{ readonly complete: boolean; readonly bytes: AsyncIterable<Uint8Array> }>;

/** Where content with this hash lies: beside the database, one file for equal contents. */
export function mediaFile(database: string, sha256: string): string {
  return join(`${database}.media`, sha256.slice(0, 2), sha256);
}

/**
 * Copies the attachments that are missing, each file whole or not at all; what is there already is not asked for again, so an interrupted run
 * goes on where it was. One that cannot be had is counted and tried again next time.
 */
export async function copyMedia(
  db: Database,
  database: string,
  extensionId: string,
  openMedia: OpenMedia,
): Promise<{ readonly copied: number; readonly failed: number }> {
  let copied = 0;
  let failed = 0;
  const pending = db
    .prepare(
      `SELECT pk FROM message WHERE media_wanted > 0 AND extension_id = ? AND availability = 'Alive' AND missing_since IS NULL
       AND media_wanted > (SELECT count(*) FROM media WHERE message_pk = pk) ORDER BY pk`,
    )
    .all(extensionId) as { readonly pk: number }[];
  const rawOf = db.prepare('SELECT raw FROM message WHERE pk = ?');
  const have = db.prepare('SELECT 1 AS n FROM media WHERE message_pk = ? AND attachment_id = ?');
  const save = db.prepare(
    `INSERT OR REPLACE INTO media (message_pk, attachment_id, content_type, file_name, bytes, sha256) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  for (const { pk } of pending) {
    const message = parseJson((rawOf.get(pk) as { readonly raw: string }).raw) as Partial<Message>;
    for (const { id, uri, contentType, fileName } of wantedAttachments(message)) {
      if (have.get(pk, String(id)) !== undefined) continue;
      try {
        const { sha256, bytes } = await store(database, uri, openMedia);
        save.run(pk, String(id), contentType, fileName ?? null, bytes, sha256);
        copied += 1;
      } catch (error) {
        if (isInterruption(error)) throw error;
        failed += 1;
      }
    }
  }
  return { copied, failed };
}

async function store(
  database: string,
  uri: string,
  openMedia: OpenMedia,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const { complete, bytes: body } = await openMedia(uri);
  if (!complete) throw new Error('only a part of the content came');
  const folder = `${database}.media`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = join(folder, `.${randomBytes(6).toString('hex')}.part`);
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      for await (const chunk of body) {
        hash.update(chunk);
        bytes += chunk.length;
        await file.write(chunk);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const sha256 = hash.digest('hex');
    const target = mediaFile(database, sha256);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    if (existsSync(target)) await rm(temporary);
    else await rename(temporary, target);
    return { sha256, bytes };
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Removes files that no message needs any more; to be called after a commit. */
export async function tidyMedia(db: Database, database: string): Promise<void> {
  const rows = db.prepare('SELECT sha256 FROM media_garbage').all() as { readonly sha256: string }[];
  const used = db.prepare('SELECT 1 AS n FROM media WHERE sha256 = ?');
  const done = db.prepare('DELETE FROM media_garbage WHERE sha256 = ?');
  for (const { sha256 } of rows) {
    if (used.get(sha256) === undefined) await rm(mediaFile(database, sha256), { force: true });
    done.run(sha256);
  }
}

/** Ctrl-C, a lost sign-in or a full disk end the run; a missing attachment does not. */
function isInterruption(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  return (
    ['Interrupted', 'AbortError', 'SignInRequiredError'].includes(error.name) ||
    (error as NodeJS.ErrnoException).code === 'ENOSPC'
  );
}
