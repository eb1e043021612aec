import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { shellQuoted } from './shell-quoted.ts';

/** How this process was started. */
export interface OwnStart {
  /** The file that was started, as it was named: often a link. */
  readonly program: string | undefined;
  readonly path: string | undefined;
  readonly cwd: string;
}

/**
 * What runs this very program when it is pasted into another terminal: `ucctl` where that name leads to it, `npx ucctl` where npx would find
 * it in this folder, its file otherwise.
 */
export function ownCommand({ program, path = '', cwd }: OwnStart): string {
  const real = program === undefined ? undefined : realFile(program);
  if (program === undefined || real === undefined) return 'ucctl';
  // npx and npm put such folders before the PATH; another terminal does not have them.
  const folders = path
    .split(delimiter)
    .filter((folder) => !/(^|[/\\])node_modules[/\\]\.bin[/\\]?$/.test(folder));
  const named = folders.map((folder) => realFile(join(folder, 'ucctl'))).find((file) => file !== undefined);
  if (named === real) return 'ucctl';
  return foundByNpx(cwd) === real ? 'npx ucctl' : `node ${shellWord(program)}`;
}

/** What `npx ucctl` runs in a folder: what is installed there or above, else what the nearest package itself offers. */
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
    // A package.json that npx cannot read either.
    return undefined;
  }
}

function* upwards(folder: string): Generator<string, void, undefined> {
  yield folder;
  if (dirname(folder) !== folder) yield* upwards(dirname(folder));
}

/** Undefined where there is no such file. */
function realFile(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}

/** Quoted only where it must be. */
function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : shellQuoted(text);
}
