import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'postject';
import { fetchPackage, lockedPackage } from './npm-package.ts';
import { nodeVersion, ownTarget, targetOf, targets, type Target } from './targets.ts';

/** Node looks for this text in its own binary, and reads the assets if it ends with 1. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Folders and files of the package that the executable contains. */
const packed = ['bin/ucctl.cjs', 'dist/cli', 'dist/completion', 'dist/console', 'dist/man', 'dist/schema'];

export interface ExecutableOptions {
  /** A name in `targets`. */
  readonly target: string;
  /** File to write. */
  readonly file: string;
}

/**
 * Makes the single executable of ucctl for a platform: Node, with the files of `dist` as assets, and code that V8 has compiled if
 * the platform is the one of this machine. `dist` must be current.
 */
export async function makeExecutable({ target: name, file }: ExecutableOptions): Promise<void> {
  const target = targetOf(name);
  const work = mkdtempSync(join(tmpdir(), 'ucctl-executable-'));
  try {
    const assets = Object.fromEntries(packageFiles().map((path) => [path, path]));
    assets['native/@napi-rs/keyring.node'] = addonFile(target);
    if (name === ownTarget) Object.assign(assets, compile(nodeBinary(target), join(work, 'compiled')));
    const blob = makeBlob(fetchNode(), assets, work);
    mkdirSync(join(file, '..'), { recursive: true });
    copyFileSync(nodeBinary(target), file);
    chmodSync(file, 0o755);
    // Symbols are useful for debuggers only. Without them, the file is smaller by a tenth.
    if (name.startsWith('linux')) spawnSync('strip', [file], { stdio: 'ignore' });
    await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: fuse });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The folder of Node in the version of the executable. @throws {Error} if npm cannot download it. */
export function nodeFolder({ nodePackage, integrity }: Target): string {
  return fetchPackage({ name: nodePackage, version: nodeVersion, integrity });
}

/** The file of Node, whose libraries are those of the executable. @throws {Error} if npm cannot download it. */
export function nodeBinary(target: Target): string {
  return join(nodeFolder(target), target.binary);
}

/** Node in the version of the executable, for this machine. @throws {Error} if npm cannot download it. */
export function fetchNode(): string {
  const target = targets[ownTarget];
  if (!target) throw new Error(`executables cannot be built on ${ownTarget}`);
  return nodeBinary(target);
}

/** The folder of the keychain addon. @throws {Error} if npm cannot download it. */
export function addonFolder({ keyringPackage }: Target): string {
  return fetchPackage(lockedPackage(keyringPackage));
}

/** The file of the keychain addon. @throws {Error} if npm cannot download it. */
export function addonFile(target: Target): string {
  const folder = addonFolder(target);
  const addon = readdirSync(folder).find((file) => file.endsWith('.node'));
  if (addon === undefined) throw new Error(`${target.keyringPackage} contains no addon`);
  return join(folder, addon);
}

function packageFiles(): readonly string[] {
  return packed.flatMap((path) => (path.endsWith('.cjs') ? [path] : filesBelow(path))).toSorted();
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * Runs ucctl with this Node and returns the compiled code of its files as assets.
 * @throws {Error} if a run ends with another exit code than expected, because its code would be missing.
 */
function compile(node: string, folder: string): Readonly<Record<string, string>> {
  const home = `${folder}-home`;
  mkdirSync(home, { recursive: true });
  // --predictable makes V8 compile the same bytes in every build, which the executable accepts without this flag.
  const sandbox = ['--predictable', 'scripts/release/executable/compile.cjs', '.', folder, 'sandbox', 'exec'];
  const warmUp = [node, 'scripts/release/executable/warm-up.cjs', '.', folder];
  const { status, stderr } = spawnSync(node, [...sandbox, '--', ...warmUp], {
    env: { PATH: process.env['PATH'], HOME: home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the warm-up runs failed: ${stderr}`);
  return Object.fromEntries(
    filesBelow(folder)
      .toSorted()
      .map((file) => [`compiled/${file.slice(folder.length + 1)}`, file]),
  );
}

function makeBlob(node: string, assets: Readonly<Record<string, string>>, work: string): Buffer {
  const output = join(work, 'blob');
  const config = join(work, 'config.json');
  writeFileSync(
    config,
    JSON.stringify({
      main: 'scripts/release/executable/boot.cjs',
      output,
      disableExperimentalSEAWarning: true,
      // NODE_OPTIONS in the environment could load other code into this program.
      execArgvExtension: 'none',
      // Megabytes. With the default of 1, V8 collects garbage twice during one request.
      execArgv: ['--min-semi-space-size=4'],
      assets,
    }),
  );
  execFileSync(node, ['--experimental-sea-config', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  return readFileSync(output);
}
