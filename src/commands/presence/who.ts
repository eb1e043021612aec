import type { Client } from '../../client/index.ts';
import type { Id } from '../../contract/common.ts';
import type { Extension } from '../../contract/extension.ts';
import { openDirectory, type Directory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError } from '../../runtime/errors.ts';

/** Whom a command is about. */
export interface Person {
  readonly id: Id;
  /** For people; undefined for oneself, who is not looked up. */
  readonly extension: Extension | undefined;
}

export interface WhoOptions {
  readonly extensions: readonly string[];
  readonly queue?: string;
}

/** The extensions that are named, or the agents of a queue; oneself when neither is. */
export async function findPeople(
  ctx: Context,
  api: Client,
  { extensions, queue }: WhoOptions,
): Promise<readonly Person[]> {
  const directory = openDirectory(api, ctx.signal);
  if (queue !== undefined) return agentsOf(ctx, api, directory, queue);
  const people: Person[] = [];
  for (const text of extensions.length > 0 ? extensions : ['~']) {
    if (text === '~') {
      people.push({ id: '~', extension: undefined });
      continue;
    }
    const lookup = await directory.extension(text);
    if (!lookup.found) throw lookupError(lookup);
    people.push({ id: lookup.found.id, extension: lookup.found });
  }
  // Someone named in two ways is one person.
  return [...new Map(people.map((person) => [String(person.id), person])).values()];
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

/** `Mei Lin (106)` */
export function nameOf({ id, extension }: Person): string {
  if (!extension) return id === '~' ? 'you' : `extension ${id}`;
  const { name, extensionNumber } = extension;
  return extensionNumber === undefined ? name : `${name} (${extensionNumber})`;
}
