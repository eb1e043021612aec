import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { Directory } from './directory.ts';

/** The names of the signed-in account, read in the largest pages at the first question. */
export function openDirectory(api: Pick<Client, 'extensions'>, signal: AbortSignal): Directory {
  return new Directory(async () => {
    const extensions: Extension[] = [];
    for await (const extension of api.extensions.list({}, { signal })) extensions.push(extension);
    return extensions;
  });
}
