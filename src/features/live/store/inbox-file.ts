import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The database of a profile's events: of its first service, or of another one. */
export function inboxFile(stateFolder: string, profile: string, origin?: string): string {
  const part =
    origin === undefined ? '' : `@${createHash('sha256').update(origin).digest('hex').slice(0, 16)}`;
  return join(stateFolder, 'inbox', `${profile}${part}.db`);
}
