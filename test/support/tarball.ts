import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTypesIfDue } from '../../scripts/build-if-due.mjs';

/** What `npm pack` prints. */
interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Bytes of all files. */
  readonly unpackedSize: number;
}

export interface Tarball extends Omit<Packed, 'filename'> {
  /** Path of the packed file. */
  readonly file: string;
}

/**
 * What npm packs. The first test file that needs it packs for the whole run, into its folder for temporary files,
 * which global-setup.ts removes.
 */
export function packedTarball(): Tarball {
  const folder = join(tmpdir(), 'packed');
  if (!existsSync(folder)) pack(folder);
  const { filename, ...rest } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as Packed;
  return { ...rest, file: join(folder, filename) };
}

function pack(folder: string): void {
  buildTypesIfDue();
  const own = `${folder}-${process.pid}`;
  mkdirSync(own);
  const args = ['pack', '--ignore-scripts', '--offline', '--json', '--pack-destination', own];
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [Packed];
  writeFileSync(join(own, 'result.json'), JSON.stringify(packed));
  try {
    renameSync(own, folder);
  } catch (error) {
    // Two workers may pack at the same time; the first one to end keeps its folder.
    rmSync(own, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}
