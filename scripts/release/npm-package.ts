import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** SHA-512 in the notation of npm. */
  readonly integrity: string;
}

/** Folder that keeps unpacked packages. */
const cache = join('node_modules', '.cache', 'ucctl-release');

/**
 * Downloads a package with npm, which also finds it in its cache, checks its content and unpacks it.
 * @returns the folder of the package.
 * @throws {Error} if npm cannot download it, or if its content differs from `integrity`.
 */
export function fetchPackage({ name, version, integrity }: NpmPackage): string {
  const folder = folderOf({ name, version });
  if (existsSync(folder)) return join(folder, 'package');
  const temporary = `${folder}.${process.pid}`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const args = [
    'pack',
    `${name}@${version}`,
    '--silent',
    '--prefer-offline',
    '--pack-destination',
    temporary,
  ];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [tarball = ''] = readdirSync(temporary);
  const digest = createHash('sha512')
    .update(readFileSync(join(temporary, tarball)))
    .digest('base64');
  if (`sha512-${digest}` !== integrity)
    throw new Error(`${name}@${version}: unexpected content (sha512-${digest})`);
  execFileSync('tar', ['-xzf', join(temporary, tarball), '-C', temporary]);
  rmSync(join(temporary, tarball));
  renameSync(temporary, folder);
  return join(folder, 'package');
}

/** Whether `fetchPackage` has unpacked a package before. */
export function isUnpacked(wanted: Omit<NpmPackage, 'integrity'>): boolean {
  return existsSync(folderOf(wanted));
}

function folderOf({ name, version }: Omit<NpmPackage, 'integrity'>): string {
  return join(cache, `${name.replace('/', '-')}-${version}`);
}

/** Version and integrity of a package in package-lock.json. */
export function lockedPackage(name: string): NpmPackage {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly version: string; readonly integrity: string }>>;
  };
  const locked = packages[`node_modules/${name}`];
  if (!locked) throw new Error(`package-lock.json does not contain ${name}`);
  return { name, version: locked.version, integrity: locked.integrity };
}
