import { isAscii } from 'node:buffer';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import { resolvePaths, type PathSources } from './config/paths.ts';
import { makeFolder } from './platform/make-folder.ts';
import { ownershipFault } from './platform/ownership.ts';
import { writeAllSync } from './platform/write-all.ts';

// Caches the program's compiled code between runs, which saves a quarter of a short run's processor time
// (docs/adr/0012-compiled-code-cache.md). bin/ucctl.cjs calls it before it loads the program.
// V8 runs cached code without comparing it with its source, so only folders and files are used that no
// other user can write to.

/** The parts of the process that the cache needs. */
export interface CodeCacheHost extends Omit<PathSources, 'env'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `require.extensions` of the file that loads the program. */
  readonly extensions: NodeJS.RequireExtensions;
  /** Folder of the program's files; no other files are cached. */
  readonly program: string;
  /** Hash of the program's files. */
  readonly build: string;
  /** Version and processor of this Node: V8 rejects code that another version or processor compiled. */
  readonly runtime: string;
  /** The ID of this process. */
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  onExit(listener: () => void): void;
}

/** A file of the program that this run loaded. */
interface Loaded {
  /** File of its compiled code. */
  readonly file: string;
  readonly script: Script;
  /** Bytes of the compiled code that it was loaded with; 0 if it was compiled in this run. */
  readonly cachedBytes: number;
}

const head = '(function (exports, require, module, __filename, __dirname) { ';
const tail = '\n})';
const maxAgeMilliseconds = 30 * 24 * 3_600_000;

/** The cache of a process. */
interface Cache {
  readonly loaded: Loaded[];
  /** Whether files that are loaded from now on are not cached. */
  isClosed: boolean;
  /** Sets changed flags of V8 to their former values. */
  restoreFlags?: () => void;
}

/** The cache of this process, which loads one program. */
let current: Cache | undefined;

/** Returns the cache folder; undefined if there is no home folder, or if another user may have written to it. */
function cacheFolder(host: CodeCacheHost): string | undefined {
  try {
    const { cache } = resolvePaths(host);
    const compiled = join(cache, 'compiled');
    const isSafe = !ownershipFault(cache, { follow: true }) && !ownershipFault(compiled);
    return isSafe ? compiled : undefined;
  } catch {
    return undefined;
  }
}

/** Creates the folder for its owner alone. @throws if the home folder is missing, because it is never created. */
function createFolder(host: CodeCacheHost, folder: string): void {
  statSync(host.homeDirectory);
  makeFolder(folder, 0o700);
}

/**
 * Loads the program's files with the compiled code of an earlier run from the user's cache folder, and writes missing
 * code at the end of this run. If the cache fails, the program runs without it. `NODE_DISABLE_COMPILE_CACHE` disables
 * it, as it does the cache of Node 22 and later.
 */
export function cacheCompiledCode(host: CodeCacheHost): void {
  const { extensions, program, env } = host;
  const plain = extensions['.js'];
  if (!plain || env['NODE_DISABLE_COMPILE_CACHE']) return;
  const all = cacheFolder(host);
  if (all === undefined) return;
  const folder = join(all, `${host.build}-${host.runtime}`);
  if (ownershipFault(folder)) return;
  const cache: Cache = { loaded: [], isClosed: false };
  current = cache;
  const prefix = program.endsWith(sep) ? program : program + sep;
  extensions['.cjs'] = (module, filename) => {
    if (cache.isClosed || !filename.startsWith(prefix)) {
      plain(module, filename);
      return;
    }
    const file = join(folder, `${basename(filename)}.bin`);
    const source = readSource(filename);
    const cached = readCode(file);
    const script = new Script(source, { filename, columnOffset: -head.length, cachedData: cached });
    const cachedBytes = script.cachedDataRejected ? 0 : (cached?.length ?? 0);
    cache.loaded.push({ file, script, cachedBytes });
    const load = script.runInThisContext() as (...parts: readonly unknown[]) => void;
    load.call(
      module.exports,
      module.exports,
      (id: string) => module.require(id) as unknown,
      module,
      filename,
      dirname(filename),
    );
  };
  host.onExit(() => {
    if (!cache.loaded.some(isFresh)) return;
    try {
      createFolder(host, folder);
      cache.restoreFlags?.();
      // The cached code is created on exit, when all functions that ran have been compiled.
      for (const loaded of cache.loaded) writeCode(loaded, host.pid);
      removeOld(all, host.now - maxAgeMilliseconds);
    } catch {
      // If the home folder is full or read-only, the next run compiles the code again.
    }
  });
}

function isFresh({ cachedBytes }: Loaded): boolean {
  return cachedBytes === 0;
}

/**
 * Writes the compiled code of a file if this run compiled more of it than was cached. A command that loads a file for
 * the first time also uses functions of shared files that no earlier command used. V8 discards functions that a long
 * run has not used for some time, so its code can also be smaller.
 */
function writeCode({ file, script, cachedBytes }: Loaded, pid: number): void {
  const code = script.createCachedData();
  if (code.length > cachedBytes) writeWhole(file, `${file}.${pid}`, doubled(code));
}

/**
 * Changes flags of V8. V8 rejects cached code that was created with other flags, so files that are loaded from now on
 * are not cached, and a run that writes the cache sets the former values first.
 */
export function changeFlags(change: () => void, restore: () => void): void {
  if (current) {
    current.isClosed = true;
    current.restoreFlags = restore;
  }
  change();
}

/**
 * Memory into which files are read one after another. The first access to each page of new memory takes longer than
 * reading the page from the cache of the operating system.
 */
let memory = Buffer.alloc(0);
/** The largest file of most commands has this size. */
const leastMemoryBytes = 1024 * 1024;

/** Returns the bytes of a file between two ASCII texts. The result is valid until the next call. */
function readBytes(file: string, before = '', after = ''): Buffer {
  const opened = openSync(file, 'r');
  try {
    const { size } = fstatSync(opened);
    const bytes = before.length + size + after.length;
    if (memory.length < bytes) memory = Buffer.allocUnsafeSlow(Math.max(bytes, leastMemoryBytes));
    let end = memory.write(before, 'latin1');
    for (let count = 1; count > 0 && end < before.length + size; end += count)
      count = readSync(opened, memory, end, before.length + size - end, null);
    end += memory.write(after, end, 'latin1');
    return memory.subarray(0, end);
  } finally {
    closeSync(opened);
  }
}

/** Returns a file of the program as a function. Joining texts after decoding would copy the file once more. */
function readSource(file: string): string {
  const bytes = readBytes(file, head, tail);
  // Decoding ASCII as Latin-1 only copies the bytes.
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/**
 * Cached code, which is valid until the next file is read; undefined if it is missing, damaged or written by another
 * user. V8 would run damaged code or crash.
 */
function readCode(file: string): Buffer | undefined {
  let data: Buffer;
  try {
    if (ownershipFault(file)) return undefined;
    data = readBytes(file);
  } catch {
    return undefined;
  }
  const half = data.length / 2;
  if (half === 0 || !Number.isInteger(half)) return undefined;
  const code = data.subarray(0, half);
  return code.equals(data.subarray(half)) ? code : undefined;
}

/**
 * Stores the code twice to detect damage. Comparing both copies is one native call, while a checksum would
 * take the time that the cache saves.
 */
function doubled(code: Buffer): Buffer {
  return Buffer.concat([code, code]);
}

/** Writes a file atomically, even if the power fails. */
function writeWhole(file: string, temporary: string, data: Buffer): void {
  try {
    const opened = openSync(temporary, 'wx', 0o600);
    try {
      writeAllSync(opened, data, 0);
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Removes the caches of other builds and Node versions that have not been written to since `before`. */
function removeOld(all: string, before: number): void {
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (statSync(folder).mtimeMs < before) rmSync(folder, { recursive: true, force: true });
  }
}
