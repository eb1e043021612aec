import { join } from 'node:path';

/**
 * Returns the file whose modification time is the time until which the shared database may contain relevant entries.
 * Reading that time takes one system call.
 */
export function limitsExpiryFile(folder: string): string {
  return join(folder, 'rate-limits.near');
}
