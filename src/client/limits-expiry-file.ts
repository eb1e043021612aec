import { join } from 'node:path';

/**
 * The file whose modification time shows until when the shared database may have relevant entries. Reading that time
 * takes one system call.
 */
export function limitsExpiryFile(folder: string): string {
  return join(folder, 'rate-limits.near');
}
