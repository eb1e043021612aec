import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packedTarball } from '../support/tarball.ts';

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly resolved?: string;
  readonly integrity?: string;
}
interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const lock = readJson('package-lock.json') as { readonly packages: Readonly<Record<string, LockedPackage>> };
const manifest = readJson('package.json') as Manifest;
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

/** What a user on 64-bit Linux with glibc gets. */
function isInstalledForUser({ dev, os, cpu, libc }: LockedPackage): boolean {
  const fits = (list: readonly string[] | undefined, value: string): boolean => !list || list.includes(value);
  return !dev && fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc');
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

describe('an install', () => {
  it('spec:CLIENT-7 installs at most 15 packages', () => {
    const packages = locked.filter(([, item]) => isInstalledForUser(item)).map(([path]) => path);
    expect(packages.length).toBeGreaterThan(2);
    expect(packages.length).toBeLessThanOrEqual(15);
  });

  it('spec:CLIENT-7 uses at most 50 MB', () => {
    const { unpackedSize } = packedTarball();
    const others = locked.filter(([, item]) => isInstalledForUser(item)).map(([path]) => bytesIn(path));
    expect(unpackedSize).toBeGreaterThan(1_000_000);
    expect(others.reduce((sum, bytes) => sum + bytes, unpackedSize)).toBeLessThanOrEqual(50_000_000);
  });

  it('needs no install script to work', () => {
    const scripted = locked
      .filter(([, item]) => item.hasInstallScript && !item.dev)
      .map(([path]) => path.replace(/^node_modules\//, ''));
    expect(scripted).toEqual(Object.keys(manifest.allowScripts));
    expect(Object.values(manifest.allowScripts)).toEqual(scripted.map(() => false));
  });

  it('is locked by content hashes, without the address of a registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(locked.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
  });

  it('pins every dependency exactly', () => {
    const ranges = Object.entries({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.devDependencies,
    }).filter(([, version]) => !/^(npm:[@\w/-]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version));
    expect(ranges).toEqual([]);
  });
});
