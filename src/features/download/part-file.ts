import { constants, existsSync, type PathLike } from 'node:fs';
import { link, lstat, open, readFile, rename, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
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

/** So much is kept in memory: a small file is written in one go when it is whole, which saves most of its calls. */
const memoryBytes = 1024 * 1024;

/**
 * The unfinished file `.NAME.part` beside its notes `.NAME.part.json`: never a link, written at any offset, and given its name only when whole.
 * The notes never say more than what is on the disk, and there are none without the file.
 */
export class PartFile {
  readonly #file: string;
  readonly #uriHash: string;
  readonly #openFile: OpenFile;
  #handle: FileHandle | undefined;
  #opening: Promise<FileHandle> | undefined;
  /** What is not on the disk yet, from the first byte on. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #hasNotes: boolean;
  #isLost = false;
  #isClosed = false;

  private constructor(file: string, uriHash: string, openFile: OpenFile, handle?: FileHandle) {
    this.#file = file;
    this.#uriHash = uriHash;
    this.#openFile = openFile;
    this.#handle = handle;
    this.#hasNotes = handle !== undefined;
  }

  /** The unfinished file of an earlier run with what it holds, or a new one, which comes to be when there is something to keep. */
  static async open(
    file: string,
    uri: string,
    options: { readonly resume: boolean; readonly openFile?: OpenFile | undefined },
  ): Promise<{ readonly part: PartFile; readonly progress: Progress | undefined }> {
    const openFile = options.openFile ?? open;
    const uriHash = createHash('sha256').update(uri).digest('hex');
    const known = options.resume ? await readNotes(partOf(file), uriHash) : undefined;
    const handle = known && (await openHeld(partOf(file), known, openFile));
    return { part: new PartFile(file, uriHash, openFile, handle), progress: handle && known };
  }

  /** Writes all of `pieces` at `offset`. @throws {CommandError} `disk_full`, `not_a_file`. */
  async write(pieces: readonly Uint8Array[], offset: number): Promise<void> {
    const size = bytesOf(pieces);
    const isNext = offset === this.#heldBytes && offset + size <= memoryBytes;
    if (!this.#handle && !this.#opening && isNext) {
      // Not spread: a server may send single bytes, and there are only so many arguments.
      for (const piece of pieces) this.#held.push(piece);
      this.#heldBytes += size;
      return;
    }
    await writeAll(await this.#onDisk(), pieces, offset);
  }

  /** The file on the disk, with all that was held. */
  async #onDisk(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    this.#opening ??= this.#create();
    return this.#opening;
  }

  async #create(): Promise<FileHandle> {
    const part = partOf(this.#file);
    // Notes of another run would speak of other bytes.
    if (existsSync(`${part}.json`)) await rm(`${part}.json`);
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow;
    const handle = await this.#openFile(part, flags, 0o600).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // Removes a link itself, never what it leads to.
      await rm(part, { force: true });
      return this.#openFile(part, flags, 0o600);
    });
    try {
      await writeAll(handle, this.#held, 0);
    } catch (error) {
      this.#isLost = true;
      await handle.close();
      await rm(part, { force: true });
      throw error;
    }
    this.#held = [];
    this.#handle = handle;
    return handle;
  }

  /** What was held found no room on the disk: nothing is kept. */
  get isLost(): boolean {
    return this.#isLost;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    if (!this.#handle) return Buffer.concat(this.#held).subarray(offset, offset + length);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await this.#handle.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /** Forgets all that is there. */
  async clear(): Promise<void> {
    await this.#opening;
    await this.#forgetNotes();
    this.#held = [];
    this.#heldBytes = 0;
    await this.#handle?.truncate(0);
  }

  /** Notes how far it is, after making sure that it is so. */
  async save(progress: Progress): Promise<void> {
    const handle = await this.#onDisk();
    await handle.datasync();
    const notes = `${partOf(this.#file)}.json`;
    const text = JSON.stringify({ uri: this.#uriHash, isStrong: true, ...progress });
    await rm(`${notes}.new`, { force: true });
    await writeFile(`${notes}.new`, text, { flag: 'wx', mode: 0o600 });
    await rename(`${notes}.new`, notes);
    this.#hasNotes = true;
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    for (const piece of this.#held) hash.update(piece);
    const pieces = this.#handle?.createReadStream({ start: 0, autoClose: false, highWaterMark: memoryBytes });
    for await (const piece of pieces ?? []) hash.update(piece as Buffer);
    return hash.digest('hex');
  }

  /**
   * Makes the whole file durable and gives it its name; that the name lasts is up to the caller, once for the folder.
   * @throws {CommandError} `exists` when the name was taken meanwhile and may not be replaced.
   */
  async finish(size: number, replace: boolean): Promise<void> {
    const isWritten = this.#handle !== undefined;
    const handle = await this.#onDisk();
    if (isWritten) await handle.truncate(size);
    await handle.sync();
    await this.close();
    await this.#forgetNotes();
    const part = partOf(this.#file);
    if (replace) await rename(part, this.#file);
    else await nameNew(part, this.#file);
  }

  /** Removes it with its notes. */
  async discard(): Promise<void> {
    const isOnDisk = this.#handle !== undefined;
    await this.close();
    await this.#forgetNotes();
    if (isOnDisk) await rm(partOf(this.#file), { force: true });
  }

  async #forgetNotes(): Promise<void> {
    if (!this.#hasNotes) return;
    await rm(`${partOf(this.#file)}.json`, { force: true });
    this.#hasNotes = false;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#handle?.close();
  }
}

const noFollow = constants.O_NOFOLLOW ?? 0;

/** The unfinished file that the notes tell of; undefined when it is gone or shorter. @throws {CommandError} `not_a_file` for a link. */
async function openHeld(part: string, known: Progress, openFile: OpenFile): Promise<FileHandle | undefined> {
  try {
    const handle = await openFile(part, constants.O_RDWR | noFollow);
    const { size } = await handle.stat();
    if (known.segments.every(({ first, next }) => next === first || next <= size)) return handle;
    await handle.close();
    return undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw writeFailure(error, part, undefined);
  }
}

/** A disk that is nearly full takes less than all; the next write tells why. */
async function writeAll(handle: FileHandle, pieces: readonly Uint8Array[], offset: number): Promise<void> {
  let rest = pieces;
  for (let at = offset; rest.length > 0;) {
    const { bytesWritten } = await handle.writev([...rest], at);
    at += bytesWritten;
    rest = bytesWritten === bytesOf(rest) ? [] : [Buffer.concat(rest).subarray(bytesWritten)];
  }
}

function bytesOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
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

/**
 * The notes of an earlier run about the same address; what is unreadable, contradicts itself or cannot be continued counts as none. Versions without
 * `isStrong` also noted dates that are not strong validators.
 */
async function readNotes(part: string, uriHash: string): Promise<Progress | undefined> {
  try {
    const notes = JSON.parse(await readFile(`${part}.json`, 'utf8')) as Progress & {
      readonly uri: string;
      readonly isStrong?: boolean;
    };
    const { segments, total, validator } = notes;
    if (validator === undefined || !(notes.isStrong === true || validator.startsWith('"'))) return undefined;
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
