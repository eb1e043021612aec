import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { lookupError } from '../../errors/command.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { company } from '../../runtime/lookup.ts';
import { hoursItem, valuesOf } from '../../features/hours/index.ts';
import type { Context } from '../../runtime/context.ts';
import { titleOf } from '../../runtime/with-number.ts';
import type { HoursRow } from './hours.rows.ts';

/** Options that select business hours. */
export interface OwnerOptions {
  readonly owners: readonly string[];
  readonly queues?: boolean;
}

/**
 * Yields the business hours of the company, of the named extensions, or of all queues, one after the other and each once.
 * @param itemOf returns the row of an owner
 */
export async function* readHours(
  ctx: Context,
  options: OwnerOptions,
  itemOf: typeof hoursItem = hoursItem,
): AsyncGenerator<HoursRow, void, undefined> {
  const api = await ctx.api();
  const { signal } = ctx;
  for (const owner of await ownersOf(ctx, api, options)) {
    const isCompany = owner === company;
    const hours = await api.businessHours.get(isCompany ? company : { extensionId: owner.id }, { signal });
    const name = isCompany ? 'Company' : titleOf(owner);
    yield itemOf(isCompany ? company : String(owner.id), name, valuesOf(hours));
  }
}

async function ownersOf(
  { signal }: Context,
  api: Client,
  { owners, queues }: OwnerOptions,
): Promise<readonly (typeof company | Extension)[]> {
  if (owners.length === 0 && !queues) return [company];
  const directory = openDirectory(api, signal);
  const found = new Set<typeof company | Extension>();
  for (const name of owners) {
    const lookup = name.toLowerCase() === company ? undefined : await directory.extension(name);
    if (lookup && !lookup.found) throw lookupError(lookup);
    found.add(lookup?.found ?? company);
  }
  if (queues) {
    for (const one of await directory.all()) if (one.type === 'Department') found.add(one);
  }
  return [...found];
}
