import type { Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import { extensionBulkUpdate, maxPerPage } from '../../contract/limits.ts';
import { ucctl } from '../../errors/hint.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import type { Context } from '../../runtime/context.ts';
import {
  fileValues,
  omittedValues,
  whoChanged,
  type PresentResource,
  type ResourceKind,
  type Values,
} from '../resource-plan/index.ts';
import { canRemove, isPerson, personSettings, updateOf, valuesOf } from './settings.ts';
import { runUpdateTask } from './task.ts';

/** Kind of the runs that change people, in the journal. */
export const peopleRunKind = 'agent.settings';
/** Maximum number of people that are read one by one; for more people, the whole directory is read. */
const mostSingleReads = 5;

/** People of an account: their current settings, and the names of their sites. */
export interface People {
  readonly kind: ResourceKind;
  /** Every person of the account. Reads them at the first call. */
  all(): Promise<readonly Extension[]>;
  /** Returns the IDs of the sites that people of the account have, by name. */
  sites(): Promise<ReadonlyMap<string, string>>;
}

/**
 * Returns the settings of people as resources, which `extension-bulk-update` changes.
 * @param readKnown returns the extensions of the account, if they have already been read
 */
export function openPeople(
  ctx: Context,
  api: Client,
  readKnown?: () => Promise<readonly Extension[]>,
): People {
  let known: Promise<readonly Extension[]> | undefined;
  const readAll = (signal?: AbortSignal): Promise<readonly Extension[]> => api.extensions.all({}, { signal });
  const all = (): Promise<readonly Extension[]> => (known ??= readKnown?.() ?? readAll(ctx.signal));
  const sites = async (): Promise<ReadonlyMap<string, string>> => {
    const pairs = (await all()).flatMap(({ site }) =>
      site?.id === undefined ? [] : [[site.name ?? site.id, site.id] as const],
    );
    return new Map(pairs);
  };
  const kind: ResourceKind = {
    run: peopleRunKind,
    noun: 'user',
    what: 'change of people',
    label: 'changing people',
    resume: ucctl('agent apply --resume'),
    maxItems: extensionBulkUpdate.records,
    unique: ['extensionNumber', 'email'],
    canRemove,
    groups: { read: 'Medium', readItems: maxPerPage, update: 'Heavy' },
    async read(refs, signal) {
      const ids = new Set(refs.map(({ key }) => key));
      const found =
        ids.size <= mostSingleReads
          ? (await Promise.all([...ids].map((id) => readPerson(api, id, signal)))).flatMap((one) => one ?? [])
          : (await readAll(signal)).filter(({ id }) => ids.has(String(id)));
      return new Map(found.map((one) => [String(one.id), presentOf(one)]));
    },
    async send(changes) {
      const named = await sites();
      const records = changes.map(({ key, after }) =>
        updateOf(key, after, (name) => named.get(name) ?? name),
      );
      return runUpdateTask(ctx, api, records);
    },
    whoChanged: (refs) =>
      whoChanged(
        ctx,
        api,
        refs.map(({ key }) => key),
      ),
  };
  return { kind, all: async () => (await all()).filter(isPerson), sites };
}

/** Returns a person; undefined if the person no longer exists. */
async function readPerson(
  api: Pick<Client, 'extensions'>,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Extension | undefined> {
  try {
    return await api.extensions.get(id, { signal });
  } catch (error) {
    if (!isMissingResource(error)) throw error;
    return undefined;
  }
}

function presentOf(person: Extension): PresentResource {
  return { id: String(person.id), values: valuesOf(person) };
}

/**
 * Returns a person as an item of a file for `agent apply`. An absent setting is null if a file can remove it; otherwise
 * it is omitted.
 */
export function personItem(person: Extension): { readonly agent: string } {
  const { id, values: present } = presentOf(person);
  const values = fileValuesOf(person);
  const settings = personSettings.flatMap(({ name }) => {
    const value = values[name];
    const isRemoved = present[name] === null && canRemove(name);
    return typeof value === 'string' || isRemoved ? [[name, value] as const] : [];
  });
  return Object.fromEntries([['agent', id] as const, ...settings]) as { readonly agent: string };
}

/** Returns those settings of the person that can be written to a file. */
export function fileValuesOf(person: Extension): Values {
  return fileValues(personSettings, valuesOf(person));
}

/** Returns those settings of the person that no file can contain. */
export function omittedOf(person: Extension): Values {
  return omittedValues(valuesOf(person), fileValuesOf(person));
}
