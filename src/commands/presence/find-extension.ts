import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { lookupError } from '../../runtime/errors.ts';

/** The id of an extension named by the user; `~`, one's own, needs no lookup. */
export async function findExtension(api: Client, text: string, signal: AbortSignal): Promise<Id> {
  if (text === '~') return '~';
  const lookup = await openDirectory(api, signal).extension(text);
  if (!lookup.found) throw lookupError(lookup);
  return lookup.found.id;
}
