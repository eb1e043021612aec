import { existsSync } from 'node:fs';
import { chmod, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { MediaStore } from '../../store/media-store.ts';
import { makeFolder } from '../../platform/make-folder.ts';
import { mediaFileError } from './media-file-error.ts';
import { hashOf } from './media.ts';
import { deleteFile } from '../../platform/delete-file.ts';

/** Returns the folder next to a database that contains the attachments. */
export function mediaFolder(database: string): string {
  return `${database}.media`;
}

/** Attachments in a folder that only its owner can read; each file has the name of its hash. */
export class FolderMedia implements MediaStore {
  readonly location: string;
  readonly unfinished: string;

  constructor(folder: string) {
    this.location = folder;
    this.unfinished = join(folder, 'unfinished');
  }

  /** Returns the path of the file with this hash. */
  fileOf(sha256: string): string {
    return join(this.location, sha256.slice(0, 2), sha256);
  }

  async put(file: string, { sha256 }: { readonly sha256: string }): Promise<void> {
    const target = this.fileOf(sha256);
    makeFolder(dirname(target), 0o700);
    await chmod(file, 0o600);
    if (existsSync(target)) await deleteFile(file);
    else await rename(file, target);
  }

  /** @throws {CommandError} `media_store` (exit 12) if the folder lacks the attachment. */
  async read(sha256: string): Promise<Uint8Array> {
    try {
      return await readFile(this.fileOf(sha256));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new CommandError(
        'media_store',
        Exit.local,
        `attachment ${sha256} not found in ${this.location}`,
        {
          hint: nextStep`if another machine copied it, use the same media-store setting on both machines; to copy missing attachments again: ${ucctl('sync --full --media')}`,
          cause: error,
        },
      );
    }
  }

  has(sha256: string): Promise<boolean> {
    return Promise.resolve(existsSync(this.fileOf(sha256)));
  }

  async hash(sha256: string): Promise<string | undefined> {
    const path = this.fileOf(sha256);
    try {
      return await hashOf(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw await mediaFileError(path, error);
    }
  }

  async remove(sha256: string): Promise<boolean> {
    const path = this.fileOf(sha256);
    try {
      await deleteFile(path);
    } catch (error) {
      throw await mediaFileError(path, error);
    }
    return true;
  }
}
