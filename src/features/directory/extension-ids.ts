import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import { lookupError } from '../../errors/command.ts';
import { openDirectory } from './open.ts';

/** Ids of extensions named by number, name, e-mail or id; `~`, one's own, stays, and is what no name means. @throws {CommandError} */
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

/** What people call the extensions, by id. Empty for an app that may not read them. */
export async function extensionNames(api: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  try {
    for (const { id, name, extensionNumber } of await openDirectory(api, signal).all()) {
      names.set(String(id), extensionNumber ? `${name} (${extensionNumber})` : name);
    }
  } catch {
    return new Map();
  }
  return names;
}
