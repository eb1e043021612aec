import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Returns the path of the inbox of a profile: for its first service, or for the service at `origin`. */
export function inboxFile(stateFolder: string, profile: string, origin?: string): string {
  const part =
    origin === undefined ? '' : `@${createHash('sha256').update(origin).digest('hex').slice(0, 16)}`;
  return join(stateFolder, 'inbox', `${profile}${part}.db`);
}
