import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { isNullDevice } from '../../platform/atomic-file.ts';
import { linkTarget } from '../../platform/link-target.ts';
import { holderText, resumeHint } from '../../platform/lock-holder.ts';
import { LockTimeoutError, withProcessLock } from '../../platform/process-lock.ts';
import { replaceContent } from '../../platform/replace-content.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';
import { pathLock } from '../../platform/path-lock.ts';

/** Checksums by file name, which is the path relative to the folder of the manifest, with forward slashes. */
export type Checksums = ReadonlyMap<string, string>;

/**
 * Reads the checksums of a manifest in the format of `sha256sum`; an empty map if the file does not exist.
 * @throws {CommandError} `usage` if the file is not a manifest and would be overwritten; `no_manifest` if it cannot be
 * read.
 */
export async function readManifest(file: string): Promise<Checksums> {
  let text: string;
  try {
    if (await isNullDevice(file)) return new Map();
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw new CommandError('no_manifest', Exit.local, `cannot read ${file}: ${fileFailureReason(error)}`, {
      hint: 'choose another file with --manifest',
      cause: error,
    });
  }
  const sums = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue;
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined) {
      throw usageError(`${file} is not a valid checksum list`, 'choose another file with --manifest');
    }
    sums.set(name, sum);
  }
  return sums;
}

/** Returns the name of a file in a manifest. Both paths are absolute. */
export function nameInManifest(manifest: string, file: string): string {
  return relative(dirname(manifest), file).replaceAll('\\', '/');
}

/**
 * Adds checksums to a manifest that `sha256sum -c` can check in its folder. Each file has one line, and existing
 * entries are updated. A lock in the state folder protects the entries that another download adds at the same time.
 * @param sums checksums by absolute path
 * @throws {CommandError} `busy` (exit 11) if another process does not release the lock. @throws the errors of
 * `readManifest`.
 */
export async function addToManifest(
  file: string,
  sums: ReadonlyMap<string, string>,
  stateFolder: string,
): Promise<void> {
  if (sums.size === 0) return;
  const add = async (): Promise<void> => {
    const known = new Map(await readManifest(file));
    for (const [path, sum] of sums) known.set(nameInManifest(file, path), sum);
    const lines = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`);
    await replaceContent(file, lines.join(''));
  };
  try {
    // After Ctrl-C, the checksums of the complete files are still added.
    await withProcessLock(pathLock(stateFolder, 'download', linkTarget(file)), {}, add);
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error;
    throw new CommandError(
      'busy',
      Exit.conflict,
      `another download writes ${file}${holderText(error.holder)}`,
      {
        hint: resumeHint(error.holder) ?? 'wait until that download ends, and run the same command again',
        retryable: true,
        cause: error,
      },
    );
  }
}
