import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Extension } from '../../contract/extension.ts';
import type { Presence } from '../../contract/presence.ts';
import { openDirectory, type Directory } from '../../features/directory/index.ts';
import { knownExtensions } from '../../features/known-values/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError, usageError, type CommandError } from '../../errors/command.ts';
import { hintText } from '../../errors/hint.ts';
import type { FailedLookup } from '../../runtime/lookup.ts';

/** A person that a command reads or changes. */
export interface Person {
  readonly id: Id;
  /** Undefined for the signed-in extension, which is not looked up. */
  readonly extension: Extension | undefined;
}

export interface WhoOptions {
  readonly extensions: readonly string[];
  readonly queue?: string;
}

/** Returns the given extensions, or the agents of a queue; by default the signed-in extension. */
export async function findPeople(
  ctx: Context,
  api: Client,
  { extensions, queue }: WhoOptions,
  directory: Directory = openDirectory(api, ctx.signal),
): Promise<readonly Person[]> {
  if (queue !== undefined) return agentsOf(ctx, api, directory, queue);
  const people: Person[] = [];
  const misses: FailedLookup[] = [];
  for (const text of extensions.length > 0 ? extensions : ['~']) {
    if (text === '~') {
      people.push({ id: '~', extension: undefined });
      continue;
    }
    const lookup = await directory.extension(text);
    if (lookup.found) people.push({ id: lookup.found.id, extension: lookup.found });
    else misses.push(lookup);
  }
  if (misses.length > 0) throw missesError(misses);
  // Two names may refer to the same person.
  return [...new Map(people.map((person) => [String(person.id), person])).values()];
}

/** Returns one error for all names that were not found. */
function missesError(misses: readonly FailedLookup[]): CommandError {
  const [only, second] = misses;
  if (only && !second) return lookupError(only);
  const allUnknown = misses.every(({ kind }) => kind === 'unknown');
  return (allUnknown ? notFoundError : usageError)(
    `${misses.length} names not found`,
    'fix the names; nothing was sent',
    misses.flatMap(({ message, hint, near, details }) => [
      near ? `${message} (${hintText(hint)})` : message,
      ...details.map((candidate) => `  ${candidate}`),
    ]),
  );
}

async function agentsOf(
  ctx: Context,
  api: Client,
  directory: Directory,
  text: string,
): Promise<readonly Person[]> {
  const queue = await directory.queue(text);
  if (!queue.found) throw lookupError(queue);
  const people: Person[] = [];
  for await (const { id } of api.departments.members(queue.found.id, { signal: ctx.signal })) {
    people.push({ id, extension: await directory.byId(id) });
  }
  return people;
}

/** Returns the name of a person for messages, e.g. `Mei Lin (106)`. */
export function nameOf({ id, extension }: Person): string {
  if (!extension) return id === '~' ? 'you' : `extension ${id}`;
  const { name, extensionNumber } = extension;
  return extensionNumber === undefined ? name : `${name} (${extensionNumber})`;
}

/**
 * Returns the name of a person for the record of a presence, if a table shows it: as looked up, or from earlier lists. Sends no
 * requests.
 */
export function shownName(
  ctx: Context,
  { extension }: Person,
  { extension: { id } }: Presence,
): string | undefined {
  if (ctx.out.format !== 'table') return undefined;
  const known = extension ?? knownExtensions(ctx).find((one) => one.id === String(id));
  return known?.name;
}
