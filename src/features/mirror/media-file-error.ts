import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFailureReason } from '../../platform/file-failure.ts';

/** The error for one file of a folder that can be used. Other attachments are not affected. */
export class MediaFileError extends Error {
  override readonly name = 'MediaFileError';
  readonly code: string | undefined;
  readonly syscall: string | undefined;
  readonly path: string;

  constructor(path: string, cause: NodeJS.ErrnoException) {
    super(`${path}: ${fileFailureReason(cause)}`, { cause });
    this.code = cause.code;
    this.syscall = cause.syscall;
    this.path = path;
  }
}

/** Errors that concern the process, the system or the folder, although the folder permits access. */
const general = new Set(['EMFILE', 'ENFILE', 'ENOTDIR', 'EROFS']);

/** Returns the error to throw after a file could not be read or deleted: the error of its folder or of the file. */
export async function mediaFileError(path: string, error: unknown): Promise<Error> {
  const cause = error as NodeJS.ErrnoException;
  if (general.has(cause.code ?? '')) return Object.assign(cause, { path });
  try {
    await access(dirname(path), constants.W_OK | constants.X_OK);
    return new MediaFileError(path, cause);
  } catch (folderError) {
    return folderError as Error;
  }
}
