import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError, Exit } from '../../runtime/errors.ts';
import { FetchJob } from './fetch-job.ts';
import type { Fetched, FetchOptions } from './fetch-options.ts';
import { PartFile } from './part-file.ts';
import { existsError, notAFile } from './trouble.ts';

/**
 * Downloads one file, never a corrupt one: what exists under the name is either whole or untouched (reliability notes, section 7).
 * @throws {CommandError} `exists`, `not_a_file`, `not_media`, `disk_full`, `bad_reply`, `changing`, `cut`. @throws what the client throws.
 */
export async function fetchFile(options: FetchOptions): Promise<Fetched> {
  const file = await targetOf(options);
  const there = await lstat(file).catch(() => undefined);
  if (there?.isSymbolicLink()) throw notAFile(file, 'a symbolic link');
  if (there && !there.isFile()) throw notAFile(file, 'no plain file');
  if (there && options.existing === 'refuse') throw existsError(file);
  if (there && options.existing !== 'clobber') {
    return {
      status: 'exists',
      file,
      bytes: there.size,
      contentType: undefined,
      sha256: undefined,
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
    return await job.finish();
  } catch (error) {
    throw await job.giveUp(error);
  } finally {
    await part.close();
  }
}

/** The absolute path, inside the real folder. */
async function targetOf({ folder, name }: FetchOptions): Promise<string> {
  if (basename(name) !== name || name === '' || name === '.' || name === '..') {
    throw new CommandError('unsafe_name', Exit.local, `"${name}" is no name of a file in the folder`);
  }
  await mkdir(folder, { recursive: true });
  return join(await realpath(folder), name);
}
