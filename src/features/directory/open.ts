import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import type { Id } from '../../contract/common.ts';
import { lookupError } from '../../errors/command.ts';
import { Directory } from './directory.ts';

/** Returns the directory of the signed-in account, read at the first lookup in pages of the maximum size. */
export function openDirectory(api: Pick<Client, 'extensions'>, signal: AbortSignal): Directory {
  return new Directory(
    () => api.extensions.all({}, { signal }),
    () => api.extensions.get('~', { signal }),
    signal,
  );
}

/** Returns a directory with the extensions that a plan creates, which a list can name before they exist. */
export function withPlanned(directory: Directory, planned: readonly Extension[]): Directory {
  return planned.length === 0
    ? directory
    : new Directory(
        async () => [...planned, ...(await directory.all())],
        () => directory.own(),
        directory.signal,
      );
}

/**
 * Returns the ID of an extension that is specified by number, name, e-mail or ID; `~` needs no request.
 * @throws {CommandError} if no extension matches, or several extensions match.
 */
export async function extensionIdOf(
  api: Pick<Client, 'extensions'>,
  text: string,
  signal: AbortSignal,
): Promise<Id> {
  if (text === '~') return text;
  const lookup = await openDirectory(api, signal).extension(text);
  if (!lookup.found) throw lookupError(lookup);
  return lookup.found.id;
}
