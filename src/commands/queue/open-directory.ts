import type { Client } from '../../client/index.ts';
import { Directory } from '../../features/directory/index.ts';

/** The account's names, read in the largest pages at the first question. */
export function openDirectory(api: Client, signal: AbortSignal): Directory {
  return new Directory(async () => {
    const extensions = [];
    for await (const extension of api.extensions.list({}, { signal })) extensions.push(extension);
    return extensions;
  });
}
