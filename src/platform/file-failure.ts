/** Returns the reason why a file could not be read or written, as text for people. */
export function fileFailureReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return reasons[code ?? ''] ?? message;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EISDIR: 'the path is a folder, not a file',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file size limit is reached (ulimit -f)',
  EROFS: 'the disk is read-only',
};
