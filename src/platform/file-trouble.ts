/** Why a file could not be read or written, in words for people. */
export function fileTrouble(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return troubles[code ?? ''] ?? message;
}

const troubles: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ENOSPC: 'the disk is full',
  EFBIG: 'the limit on the size of files is reached (ulimit -f)',
  EROFS: 'the disk is read-only',
};
