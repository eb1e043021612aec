import type { Client } from '../../client/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, lookupError, notFoundError } from '../../runtime/errors.ts';

/** The extension numbers of receivers, each once; names are looked up. @throws {CommandError} for a name that leads nowhere. */
export async function receivers(
  ctx: Context,
  api: Client,
  names: readonly string[],
): Promise<readonly string[]> {
  const directory = openDirectory(api, ctx.signal);
  const numbers = new Set<string>();
  for (const name of names) numbers.add(/^\d{1,8}$/.test(name) ? name : await numberOf(directory, name));
  return [...numbers];
}

async function numberOf(directory: ReturnType<typeof openDirectory>, name: string): Promise<string> {
  const lookup = await directory.extension(name);
  if (!lookup.found) throw lookupError(lookup);
  const { extensionNumber } = lookup.found;
  if (extensionNumber === undefined)
    throw notFoundError(`${name} has no extension number`, 'it cannot receive messages');
  return extensionNumber;
}

/** The signed-in user's own extension number, which a page must name as its sender. */
export async function ownExtension(ctx: Context, api: Client): Promise<string> {
  const { extension } = await api.presence.get('~', {}, { signal: ctx.signal });
  if (extension.extensionNumber !== undefined) return extension.extensionNumber;
  throw new CommandError('no_extension_number', Exit.failed, 'your extension has no number to send from');
}
