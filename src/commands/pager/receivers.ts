import type { Client } from '../../client/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, lookupError, notFoundError } from '../../errors/command.ts';

/** Whom a page goes to. */
export interface Receiver {
  readonly extensionNumber: string;
  /** `201 (Support, a queue)` where it was named, else the number alone. */
  readonly shown: string;
}

/** The receivers, each once; names are looked up. @throws {CommandError} for a name that leads nowhere. */
export async function receivers(
  ctx: Context,
  api: Client,
  names: readonly string[],
): Promise<readonly Receiver[]> {
  const directory = openDirectory(api, ctx.signal);
  const found = new Map<string, Receiver>();
  for (const name of names) {
    const one = /^\d{1,8}$/.test(name)
      ? { extensionNumber: name, shown: name }
      : await named(directory, name);
    found.set(one.extensionNumber, found.get(one.extensionNumber) ?? one);
  }
  return [...found.values()];
}

async function named(directory: ReturnType<typeof openDirectory>, typed: string): Promise<Receiver> {
  const lookup = await directory.extension(typed);
  if (!lookup.found) throw lookupError(lookup);
  const { extensionNumber, name, type } = lookup.found;
  if (extensionNumber === undefined)
    throw notFoundError(`${typed} has no extension number`, 'it cannot receive messages');
  const what = [name, ...(type === 'Department' ? ['a queue'] : [])].filter(Boolean).join(', ');
  return { extensionNumber, shown: what === '' ? extensionNumber : `${extensionNumber} (${what})` };
}

/** The signed-in user's own extension number, which a page must name as its sender. */
export async function ownExtension(ctx: Context, api: Client): Promise<string> {
  const { extension } = await api.presence.get('~', {}, { signal: ctx.signal });
  if (extension.extensionNumber !== undefined) return extension.extensionNumber;
  throw new CommandError('no_extension_number', Exit.failed, 'your extension has no number to send from');
}
