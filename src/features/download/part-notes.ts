import { constants } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';
import { isDiskFull } from './download-failure.ts';
import { deleteFile } from '../../platform/delete-file.ts';

/** A range of the file that one connection downloads; `next` is the first missing byte. */
export interface Segment {
  readonly first: number;
  next: number;
  /** Last byte, included in the range; undefined while the size is unknown. */
  last: number | undefined;
}

/** The recorded state of a partial file. */
export interface PartProgress {
  readonly validator: string | undefined;
  readonly contentType: string | undefined;
  readonly total: number | undefined;
  readonly segments: readonly Segment[];
}

/**
 * Reads the state of an earlier run for the same URL. Undefined if the state is unreadable, inconsistent or cannot be
 * resumed. Versions without `isStrong` also recorded dates that are not strong validators.
 */
export async function readNotes(part: string, uriHash: string): Promise<PartProgress | undefined> {
  try {
    const notes = JSON.parse(await readFile(`${part}.json`, 'utf8')) as PartProgress & {
      readonly uri: string;
      readonly isStrong?: boolean;
    };
    const { segments, total, validator } = notes;
    if (validator === undefined || !(notes.isStrong === true || validator.startsWith('"'))) return undefined;
    const isSound =
      notes.uri === uriHash &&
      segments.length > 0 &&
      segments.every(
        ({ first, next, last }) =>
          Number.isSafeInteger(first) &&
          Number.isSafeInteger(next) &&
          next >= first &&
          (last === undefined || next <= last + 1),
      ) &&
      (total !== undefined || segments.length === 1);
    return isSound ? notes : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes the state file.
 * @param hasNotes whether it already exists. If the disk is full, it is then overwritten, which needs no room.
 */
export async function writeNotes(file: string, text: string, hasNotes: boolean): Promise<void> {
  await deleteFile(`${file}.new`);
  try {
    await writeFile(`${file}.new`, text, { flag: 'wx', mode: 0o600 });
    await rename(`${file}.new`, file);
  } catch (error) {
    await deleteFile(`${file}.new`);
    if (!hasNotes || !isDiskFull(error)) throw error;
    await overwrite(file, text);
  }
}

/** Overwrites a file with one write, so that it is never incomplete. Spaces fill the rest of a longer earlier text. */
async function overwrite(file: string, text: string): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const { size } = await handle.stat();
    await handle.write(text.padEnd(size), 0);
  } finally {
    await handle.close();
  }
}
