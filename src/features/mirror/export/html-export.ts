import { Buffer } from 'node:buffer';
import { copyFile, open, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { iterateRows, type Database } from '../../../platform/sqlite.ts';
import { mediaFile } from '../media.ts';
import { latestRun, type ExportReport } from './file-export.ts';
import { indexLine, messageHtml, pageEnd, pageStart } from './html.ts';
import { everyMessage, mediaOf, threadRows, type ExportMedia, type Selection } from './row.ts';
import { readExportState, saveExportState } from './state.ts';
import { makeFolder } from '../../../platform/make-folder.ts';

interface ThreadRow {
  readonly conversation: string | null;
  readonly pk: number;
  readonly changed: number;
  readonly messages: number;
  /** Number of copied attachments of the thread. */
  readonly files: number;
  readonly lastTime: string;
  readonly text: string | null;
  readonly who: string | null;
}

/**
 * Writes a folder of pages that open without a network: an index, a page for each thread, and the attachments. Later exports write the
 * index and the changed threads, and delete the pages of removed threads.
 */
export async function exportHtml(
  db: Database,
  database: string,
  settings: { readonly target: string; readonly fresh: boolean; readonly chosen?: Selection },
): Promise<ExportReport> {
  const { target, chosen = everyMessage } = settings;
  const { filter } = chosen;
  const state = settings.fresh ? undefined : readExportState(db, { target, format: 'html', filter });
  const threads = join(target, 'threads');
  makeFolder(join(target, 'media'));
  makeFolder(threads);
  const runId = latestRun(db);
  const current = new Set<string>();
  let messages = 0;
  const index = await open(join(target, 'index.html'), 'w', 0o600);
  try {
    await index.write(pageStart('Messages'));
    for (const thread of threadsOf(db, chosen)) {
      const name = `${thread.conversation ?? `message-${thread.pk}`}.html`;
      current.add(name);
      await index.write(indexLine(`threads/${name}`, thread));
      const head = pageStart('Thread', noteOf(thread));
      // A search such as "after:7d" can find other messages later, even if no message has changed.
      if (state && filter === '' && (await beginsWith(join(threads, name), head))) continue;
      const page = await threadPage({ db, database, target, chosen }, thread, head);
      await writeFile(join(threads, name), page, { mode: 0o600 });
      messages += thread.messages;
    }
    await index.write(pageEnd);
    await index.sync();
  } finally {
    await index.close();
  }
  for (const name of await readdir(threads)) if (!current.has(name)) await rm(join(threads, name));
  await removeUnused(db, target);
  saveExportState(db, { target, format: 'html', filter, runId, bytes: 0 });
  return { target, format: 'html', messages, incremental: state !== undefined };
}

function threadsOf(db: Database, chosen: Selection): Iterable<ThreadRow> {
  return iterateRows(
    db,
    `SELECT conversation_id AS conversation, max(pk) AS pk, max(changed_in) AS changed, count(*) AS messages,
     sum(CASE WHEN media_wanted > 0 THEN (SELECT count(*) FROM media WHERE message_pk = message.pk) ELSE 0 END) AS files,
     creation_time AS lastTime, subject AS text, coalesce(from_name, from_number, from_extension) AS who
     FROM message WHERE ${chosen.sql} GROUP BY coalesce(conversation_id, 'message-' || pk) ORDER BY max(pk) DESC`,
    chosen.values,
  );
}

/** A note in the page. It shows the next export whether messages or attachments of the thread have changed. */
function noteOf({ messages, files, changed }: ThreadRow): string {
  return `${messages} messages, ${files} files, change ${changed}`;
}

async function beginsWith(file: string, text: string): Promise<boolean> {
  const bytes = Buffer.from(text);
  const handle = await open(file).catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer } = await handle.read(Buffer.alloc(bytes.length), 0, bytes.length, 0);
    return buffer.equals(bytes);
  } finally {
    await handle.close();
  }
}

async function threadPage(
  source: {
    readonly db: Database;
    readonly database: string;
    readonly target: string;
    readonly chosen: Selection;
  },
  thread: ThreadRow,
  head: string,
): Promise<string> {
  const { db, database, target, chosen } = source;
  let page = head;
  for (const row of threadRows(db, thread, chosen)) {
    const media = mediaOf(db, row.pk);
    for (const one of media) await copyAttachment(database, target, one);
    page += messageHtml(
      row,
      media.map((one) => Object.assign(one, { file: `../media/${mediaName(one)}` })),
    );
  }
  return page + pageEnd;
}

async function copyAttachment(database: string, target: string, media: ExportMedia): Promise<void> {
  const file = join(target, 'media', mediaName(media));
  if (!existsSync(file)) await copyFile(mediaFile(database, media.sha256), file);
}

async function removeUnused(db: Database, target: string): Promise<void> {
  const used = db.prepare('SELECT 1 AS n FROM media WHERE sha256 = ? LIMIT 1');
  for (const name of await readdir(join(target, 'media'))) {
    if (used.get(name.split('.')[0] ?? '') === undefined) await rm(join(target, 'media', name));
  }
}

const endings: Readonly<Record<string, string>> = {
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'application/pdf': '.pdf',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/tiff': '.tif',
  'text/plain': '.txt',
};

/**
 * A file name derived from the content, not from data of the service. So the file cannot leave the folder or be
 * executed.
 */
function mediaName({ sha256, contentType }: ExportMedia): string {
  return sha256 + (endings[contentType ?? ''] ?? '.bin');
}
