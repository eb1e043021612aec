import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, writeFileSync } from 'node:fs';
import { rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskFullError } from '../../errors/command.ts';
import { Interrupted, isForeignAbort } from '../../errors/interrupted.ts';
import { SignInRequiredError } from '../../errors/service.ts';
import type { MediaStore } from '../../store/media-store.ts';
import type { MediaTable, SaveResult } from '../../store/message-store.ts';
import { MediaFileError } from './media-file-error.ts';
import { MediaPlaceError } from './media-place-error.ts';
import { isFull } from './no-room.ts';
import { isFileError } from '../../platform/file-failure.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { deleteFile } from '../../platform/delete-file.ts';

/** The description of an attachment in its message. */
export interface WantedMedia {
  readonly uri: string;
  readonly contentType?: string | undefined;
  readonly size?: number | undefined;
}

/**
 * Downloads an attachment into `folder` as `name`, and resumes a partial file there. `sha256` is undefined if the
 * complete file already existed.
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
  /** Why the place of the attachments cannot be used. Attachments that were not tried are not counted. */
  readonly placeFailure?: Error;
}

/**
 * Number of attachments that are downloaded at the same time. The transport keeps all downloads within the rate limits
 * of the service.
 */
const atOnce = 4;

/**
 * Copies the missing attachments, several at a time. Each file appears complete or not at all. Copied attachments are
 * not requested again, and an interrupted file is resumed. An attachment that cannot be downloaded is counted and
 * retried in the next run.
 */
export async function copyMedia(
  table: MediaTable,
  media: MediaStore,
  extensionId: string,
  fetchMedia: FetchMedia,
): Promise<MediaReport> {
  let problem: string | undefined;
  let copied = 0;
  let failed = 0;
  let placeFailure: Error | undefined;
  let interruption: { readonly error: unknown } | undefined;
  const missing = table.missingMedia(extensionId);
  const partial = new PartialFiles(media.unfinished);
  // Two messages may share an attachment, which is then downloaded once.
  const underWay = new Map<string, ReturnType<typeof store>>();
  const stored = async (attachment: WantedMedia): ReturnType<typeof store> => {
    const { uri } = attachment;
    const work = underWay.get(uri) ?? store(media, partial, { attachment, extensionId }, fetchMedia);
    underWay.set(uri, work);
    return work.finally(() => underWay.delete(uri));
  };
  const copySome = async (): Promise<void> => {
    for (;;) {
      const next = await missing.next();
      if (next.done) return;
      const { pk, id, fileName, ...attachment } = next.value;
      const save = async (): Promise<SaveResult> => {
        const { sha256, bytes } = await stored(attachment);
        const row = { pk, id, contentType: attachment.contentType, fileName, bytes, sha256 };
        return table.saveMedia(row, () => media.has(sha256));
      };
      try {
        if ((await saveTwice(save)) === 'saved') copied += 1;
      } catch (error) {
        if (isPlaceFailure(error)) placeFailure ??= error;
        else if (isInterruption(error)) interruption ??= { error };
        failed += 1;
        problem ??= (error as Error).message;
      }
      if (placeFailure ?? interruption) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, copySome));
  } finally {
    await partial.close();
  }
  if (interruption) throw interruption.error;
  return { copied, failed, ...(problem !== undefined && { problem }), ...(placeFailure && { placeFailure }) };
}

/** Copies an attachment again if another run has deleted its content, which no message used at that time. */
async function saveTwice(save: () => Promise<SaveResult>): Promise<SaveResult> {
  const first = await save();
  const result = first === 'content deleted' ? await save() : first;
  if (result === 'content deleted')
    throw new Error('another run deleted the attachment file twice, or its place does not permit to read it');
  return result;
}

/**
 * The folder of partial files during a run. Runs of other mailboxes, also in other processes, use the folder at the same
 * time, and delete it when they end. They cannot delete it while it contains the mark of this run.
 */
class PartialFiles {
  readonly #folder: string;
  #mark: string | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Creates the folder. */
  open(): void {
    while (this.#mark === undefined) {
      // The folder is created here with mode 0700, because the download would create it readable for everyone.
      makeFolder(this.#folder, 0o700);
      const mark = join(this.#folder, `in-use-${randomUUID()}`);
      try {
        writeFileSync(mark, '', { flag: 'wx', mode: 0o600 });
        this.#mark = mark;
      } catch (error) {
        // Another run has just deleted the folder.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    }
  }

  /** Deletes the folder unless it contains partial files or another run uses it. */
  async close(): Promise<void> {
    if (this.#mark === undefined) return;
    await deleteFile(this.#mark);
    await rmdir(this.#folder).catch(() => undefined);
  }
}

/** Downloads into the folder of partial files, then moves the file into the store. */
async function store(
  media: MediaStore,
  partial: PartialFiles,
  { attachment, extensionId }: { readonly attachment: WantedMedia; readonly extensionId: string },
  fetchMedia: FetchMedia,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  // The file name is derived from the URL, so that the next run finds the partial file. Other mailboxes may copy the
  // same attachment at the same time, because a shared message is in several mailboxes (CURRENT-17).
  const name = createHash('sha256').update(`${extensionId} ${attachment.uri}`).digest('hex').slice(0, 32);
  try {
    partial.open();
    const { file, bytes, sha256 = await hashOf(file) } = await fetchMedia(attachment, media.unfinished, name);
    await media.put(file, { sha256, bytes });
    return { sha256, bytes };
  } catch (error) {
    throw isFull(error) || error instanceof DiskFullError ? new FullPlaceError(media, error) : error;
  }
}

/** The error for a full disk of the attachments. The database may be on another disk, and reports its own full disk. */
class FullPlaceError extends DiskFullError {
  constructor({ unfinished }: MediaStore, cause: unknown) {
    // The hint of a download says whether its partial file is stored.
    const given = cause instanceof DiskFullError ? cause.hint : undefined;
    const hint = given ?? 'free up disk space, then run the same command again';
    super(`cannot store attachments in ${unfinished}: the disk is full`, { hint, retryable: true, cause });
  }
}

/** The result of deleting damaged attachments. */
export interface DamageReport {
  /** The number of attachments that cannot be copied again, because the service no longer has their messages. */
  readonly lost: number;
  /** The number of contents that could not be deleted. Their rows remain. */
  readonly failed: number;
  /** The message of the first failure. */
  readonly problem?: string;
}

/**
 * Deletes the rows of attachments whose content is missing, changed or unreadable, so that `copyMedia` copies them again.
 * @throws if the place of the attachments cannot be used
 */
export async function dropDamagedMedia(
  table: MediaTable,
  media: MediaStore,
  extensionId: string,
): Promise<DamageReport> {
  let lost = 0;
  let failed = 0;
  let problem: string | undefined;
  for await (const sha256 of table.mediaHashes(extensionId)) {
    if (await isIntact(media, sha256)) continue;
    try {
      lost += await table.forgetMedia(sha256, extensionId, async () => {
        await media.remove(sha256);
      });
    } catch (error) {
      if (!(error instanceof MediaFileError)) throw error;
      failed += 1;
      problem ??= error.message;
    }
  }
  return { lost, failed, ...(problem !== undefined && { problem }) };
}

async function isIntact(media: MediaStore, sha256: string): Promise<boolean> {
  try {
    return (await media.hash(sha256)) === sha256;
  } catch (error) {
    if (error instanceof MediaFileError) return false;
    throw error;
  }
}

/** Returns the sha256 of a file in hexadecimal. @throws if the file cannot be read. */
export async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Uint8Array);
  return hash.digest('hex');
}

/** Removes partial files; the next run downloads these attachments from the beginning. */
export async function dropUnfinishedMedia({ unfinished, earlierUnfinished }: MediaStore): Promise<void> {
  const folders = earlierUnfinished === undefined ? [unfinished] : [unfinished, earlierUnfinished];
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

/**
 * Removes content that no message uses any longer. Must be called after a commit.
 * @returns the number of contents that remain, because other archives may use them.
 * @throws {MediaFileError} some contents could not be removed. The others were removed.
 */
export async function tidyMedia(table: MediaTable, media: MediaStore): Promise<number> {
  let remaining = 0;
  let failure: MediaFileError | undefined;
  for (const sha256 of await table.mediaGarbage()) {
    try {
      await table.deleteGarbage(sha256, async () => {
        if (!(await media.remove(sha256))) remaining += 1;
      });
    } catch (error) {
      if (!(error instanceof MediaFileError)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return remaining;
}

/**
 * Whether an error is a failure of the place of the attachments, which would also fail for all other attachments. A full
 * disk of the database is not one, because it also concerns messages.
 */
export function isPlaceFailure(error: unknown): error is Error {
  if (error instanceof MediaPlaceError || error instanceof FullPlaceError) return true;
  return isFileError(error) && !isFull(error);
}

/** Whether an error ends the run: Ctrl-C, a lost sign-in or a full disk of the database. A missing attachment does not. */
function isInterruption(error: unknown): boolean {
  if (!(error instanceof Error)) return true;
  if (error instanceof Interrupted || error instanceof SignInRequiredError) return true;
  return isForeignAbort(error) || error instanceof DiskFullError || isFull(error);
}
