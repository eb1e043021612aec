import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Extension } from '../../contract/extension.ts';
import { Directory } from '../../features/directory/index.ts';
import { lookupError } from '../../runtime/errors.ts';

/** The id of an extension named by the user; `~`, one's own, needs no lookup. */
export async function findExtension(api: Client, text: string, signal: AbortSignal): Promise<Id> {
  if (text === '~') return '~';
  const directory = new Directory(async () => {
    const extensions: Extension[] = [];
    for await (const extension of api.extensions.list({}, { signal })) extensions.push(extension);
    return extensions;
  });
  const lookup = await directory.extension(text);
  if (!lookup.found) throw lookupError(lookup);
  return lookup.found.id;
}
