import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { ownProcess } from '../../platform/own-process.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

/** The environment of this process: its file, search path and current folder. */
export interface OwnStart {
  /** Path of the started file, which is often a symbolic link. */
  readonly program: string | undefined;
  readonly path: string | undefined;
  readonly cwd: string;
}

/**
 * Returns the command that runs this program in another terminal: `ucctl` if the PATH finds this program, `npx ucctl`
 * if npx finds it in this folder, else `node` with its file, or the file of the single executable.
 */
export function ownCommand({ program, path = '', cwd }: OwnStart): string {
  const real = program === undefined ? undefined : realFile(program);
  if (program === undefined || real === undefined) return 'ucctl';
  // npx and npm add node_modules/.bin folders only to the PATH of processes that they start.
  const folders = path
    .split(delimiter)
    .filter((folder) => !/(^|[/\\])node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const named = folders.map((folder) => realFile(join(folder, 'ucctl'))).find((file) => file !== undefined);
  if (named === real) return 'ucctl';
  if (program === ownProcess.executable) return shellWord(program);
  return foundByNpx(cwd) === real ? 'npx ucctl' : `node ${shellWord(program)}`;
}

/**
 * Returns the file that `npx ucctl` runs in a folder: the file that is installed in this folder or a parent folder,
 * otherwise the bin of the nearest package.
 */
function foundByNpx(cwd: string): string | undefined {
  const folders = [...upwards(cwd)];
  const installed = folders.map((folder) => realFile(join(folder, 'node_modules', '.bin', 'ucctl')));
  const nearest = folders.find((folder) => existsSync(join(folder, 'package.json')));
  return installed.find((file) => file !== undefined) ?? (nearest && ownBin(nearest));
}

function ownBin(folder: string): string | undefined {
  try {
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly bin?: Readonly<Record<string, string>>;
    };
    return bin?.['ucctl'] === undefined ? undefined : realFile(resolve(folder, bin['ucctl']));
  } catch {
    // A package.json that is not valid JSON is skipped, because npx cannot use it.
    return undefined;
  }
}

function* upwards(folder: string): Generator<string, void, undefined> {
  yield folder;
  if (dirname(folder) !== folder) yield* upwards(dirname(folder));
}

/** Resolves symbolic links; undefined if the file does not exist. */
function realFile(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
