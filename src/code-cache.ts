import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { Script } from 'node:vm';
import { resolvePaths, type PathSources } from './config/paths.ts';
import { makeFolder } from './platform/make-folder.ts';
import { ownershipFault } from './platform/ownership.ts';

// Caches the program's compiled code between runs, which saves a quarter of a short run's processor time (docs/adr/0012-compiled-code-is-kept.md).
// Node 22 and later do it by themselves in a folder that they are given; on Node 20 this does. bin/ucctl.cjs calls it before it loads the program.
// V8 runs cached code without comparing it with its source, so that only folders and files are used that nobody else can write to.

/** What the cache needs of the process that loads the program. */
export interface CodeCacheHost extends Omit<PathSources, 'env'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `module.enableCompileCache` of Node 22 and later. */
  readonly enableCompileCache?: ((folder: string) => unknown) | undefined;
  /** `require.extensions` of the file that loads the program. */
  readonly extensions: NodeJS.RequireExtensions;
  /** Folder of the program's files; no other file is touched. */
  readonly program: string;
  /** Differs whenever one of the program's files does. */
  readonly build: string;
  /** Version and processor of this Node: V8 refuses what another one compiled. */
  readonly runtime: string;
  /** Number of this process. */
  readonly pid: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  onExit(listener: () => void): void;
}

/** A file of the program that was compiled in this run, to be kept at its end. */
interface Fresh {
  readonly file: string;
  readonly script: Script;
}

const head = '(function (exports, require, module, __filename, __dirname) { ';
const keptForMilliseconds = 30 * 24 * 3_600_000;

/** Of this process: one program is loaded, by one loader. */
let current: { readonly fresh: Fresh[]; isClosed: boolean } | undefined;

/** The folder of compiled code; undefined where there is no home folder for it, or where another user could have written to it. */
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

/** Creates the folder for its owner alone. @throws when the home folder is missing: it is not created. */
function createFolder(host: CodeCacheHost, folder: string): void {
  statSync(host.homeDirectory);
  makeFolder(folder, 0o700);
}

/** Gives Node 22 and later a folder of the user's own. Without one, Node would share a folder below that for temporary files with all users. */
function enableOfNode(host: CodeCacheHost, folder: string): void {
  try {
    createFolder(host, folder);
    host.enableCompileCache?.(folder);
  } catch {
    // A home that is full, missing or read-only: the program runs without.
  }
}

/**
 * From now on the program's files are loaded with what V8 made of them in an earlier run, kept in the user's cache directory; what is not there yet
 * is written at the end of this run. Whatever goes wrong with the cache, the program runs without it. `NODE_DISABLE_COMPILE_CACHE` turns it
 * off, as it does for Node's own.
 */
export function keepCompiled(host: CodeCacheHost): void {
  const { extensions, program, env } = host;
  const plain = extensions['.js'];
  if (!plain || env['NODE_DISABLE_COMPILE_CACHE']) return;
  const all = cacheFolder(host);
  if (all === undefined) return;
  if (host.enableCompileCache) {
    enableOfNode(host, all);
    return;
  }
  const folder = join(all, `${host.build}-${host.runtime}`);
  if (ownershipFault(folder)) return;
  const cache = { fresh: new Array<Fresh>(), isClosed: false };
  current = cache;
  const prefix = program.endsWith(sep) ? program : program + sep;
  extensions['.cjs'] = (module, filename) => {
    if (cache.isClosed || !filename.startsWith(prefix)) {
      plain(module, filename);
      return;
    }
    const file = join(folder, `${basename(filename)}.bin`);
    const kept = readWhole(file);
    const script = new Script(`${head}${readFileSync(filename, 'utf8')}\n})`, {
      filename,
      columnOffset: -head.length,
      cachedData: kept,
    });
    if (kept === undefined || script.cachedDataRejected) cache.fresh.push({ file, script });
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
    if (cache.fresh.length === 0) return;
    try {
      createFolder(host, folder);
      // Made at the end: only functions that ran have been compiled by then.
      for (const { file, script } of cache.fresh)
        writeWhole(file, `${file}.${host.pid}`, doubled(script.createCachedData()));
      removeOld(all, host.now - keptForMilliseconds);
    } catch {
      // A home that is full or cannot be written to: the program runs without.
    }
  });
}

/**
 * To be called before a flag of V8 is changed: code that is compiled afterwards is never accepted by a run whose flag has not been changed yet.
 * @returns whether it may be changed: not in a run that compiles for those to come.
 */
export function mayChangeFlags(): boolean {
  if (!current) return true;
  if (current.fresh.length > 0) return false;
  current.isClosed = true;
  return true;
}

/** Cached code; undefined when it is missing, damaged or written by another user: V8 would run it all the same, or end the process. */
function readWhole(file: string): Buffer | undefined {
  let data: Buffer;
  try {
    if (ownershipFault(file)) return undefined;
    data = readFileSync(file);
  } catch {
    return undefined;
  }
  const half = data.length / 2;
  if (half === 0 || !Number.isInteger(half)) return undefined;
  const code = data.subarray(0, half);
  return code.equals(data.subarray(half)) ? code : undefined;
}

/** The same twice: comparing is one call of the machine's, where a checksum of our own would cost what the cache saves (and zlib and crypto more to load). */
function doubled(code: Buffer): Buffer {
  return Buffer.concat([code, code]);
}

/** Whole or not at all, also after a loss of power. */
function writeWhole(file: string, temporary: string, data: Buffer): void {
  try {
    const opened = openSync(temporary, 'wx', 0o600);
    try {
      let written = 0;
      while (written < data.length) written += writeSync(opened, data, written);
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

/** Other builds, of this program or of Node, that nobody wrote to for long. */
function removeOld(all: string, before: number): void {
  for (const name of readdirSync(all)) {
    const folder = join(all, name);
    if (statSync(folder).mtimeMs < before) rmSync(folder, { recursive: true, force: true });
  }
}
