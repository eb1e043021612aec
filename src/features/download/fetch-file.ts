import { createHash } from 'node:crypto';
import { createReadStream, lstatSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { syncFolder } from '../../platform/atomic-file.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { FetchJob } from './fetch-job.ts';
import type { Fetched, FetchOptions } from './fetch-options.ts';
import { PartFile } from './part-file.ts';
import { existsError, noFolder, notAFile } from './trouble.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/**
 * Downloads one file, never a corrupt one: what exists under the name is either whole or untouched (reliability notes, section 7).
 * @throws {CommandError} `exists`, `not_a_file`, `not_media`, `disk_full`, `bad_reply`, `changing`, `cut`. @throws what the client throws.
 */
export async function fetchFile(options: FetchOptions): Promise<Fetched> {
  const file = await targetOf(options);
  // Not awaited: one look costs a tenth of the way through the pool of threads, and of small files there are thousands.
  const there = lstatSync(file, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) throw notAFile(file, 'a symbolic link');
  if (there && !there.isFile()) throw notAFile(file, 'no plain file');
  if (there && options.existing === 'refuse') throw existsError(file);
  if (there && options.existing !== 'clobber') {
    return {
      status: 'exists',
      file,
      bytes: there.size,
      contentType: undefined,
      sha256: options.wantsOldChecksum ? await checksumOf(file) : undefined,
      warnings: [],
    };
  }
  const { part, progress } = await PartFile.open(file, options.uri, {
    resume: options.existing === 'continue',
    openFile: options.openFile,
  });
  const job = new FetchJob(options, file, part);
  try {
    if (progress) job.resume(progress.segments, progress);
    await job.run();
    options.onRead?.();
    const fetched = await job.finish();
    if (!options.isFolderReady) await syncFolder(dirname(file));
    return fetched;
  } catch (error) {
    throw await job.giveUp(error);
  } finally {
    await part.close();
  }
}

/** Makes the folder when it is not there. @returns its real path. @throws {CommandError} `no_folder` (exit 12) when it cannot be created. */
export async function readyFolder(folder: string): Promise<string> {
  try {
    makeFolder(folder);
  } catch (error) {
    throw noFolder(folder, error);
  }
  return realpath(folder);
}

/** The absolute path, inside the real folder. */
async function targetOf({ folder, name, isFolderReady }: FetchOptions): Promise<string> {
  if (basename(name) !== name || name === '' || name === '.' || name === '..') {
    throw new CommandError('unsafe_name', Exit.local, `"${name}" is no name of a file in the folder`);
  }
  return join(isFolderReady ? folder : await readyFolder(folder), name);
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}
