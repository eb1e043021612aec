import { lstat, open, rename, stat, type FileHandle } from 'node:fs/promises';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { recordUnflushed } from './unflushed.ts';
import { writeAll } from './write-all.ts';
import { deleteFile } from './delete-file.ts';

/** The disk space for the next content of a file. */
export interface ReservedSpace {
  /** Replaces the file atomically with this content. The content must be written at most once. */
  write(content: string | Uint8Array): Promise<void>;
  /** Releases the space if it was not used. */
  release(): Promise<void>;
}

/** The owner and permission bits of a file. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
  readonly mode: number;
}

/**
 * Replaces a file atomically: readers see the old or the new content, even after a crash. The file is created with mode
 * 0600 in a folder of mode 0700, so that other users can never read it. Nothing is written to the null device.
 * @param owner the owner and mode of the file, by default this user and 0600
 * @param prefix start of the name of the file that gets the content first (`isTemporaryOf`)
 * @throws the error of the system, with the path of the file; `ESPIPE` for a pipe or device, which must not be replaced
 */
export async function writeFileAtomic(
  file: string,
  content: string | Uint8Array,
  owner?: Owner,
  prefix?: string,
): Promise<void> {
  if (await isNullDevice(file)) return;
  const space = await reserveSpace(file, 0, owner, prefix);
  try {
    await space.write(content);
  } finally {
    await space.release();
  }
}

/** Whether a path leads to the null device. @throws an error for the path of any other device, or of a pipe */
export async function isNullDevice(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  if (!found || found.isDirectory()) return false;
  // The path of a descriptor, such as /dev/stdout, can lead to a file, but replacing the path would only remove a link.
  const isDescriptor = /^\/(dev\/(fd|std)|proc\/)/.test(file) && (await lstat(file)).isSymbolicLink();
  if (found.isFile() && !isDescriptor) return false;
  if (found.isCharacterDevice() && found.rdev === (await stat(devNull)).rdev) return true;
  throw Object.assign(new Error(`ESPIPE: ${file} is a pipe or device`), {
    code: 'ESPIPE',
    syscall: 'rename',
    path: file,
  });
}

/**
 * Reserves disk space for the next content of a file, as `writeFileAtomic` writes it. A later write of at most `bytes`
 * needs neither free space nor a further open file.
 * @param owner the owner and mode of the file, by default this user and 0600
 * @param prefix start of the name of the file that gets the content first (`isTemporaryOf`)
 * @throws the error of the system, with the path of the file
 */
export async function reserveSpace(
  file: string,
  bytes: number,
  owner?: Owner,
  prefix = '',
): Promise<ReservedSpace> {
  makeFolder(dirname(file), 0o700);
  const name = await newTemporary(dirname(file), prefix);
  const space = new TemporaryFile(file, name, await opened(file, name));
  try {
    if (owner) await space.giveTo(owner);
    if (bytes > 0) await space.fill(bytes);
    return space;
  } catch (error) {
    await space.release();
    throw ofFile(error, file);
  }
}

/** Whether a name is that of a temporary file with this prefix. */
export function isTemporaryOf(name: string, prefix: string): boolean {
  return name.startsWith(`.${prefix}`) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length + 1));
}

/** Returns the prefix in the name of a temporary file; undefined for any other name. */
export function temporaryPrefix(name: string): string | undefined {
  const prefix = name.slice(1, -'0123456789ab.tmp'.length);
  return isTemporaryOf(name, prefix) ? prefix : undefined;
}

async function newTemporary(folder: string, prefix: string): Promise<string> {
  // node:crypto is loaded at the first write, because most commands only read settings.
  const { randomBytes } = await import('node:crypto');
  return join(folder, `.${prefix}${randomBytes(6).toString('hex')}.tmp`);
}

async function opened(file: string, temporary: string): Promise<FileHandle> {
  try {
    return await open(temporary, 'wx', 0o600);
  } catch (error) {
    throw ofFile(error, file);
  }
}

class TemporaryFile implements ReservedSpace {
  readonly #file: string;
  readonly #temporary: string;
  readonly #handle: FileHandle;
  #isOpen = true;
  #isRenamed = false;

  constructor(file: string, temporary: string, handle: FileHandle) {
    this.#file = file;
    this.#temporary = temporary;
    this.#handle = handle;
  }

  async giveTo({ uid, gid, mode }: Owner): Promise<void> {
    await this.#handle.chown(uid, gid);
    // Changing the owner clears some bits of the mode.
    await this.#handle.chmod(mode & 0o7777);
  }

  async fill(bytes: number): Promise<void> {
    await writeAll(this.#handle, Buffer.alloc(bytes, 1), 0);
    // Some file systems report a full disk or an exceeded quota only here.
    await this.#handle.sync();
  }

  async write(content: string | Uint8Array): Promise<void> {
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      await writeAll(this.#handle, bytes, 0);
      await this.#handle.truncate(bytes.length);
      await this.#handle.sync();
      await this.#close();
      await rename(this.#temporary, this.#file);
    } catch (error) {
      throw ofFile(error, this.#file);
    }
    this.#isRenamed = true;
    await syncFolder(dirname(this.#file));
  }

  async release(): Promise<void> {
    await this.#close();
    if (!this.#isRenamed) await deleteFile(this.#temporary);
  }

  async #close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#handle.close();
  }
}

/** Returns the error of the system with the path of the file, in place of the path of its temporary file. */
function ofFile(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return error;
  return Object.assign(new Error(`${code}: ${syscall} '${file}'`, { cause: error }), {
    code,
    syscall,
    path: file,
  });
}

/** Errors of file systems that cannot flush folders. */
const notSupported: ReadonlySet<string | undefined> = new Set([
  'EINVAL',
  'ENOTSUP',
  'EOPNOTSUPP',
  'ENOSYS',
  'EBADF',
]);

/**
 * Flushes a folder to disk, so that renames and links in it survive a crash. If the flush fails, the program warns at
 * the end of the command (`unflushed.ts`), because the files are written.
 */
export async function syncFolder(
  folder: string,
  openFolder: (path: string) => Promise<FileHandle> = (path) => open(path, 'r'),
): Promise<void> {
  // Windows cannot open a folder, but makes renames durable without a flush.
  const handle = await openFolder(folder).catch(() => undefined);
  if (!handle) return;
  try {
    await handle.sync();
  } catch (error) {
    if (!notSupported.has((error as NodeJS.ErrnoException).code)) recordUnflushed({ folder, error });
  } finally {
    await handle.close();
  }
}
