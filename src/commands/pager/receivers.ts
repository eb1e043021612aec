import type { Client } from '../../client/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, lookupError, notFoundError } from '../../errors/command.ts';

/** A recipient of a pager message. */
export interface Receiver {
  readonly extensionNumber: string;
  /** The recipient in messages: `201 (Support, a queue)` if given by name, otherwise the number. */
  readonly shown: string;
}

/** Looks up the recipients, without duplicates. @throws {CommandError} for a name that is not found. */
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
    throw notFoundError(
      `"${typed}" cannot receive pager messages, because it has no extension number`,
      'specify an extension with a number',
    );
  const what = [name, ...(type === 'Department' ? ['a queue'] : [])].filter(Boolean).join(', ');
  return { extensionNumber, shown: what === '' ? extensionNumber : `${extensionNumber} (${what})` };
}

/** Returns the signed-in user's extension number, which is required as the sender of a pager message. */
export async function ownExtension(ctx: Context, api: Client): Promise<string> {
  const { extension } = await api.presence.get('~', {}, { signal: ctx.signal });
  if (extension.extensionNumber !== undefined) return extension.extensionNumber;
  throw new CommandError(
    'no_extension_number',
    Exit.failed,
    'your extension cannot send pager messages, because it has no number',
    { hint: 'ask an administrator for an extension number' },
  );
}
