import { constants, existsSync, type PathLike } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { partReplaced, writeFailure } from './download-failure.ts';
import { readNotes, writeNotes, type PartProgress } from './part-notes.ts';
import { identityOf, isAt, nameNew, partOf, type FileIdentity } from './part-path.ts';
import { deleteFile } from '../../platform/delete-file.ts';

/** Opens a file. Tests replace this function to simulate a full disk. */
export type OpenFile = (path: PathLike, flags: number, mode?: number) => Promise<FileHandle>;

/**
 * Maximum size in bytes of a file that is buffered in memory and written at once, which saves most system calls of
 * small files.
 */
const memoryBytes = 1024 * 1024;

/**
 * The partial file `.NAME.part` and its state file `.NAME.part.json`. The partial file is never a link, can be written
 * at any offset, and gets its final name only when it is complete. The state file never records more bytes than the
 * disk contains, and does not exist without the partial file.
 */
export class PartFile {
  readonly #file: string;
  readonly #uriHash: string;
  readonly #openFile: OpenFile;
  #handle: FileHandle | undefined;
  #identity: FileIdentity | undefined;
  #opening: Promise<FileHandle> | undefined;
  /** Pieces from the start of the content that are not on the disk yet. */
  #buffered: Uint8Array[] = [];
  #bufferedBytes = 0;
  #hasNotes: boolean;
  #isLost = false;
  #isClosed = false;

  private constructor(
    file: string,
    uriHash: string,
    openFile: OpenFile,
    existing?: { readonly handle: FileHandle; readonly identity: FileIdentity },
  ) {
    this.#file = file;
    this.#uriHash = uriHash;
    this.#openFile = openFile;
    this.#handle = existing?.handle;
    this.#identity = existing?.identity;
    this.#hasNotes = existing !== undefined;
  }

  /**
   * Opens the partial file of an earlier run with its state, or prepares a new file, which the first write to the disk
   * creates.
   */
  static async open(
    file: string,
    uri: string,
    options: { readonly resume: boolean; readonly openFile?: OpenFile | undefined },
  ): Promise<{ readonly part: PartFile; readonly progress: PartProgress | undefined }> {
    const openFile = options.openFile ?? open;
    const uriHash = createHash('sha256').update(uri).digest('hex');
    const known = options.resume ? await readNotes(partOf(file), uriHash) : undefined;
    const handle = known && (await openExisting(partOf(file), known, openFile));
    const existing = handle && { handle, identity: await identityOf(handle) };
    return { part: new PartFile(file, uriHash, openFile, existing), progress: handle && known };
  }

  /** Writes all of `pieces` at `offset`. @throws {CommandError} `disk_full`, `not_a_file`. */
  async write(pieces: readonly Uint8Array[], offset: number): Promise<void> {
    const size = bytesOf(pieces);
    const isNext = offset === this.#bufferedBytes && offset + size <= memoryBytes;
    if (!this.#handle && !this.#opening && isNext) {
      // The pieces are not spread into one call, because a server may send single bytes and the number of
      // arguments
      // is limited.
      for (const piece of pieces) this.#buffered.push(piece);
      this.#bufferedBytes += size;
      return;
    }
    await writeAll(await this.#onDisk(), pieces, offset);
  }

  /** Writes the buffer and returns the file on the disk. */
  async #onDisk(): Promise<FileHandle> {
    if (this.#handle) return this.#handle;
    this.#opening ??= this.#create();
    return this.#opening;
  }

  async #create(): Promise<FileHandle> {
    const part = partOf(this.#file);
    // The state file of an earlier run would describe other bytes.
    if (existsSync(`${part}.json`)) await deleteFile(`${part}.json`);
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | noFollow;
    const handle = await this.#openFile(part, flags, 0o600).catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      // This removes a link itself, never its target.
      await deleteFile(part);
      await deleteFile(`${part}.json.new`);
      return this.#openFile(part, flags, 0o600);
    });
    try {
      this.#identity = await identityOf(handle);
      await writeAll(handle, this.#buffered, 0);
    } catch (error) {
      this.#isLost = true;
      await handle.close();
      await deleteFile(part);
      throw error;
    }
    this.#buffered = [];
    this.#handle = handle;
    return handle;
  }

  /** Whether writing the buffer failed, so that no bytes are stored. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Whether the progress is recorded on the disk, so that a later run can resume. */
  get hasNotes(): boolean {
    return this.#hasNotes;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (length === 0) return Buffer.alloc(0);
    if (!this.#handle) return Buffer.concat(this.#buffered).subarray(offset, offset + length);
    const buffer = Buffer.alloc(length);
    const { bytesRead } = await this.#handle.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /** Discards all bytes. */
  async clear(): Promise<void> {
    await this.#opening;
    await this.#forgetNotes();
    this.#buffered = [];
    this.#bufferedBytes = 0;
    await this.#handle?.truncate(0);
  }

  /** Writes the bytes to the disk, then records the progress. @throws {CommandError} `busy`. */
  async save(progress: PartProgress): Promise<void> {
    const handle = await this.#onDisk();
    await handle.datasync();
    await this.#requireOwn();
    const text = JSON.stringify({ uri: this.#uriHash, isStrong: true, ...progress });
    await writeNotes(`${partOf(this.#file)}.json`, text, this.#hasNotes);
    this.#hasNotes = true;
  }

  /** Removes bytes from the end of the file, at most `bytes`. @returns the new size; 0 if no byte is on the disk. */
  async shorten(bytes: number): Promise<number> {
    if (!this.#handle) return 0;
    const { size } = await this.#handle.stat();
    const rest = Math.max(0, size - bytes);
    await this.#handle.truncate(rest);
    return rest;
  }

  async sha256(): Promise<string> {
    const hash = createHash('sha256');
    for (const piece of this.#buffered) hash.update(piece);
    const pieces = this.#handle?.createReadStream({ start: 0, autoClose: false, highWaterMark: memoryBytes });
    for await (const piece of pieces ?? []) hash.update(piece as Buffer);
    return hash.digest('hex');
  }

  /**
   * Writes the complete file to the disk and renames it. The caller makes the rename durable, with one flush of the
   * folder.
   * @throws {CommandError} `exists` if a file with that name has appeared in the meantime and must not be replaced;
   * `busy` if another program has replaced or deleted the partial file.
   */
  async finish(size: number, replace: boolean): Promise<void> {
    const isWritten = this.#handle !== undefined;
    const handle = await this.#onDisk();
    if (isWritten) await handle.truncate(size);
    await handle.sync();
    await this.close();
    await this.#requireOwn();
    await this.#forgetNotes();
    const part = partOf(this.#file);
    if (replace) await rename(part, this.#file);
    else await nameNew(part, this.#file);
  }

  /** Removes the partial file and its state, unless they belong to another download. */
  async discard(): Promise<void> {
    await this.close();
    if (!(await this.#isOwn())) return;
    await this.#forgetNotes();
    await deleteFile(partOf(this.#file));
  }

  /** Whether the path of the partial file still leads to the file that this download writes. */
  async #isOwn(): Promise<boolean> {
    return this.#identity !== undefined && isAt(this.#identity, partOf(this.#file));
  }

  async #requireOwn(): Promise<void> {
    if (await this.#isOwn()) return;
    this.#hasNotes = false;
    throw partReplaced(this.#file);
  }

  async #forgetNotes(): Promise<void> {
    if (!this.#hasNotes) return;
    const notes = `${partOf(this.#file)}.json`;
    await deleteFile(notes);
    // A process that was killed may have left it.
    await deleteFile(`${notes}.new`);
    this.#hasNotes = false;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#handle?.close();
  }
}

const noFollow = constants.O_NOFOLLOW ?? 0;

/**
 * Opens the partial file of a recorded state; undefined if it is missing or shorter. @throws {CommandError}
 * `not_a_file` for a link.
 */
async function openExisting(
  part: string,
  known: PartProgress,
  openFile: OpenFile,
): Promise<FileHandle | undefined> {
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

/** Writes all pieces. A nearly full disk accepts fewer bytes; the following write then throws the reason. */
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
