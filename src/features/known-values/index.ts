import type { Extension } from '../../contract/extension.ts';
import type { Subscription } from '../../contract/subscription.ts';
import {
  deleteKnownValues,
  readKnownValues,
  storeKnownValues,
  type KnownOwner,
  type KnownValue,
} from '../../platform/known-values.ts';
import type { Context } from '../../runtime/context.ts';

type Owner = Pick<Context, 'settings' | 'paths' | 'sentSecrets'>;

/** Caches the queues of a complete list for completion. Ignores failures, because the list itself succeeded. */
export async function cacheQueues(ctx: Owner, queues: readonly Extension[]): Promise<void> {
  const values = queues.map(({ id, name, extensionNumber }) => ({
    value: name,
    id: String(id),
    about: extensionNumber,
    also: extensionNumber === undefined ? [] : [extensionNumber],
  }));
  await cache(ctx, 'queues', values);
}

/** Caches the agents of a complete list for completion. */
export async function cacheAgents(ctx: Owner, agents: readonly Extension[]): Promise<void> {
  const values = agents.flatMap(({ id, name, extensionNumber, contact }) =>
    extensionNumber === undefined
      ? []
      : [
          {
            value: extensionNumber,
            id: String(id),
            about: name,
            also: [name, ...(contact?.email ? [contact.email] : [])],
          },
        ],
  );
  await cache(ctx, 'agents', values);
}

/** An extension whose name is in the cache. */
export interface KnownExtension {
  readonly id: string;
  readonly name: string;
  readonly extensionNumber: string | undefined;
  /** E-mail address of an agent. */
  readonly email?: string | undefined;
}

/** Returns the extensions whose names are in the cache of the current profile and service. Sends no request. */
export function knownExtensions(ctx: Owner): readonly KnownExtension[] {
  return [...knownQueues(ctx), ...knownAgents(ctx)];
}

/** Returns the queues in the cache of the current profile and service. */
export function knownQueues(ctx: Owner): readonly KnownExtension[] {
  return cached(ctx, 'queues').flatMap(({ id, value, about }) =>
    id === undefined ? [] : [{ id, name: value, extensionNumber: about }],
  );
}

/** Returns the agents in the cache of the current profile and service. */
export function knownAgents(ctx: Owner): readonly KnownExtension[] {
  return cached(ctx, 'agents').flatMap(({ id, value, about, also }) =>
    id === undefined ? [] : [{ id, name: about ?? value, extensionNumber: value, email: also?.[1] }],
  );
}

function cached(ctx: Owner, kind: 'queues' | 'agents'): readonly KnownValue[] {
  const owner = ownerOf(ctx);
  return owner ? (readKnownValues(ctx.paths.cache, owner)[kind] ?? []) : [];
}

/**
 * Reads all extensions from the service and caches them. Returns the cached extensions if the request fails, for
 * example because the application has no permission.
 */
export async function readExtensions(
  ctx: Owner,
  read: () => AsyncIterable<Extension>,
): Promise<readonly (KnownExtension | Extension)[]> {
  const all: Extension[] = [];
  try {
    for await (const extension of read()) all.push(extension);
  } catch {
    return knownExtensions(ctx);
  }
  await cacheQueues(
    ctx,
    all.filter(({ type }) => type === 'Department'),
  );
  await cacheAgents(
    ctx,
    all.filter(({ type }) => type === 'User'),
  );
  return all;
}

/**
 * Returns the IDs of all queues from the cache; otherwise reads them from the service and caches them. Empty if the
 * request fails.
 */
export async function knownQueueIds(
  ctx: Owner,
  read: () => AsyncIterable<Extension>,
): Promise<ReadonlySet<string>> {
  const cachedQueues = knownQueues(ctx);
  if (cachedQueues.length > 0) return new Set(cachedQueues.map(({ id }) => id));
  const all = await readExtensions(ctx, read);
  return new Set(all.flatMap((one) => ('type' in one && one.type === 'Department' ? [String(one.id)] : [])));
}

/** Caches the subscriptions of a complete list for completion: IDs and filters, no secrets. */
export async function cacheSubscriptions(ctx: Owner, all: readonly Subscription[]): Promise<void> {
  const values = all.map(({ id, eventFilters }) => ({
    value: id,
    about: eventFilters.map((filter) => filter.split('~/').at(-1)).join(' '),
  }));
  await cache(ctx, 'subscriptions', values);
}

/** Deletes the completion cache of the current profile. */
export async function forget(ctx: Owner): Promise<void> {
  await deleteKnownValues(ctx.paths.cache, ctx.settings.profile.value).catch(() => undefined);
}

async function cache(ctx: Owner, kind: string, values: readonly KnownValue[]): Promise<void> {
  const owner = ownerOf(ctx);
  if (!owner) return;
  const { paths, sentSecrets } = ctx;
  await storeKnownValues(paths.cache, owner, { kind, values, sent: sentSecrets }).catch(() => undefined);
}

function ownerOf({ settings: { baseUrl, profile } }: Owner): KnownOwner | undefined {
  if (baseUrl.value === undefined || !URL.canParse(baseUrl.value)) return undefined;
  return { profile: profile.value, origin: new URL(baseUrl.value).origin };
}

/** Yields rows, and calls `atEnd` with all rows unless the consumer stopped early. */
export async function* withAll<T>(
  rows: AsyncIterable<T>,
  atEnd: (all: readonly T[]) => Promise<void>,
): AsyncGenerator<T, void, undefined> {
  const all: T[] = [];
  for await (const row of rows) {
    all.push(row);
    yield row;
  }
  await atEnd(all);
}
