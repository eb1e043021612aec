import { join } from 'node:path';

/** The file whose time says until when the database beside it may hold news. Reading that costs one system call. */
export function newsFile(folder: string): string {
  return join(folder, 'rate-limits.near');
}
