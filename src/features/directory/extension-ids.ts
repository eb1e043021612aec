import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Extension } from '../../contract/extension.ts';
import { lookupError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import { titleOf } from '../../runtime/with-number.ts';
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
  return (await namedExtensions(api, names, signal)).map(({ id }) => id);
}

type NamedExtension = { readonly id: '~' } | Extension;

async function namedExtensions(
  api: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<readonly NamedExtension[]> {
  if (names.length === 0) return [{ id: '~' }];
  const directory = openDirectory(api, signal);
  const extensions: NamedExtension[] = [];
  for (const name of names) {
    const lookup = name === '~' ? { found: { id: '~' } as const } : await directory.extension(name);
    if (!lookup.found) throw lookupError(lookup);
    extensions.push(lookup.found);
  }
  return extensions;
}

/**
 * Returns the IDs of the extensions that a live command watches: the named extensions, or with `allExtensions` the
 * extensions of all users. The interface has no filter for the messages of a whole account, so each extension has its
 * own filters. Warns about a queue, whose events do not include the calls of its agents.
 */
export async function watchedExtensions(
  { out, signal }: Pick<Context, 'out' | 'signal'>,
  api: Client,
  { extension, allExtensions }: { readonly extension: readonly string[]; readonly allExtensions?: boolean },
): Promise<readonly Id[]> {
  if (!allExtensions) {
    const named = await namedExtensions(api, extension, signal);
    for (const one of named) {
      if (!('type' in one) || one.type !== 'Department') continue;
      const queue = one.extensionNumber ?? String(one.id);
      out.warn(
        nextStep`${titleOf(one)} is a call queue, whose events do not include the calls of its agents; to watch the agents: ${ucctl`queue watch ${queue}`} or ${ucctl`presence watch --queue ${queue}`}`,
      );
    }
    return named.map(({ id }) => id);
  }
  const users = await api.extensions.all({ type: ['User'], status: ['Enabled'] }, { signal });
  return users.map(({ id }) => id);
}
