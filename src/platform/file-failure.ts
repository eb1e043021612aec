/** Why a file could not be read or written, as text for people. */
export function fileFailureReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'it is a directory, not a file',
  ENOTDIR: 'part of the path is not a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file size limit is reached (ulimit -f)',
  EROFS: 'the disk is read-only',
};
