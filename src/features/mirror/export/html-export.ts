import { Buffer } from 'node:buffer';
import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ExportMedia, ExportRow, ExportThread, Selection } from '../../../store/export-row.ts';
import type { MediaStore } from '../../../store/media-store.ts';
import type { MessageStore } from '../../../store/message-store.ts';
import type { ExportReport, LineOf } from './file-export.ts';
import type { ExportSource } from './formats.ts';
import { indexLine, indexMark, indexStart, messageHtml, pageEnd, threadMark, threadStart } from './html.ts';
import { otherParty } from './parties.ts';
import { everyMessage } from './row.ts';
import { usageError } from '../../../errors/command.ts';
import { makeFolder } from '../../../platform/make-folder.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';
import { deleteFile } from '../../../platform/delete-file.ts';

/** Matches the results of `mediaName`, also of an interrupted export. */
const mediaPattern = /^([0-9a-f]{64})\.[a-z0-9]{3}(\.part)?$/;

/**
 * Writes a folder of pages that open without a network: an index, a page for each thread, and the attachments. Later
 * exports write the index and the changed threads, and delete the pages of removed threads.
 * @throws {CommandError} `usage` if the folder has an index.html of the user.
 */
export async function exportHtml(
  archive: ExportSource,
  settings: {
    readonly target: string;
    readonly fresh: boolean;
    readonly chosen?: Selection;
    readonly lineOf?: LineOf;
  },
): Promise<ExportReport> {
  const { target, chosen = everyMessage } = settings;
  const { filter } = chosen;
  const { messages: store } = archive;
  const state = settings.fresh ? undefined : await store.exportState({ target, format: 'html', filter });
  const threads = join(target, 'threads');
  const indexFile = join(target, 'index.html');
  await requireOwnIndex(indexFile);
  makeFolder(dirname(target));
  for (const folder of [join(target, 'media'), threads]) makeFolder(folder, 0o700);
  const runId = await store.position();
  const current = new Set<string>();
  let messages = 0;
  const mailboxes = await mailboxTitles(store);
  const index = await open(indexFile, 'w', 0o600);
  try {
    await index.appendFile(indexStart());
    for await (const thread of store.threads(chosen)) {
      const name = pageName(thread);
      current.add(name);
      const mailbox = mailboxes.get(thread.mailbox) ?? thread.mailbox;
      const { page, who } = await threadPage({ ...archive, target, chosen, mailbox }, thread);
      await index.appendFile(indexLine(`threads/${name}`, { ...thread, who, mailbox }));
      if (state && (await isContent(join(threads, name), page))) continue;
      await writeFile(join(threads, name), page, { mode: 0o600 });
      messages += thread.messages;
    }
    await index.appendFile(pageEnd);
    await index.sync();
  } finally {
    await index.close();
  }
  await removeStale(threads, current);
  await removeUnused(store, target);
  const position = { target, format: 'html', filter, runId, bytes: 0 };
  await store.saveExportState(position, settings.lineOf?.(messages));
  return { target, format: 'html', messages, incremental: state !== undefined };
}

/** Returns the number of each mailbox by its ID, or its name if it has no number. */
async function mailboxTitles(store: MessageStore): Promise<ReadonlyMap<string, string>> {
  // The time is only needed for the age of the last sync, which the pages do not show.
  const scopes = await store.status(0);
  return new Map(scopes.map(({ extensionId, mailbox }) => [extensionId, mailbox]));
}

/** Checks that the index is absent, empty after an interruption, or a page of an earlier export. */
async function requireOwnIndex(file: string): Promise<void> {
  const page = await readFile(file, 'utf8').catch(() => '');
  if (page === '' || page.includes(indexMark)) return;
  throw usageError(
    `${file} is not a page of an earlier export`,
    'specify another folder with --to, or move the file; nothing was exported',
  );
}

/**
 * Returns the file name of a thread. It must not depend on keys of the store, because every store must produce the same
 * pages.
 */
function pageName({ conversation, mailbox, id }: ExportThread): string {
  return conversation === null ? `message-${mailbox}-${id}.html` : `${mailbox}-${conversation}.html`;
}

/** Deletes the pages of removed threads. The folder may also contain files of the user, which stay. */
async function removeStale(threads: string, current: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(threads)) {
    const file = join(threads, name);
    if (current.has(name) || !name.endsWith('.html')) continue;
    const page = await readFile(file, 'utf8').catch(() => '');
    if (page.includes(threadMark)) await deleteFile(file);
  }
}

async function isContent(file: string, text: string): Promise<boolean> {
  const found = await readFile(file).catch(() => undefined);
  return found !== undefined && found.equals(Buffer.from(text));
}

/** Returns the page of a thread, and the other party of its latest message. */
async function threadPage(
  source: ExportSource & { readonly target: string; readonly chosen: Selection; readonly mailbox: string },
  thread: ExportThread,
): Promise<{ readonly page: string; readonly who: string }> {
  const { messages: store, media: contents, target, chosen, mailbox } = source;
  let latest: ExportRow | undefined;
  let articles = '';
  for await (const row of store.threadMessages(thread, chosen)) {
    const media = row.attachments === 0 ? [] : await store.attachments(row.pk);
    for (const one of media) await copyAttachment(contents, target, one);
    latest = row;
    articles += messageHtml(
      row,
      media.map((one) => Object.assign(one, { file: `../media/${mediaName(one)}` })),
    );
  }
  const who = (latest && otherParty(latest)) ?? 'Unknown';
  return { page: threadStart({ who, mailbox }) + articles + pageEnd, who };
}

async function copyAttachment(contents: MediaStore, target: string, media: ExportMedia): Promise<void> {
  const file = join(target, 'media', mediaName(media));
  if (existsSync(file)) return;
  // An interrupted export must not leave a part of the attachment under its name, because the next export would keep it.
  const part = `${file}.part`;
  await writeFile(part, await contents.read(media.sha256), { mode: 0o600 });
  await rename(part, file);
}

/** Deletes exported attachments that no message uses, and the remains of interrupted exports. */
async function removeUnused(store: MessageStore, target: string): Promise<void> {
  for (const name of await readdir(join(target, 'media'))) {
    const [, sha256, part] = mediaPattern.exec(name) ?? [];
    if (sha256 === undefined) continue;
    if (part !== undefined || !(await store.isMediaUsed(sha256)))
      await deleteFile(join(target, 'media', name));
  }
}

const endings: Readonly<Record<string, string>> = lookupTable({
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'application/pdf': '.pdf',
  'image/gif': '.gif',
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/tiff': '.tif',
  'text/plain': '.txt',
});

/**
 * Returns a file name derived from the content, not from data of the service. The file can therefore neither leave the
 * folder nor be executed.
 */
function mediaName({ sha256, contentType }: ExportMedia): string {
  return sha256 + (endings[contentType ?? ''] ?? '.bin');
}
