import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { librariesOf } from '../../scripts/release/system-libraries.ts';
import { isUnpacked } from '../../scripts/release/npm-package.ts';
import { nodeVersion, ownTarget, targets } from '../../scripts/release/targets.ts';
import { startProcess } from './process.ts';
import { unlessRequired } from './required.ts';

/** Why the single executable for this machine cannot be made here; undefined if it can. */
export function releaseMissing(): string | undefined {
  const target = targets[ownTarget];
  if (!target) return `there is no executable for ${ownTarget}`;
  // npm takes more than a second of processor time to find the package in its cache.
  if (isUnpacked({ name: target.nodePackage, version: nodeVersion })) return undefined;
  const name = `${target.nodePackage}@${nodeVersion}`;
  const args = ['pack', '--offline', '--silent', '--dry-run', name];
  const { status } = spawnSync('npm', args, { cwd: tmpdir(), stdio: 'ignore' });
  return unlessRequired('npm-cache', status === 0 ? undefined : `npm's cache does not contain ${name}`);
}

/**
 * Makes parts of a release below a folder, in an account whose files are private, and returns the path of the single
 * executable.
 */
export async function makeRelease(dir: string, ...parts: readonly string[]): Promise<string> {
  // No test depends on the size of a package. Level 9 takes three seconds of processor time. Tests unpack the image twice,
  // which takes half the processor time without compression.
  const args = ['scripts/run.mjs', 'release', ...parts, '--dir', dir, '--level', '0'];
  const inAccount = ['-c', 'umask 077 && exec "$@"', 'sh', process.execPath, ...args];
  const env = { HOME: process.env['HOME'] ?? '' };
  const { exit, stderr } = await startProcess('sh', inAccount, { env }).ended;
  if (exit !== 0) throw new Error(`the release cannot be made: ${stderr}`);
  return join(dir, readdirSync(dir).find((name) => name.endsWith(ownTarget)) ?? '');
}

/** Why no program can be run in a folder as root folder; undefined if it can. */
export function chrootMissing(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'chroot needs root on Linux';
  return undefined;
}

/**
 * A root folder that contains the libraries of an executable and nothing else. Its own path is valid in it too, so that
 * arguments with paths below it mean the same files inside and outside.
 */
export function makeRoot(root: string, executable: string): void {
  for (const library of librariesOf(executable)) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  mkdirSync(join(root, 'tmp'), { recursive: true });
  mkdirSync(join(root, dirname(root)), { recursive: true });
  symlinkSync('/', join(root, root));
}
