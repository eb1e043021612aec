import { constants, type PathLike } from 'node:fs';
import { link, lstat, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { syncFolder } from '../../platform/atomic-file.ts';
import { existsError, writeFailure } from './trouble.ts';

/** A stretch of the file that one connection fills; `next` is the first byte that is missing. */
export interface Segment {
  readonly first: number;
  next: number;
  /** Included; undefined while the size is not known. */
  last: number | undefined;
}

/** What is known of an unfinished file. */
export interface Progress {
  readonly validator: string | undefined;
  readonly contentType: string | undefined;
  readonly total: number | undefined;
  readonly segments: readonly Segment[];
}

/** Opens a file; tests put a full disk here. */
export type OpenFile = (path: PathLike, flags: number, mode?: number) => Promise<FileHandle>;

/**
 * The unfinished file `.NAME.part` beside its notes `.NAME.part.json`: never a link, written at any offset, and given its name only when whole.
 * The notes never say more than what is on the disk.
 */
export class PartFile {
  readonly #file: string;
  readonly #uriHash: string;
  readonly #handle: FileHandle;
  #isClosed = false;

  private constructor(file: string, uriHash: string, handle: FileHandle) {
    this.#file = file;
    this.#uriHash = uriHash;
    this.#handle = handle;
  }

  /** The unfinished file of an earlier run with what it holds, or a new one. */
  static async open(
    file: string,
    uri: string,
    options: { readonly resume: boolean; readonly openFile?: OpenFile | undefined },
  ): Promise<{ readonly part: PartFile; readonly progress: Progress | undefined }> {
    const openFile = options.openFile ?? open;
    const part = partOf(file);
    const uriHash = createHash('sha256').update(uri).digest('hex');
    const known = options.resume ? await readNotes(part, uriHash) : undefined;
    const noFollow = constants.O_NOFOLLOW ?? 0;
    try {
      if (known) {
        const handle = await openFile(part, constants.O_RDWR | noFollow);
        const { size } = await handle.stat();
        const isThere = known.segments.every(({ first, next }) => next === first || next <= size);
        if (isThere) return { part: new PartFile(file, uriHash, handle), progress: known };
        await handle.close();
      }
      // Removes a link itself, never what it leads to.
      await rm(part, { force: true });
      await rm(`${part}.json`, { force: true });
      const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow;
      const handle = await openFile(part, flags, 0o600);
      return { part: new PartFile(file, uriHash, handle), progress: undefined };
    } catch (error) {
      throw writeFailure(error, part, undefined);
    }
  }

  /** Writes all of `pieces` at `offset`. */
  async write(pieces: readonly Uint8Array[], offset: number): Promise<void> {
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const { bytesWritten } = await this.#handle.writev([...pieces], offset);
    if (bytesWritten === size) return;
    // A disk that is nearly full takes less than all; the next write tells why.
    const rest = Buffer.concat(pieces).subarray(bytesWritten);
    await this.#handle.write(rest, 0, rest.length, offset + bytesWritten);
  }

  async read(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await this.#handle.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /** Forgets all that is there. */
  async clear(): Promise<void> {
    await rm(`${partOf(this.#file)}.json`, { force: true });
    await this.#handle.truncate(0);
  }

  /** Notes how far it is, after making sure that it is so. */
  async save(progress: Progress): Promise<void> {
    await this.#handle.datasync();
    const notes = `${partOf(this.#file)}.json`;
    const text = JSON.stringify({ uri: this.#uriHash, ...progress });
    await rm(`${notes}.new`, { force: true });
    await writeFile(`${notes}.new`, text, { flag: 'wx', mode: 0o600 });
    await rename(`${notes}.new`, notes);
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    for await (const piece of this.#handle.createReadStream({
      start: 0,
      autoClose: false,
      highWaterMark: 1024 * 1024,
    })) {
      hash.update(piece as Buffer);
    }
    return hash.digest('hex');
  }

  /**
   * Makes the whole file durable and gives it its name.
   * @throws {CommandError} `exists` when the name was taken meanwhile and may not be replaced.
   */
  async finish(size: number, replace: boolean): Promise<void> {
    await this.#handle.truncate(size);
    await this.#handle.sync();
    await this.close();
    const part = partOf(this.#file);
    if (replace) await rename(part, this.#file);
    else await nameNew(part, this.#file);
    await rm(`${part}.json`, { force: true });
    await syncFolder(dirname(this.#file));
  }

  /** Removes it with its notes. */
  async discard(): Promise<void> {
    await this.close();
    await rm(partOf(this.#file), { force: true });
    await rm(`${partOf(this.#file)}.json`, { force: true });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#handle.close();
  }
}

function partOf(file: string): string {
  const name = file.slice(dirname(file).length + 1);
  return join(dirname(file), `.${name}.part`);
}

/** A second name fails where a name is taken, a move would not. */
async function nameNew(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
    await rm(part);
    return;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsError(file);
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP', 'EMLINK', 'EACCES'].includes(code ?? '')) throw error;
  }
  // The file system knows no second names.
  if (await lstat(file).catch(() => undefined)) throw existsError(file);
  await rename(part, file);
}

/** The notes of an earlier run about the same address; what is unreadable or contradicts itself counts as none. */
async function readNotes(part: string, uriHash: string): Promise<Progress | undefined> {
  try {
    const notes = JSON.parse(await readFile(`${part}.json`, 'utf8')) as Progress & { readonly uri: string };
    const { segments, total } = notes;
    const isSound =
      notes.uri === uriHash &&
      segments.length > 0 &&
      segments.every(
        ({ first, next, last }) =>
          Number.isSafeInteger(first) &&
          Number.isSafeInteger(next) &&
          next >= first &&
          (last === undefined || next <= last + 1),
      ) &&
      (total !== undefined || segments.length === 1);
    return isSound ? notes : undefined;
  } catch {
    return undefined;
  }
}
