import { lookupTable } from './lookup-table.ts';

/** Whether the system rejected the use of a file or folder. */
export function isFileError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall !== undefined && path !== undefined;
}

/** Returns the reason why a file could not be read or written, as text for people. */
export function fileFailureReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

const reasons: Readonly<Record<string, string>> = lookupTable({
  ENOENT: 'file not found',
  EISDIR: 'the path is a folder, not a file',
  ERR_FS_EISDIR: 'the path is a folder, not a file',
  ESPIPE: 'the path is a pipe or device, not a file',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ERR_FS_FILE_TOO_LARGE: 'the content is larger than 512 MB',
  EFBIG: 'the file size limit is reached (ulimit -f)',
  EROFS: 'the disk is read-only',
  EIO: 'the disk failed to read or write',
  EBUSY: 'the system is using the path, for example as a mount point',
  EMFILE: 'this process has too many open files (ulimit -n)',
  ENFILE: 'this machine has too many open files',
});

/** Returns the next step after a file could not be read or written, if the reason does not imply it. */
export function fileFailureHint(error: unknown): string | undefined {
  return hints[(error as NodeJS.ErrnoException).code ?? ''];
}

const hints: Readonly<Record<string, string>> = lookupTable({
  ENOSPC: 'free up space on the disk',
  EDQUOT: 'free up space in your quota',
  EFBIG: 'raise the limit of the shell (ulimit -f unlimited)',
  ESPIPE: 'specify a file',
  EROFS: 'use a folder on another disk',
  EIO: 'check the disk for errors',
  EMFILE: 'raise the limit of the shell (ulimit -n)',
  ENFILE: 'end programs that have many open files',
});
