import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { lookupError } from '../../errors/command.ts';
import { openDirectory } from './open.ts';

/**
 * Returns the IDs of extensions that are specified by number, name, e-mail or ID. `~`, the signed-in extension, is the
 * default and needs no lookup.
 * @throws {CommandError} for a name that is not found or ambiguous.
 */
export async function extensionIds(
  api: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly Id[]> {
  if (names.length === 0) return ['~'];
  const directory = openDirectory(api, signal);
  const ids: Id[] = [];
  for (const name of names) {
    const lookup = name === '~' ? { found: { id: '~' } } : await directory.extension(name);
    if (!lookup.found) throw lookupError(lookup);
    ids.push(lookup.found.id);
  }
  return ids;
}

/**
 * Returns the IDs of the extensions that a live command watches: the named extensions, or with `allExtensions` the
 * extensions of all users. The interface has no filter for the messages of a whole account, so each extension has its
 * own filters.
 */
export async function watchedExtensions(
  api: Client,
  { extension, allExtensions }: { readonly extension: readonly string[]; readonly allExtensions?: boolean },
  signal: AbortSignal,
): Promise<readonly Id[]> {
  if (!allExtensions) return extensionIds(api, extension, signal);
  const users = await api.extensions.all({ type: ['User'], status: ['Enabled'] }, { signal });
  return users.map(({ id }) => id);
}
