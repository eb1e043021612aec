import { dayMilliseconds } from '../../platform/day.ts';
import type { Extension } from '../../contract/extension.ts';
import type { Subscription } from '../../contract/subscription.ts';
import {
  deleteKnownValues,
  readKnownValues,
  storeKnownValues,
  timeOfKnownValues,
  type KnownOwner,
  type KnownValue,
} from '../../platform/known-values.ts';
import type { Context } from '../../runtime/context.ts';

type Owner = Pick<Context, 'settings' | 'paths' | 'sentSecrets' | 'now'>;

/** Milliseconds after which a command reads the queues again. Completion also offers older ones. */
const queuesMilliseconds = dayMilliseconds;

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
 * Returns the IDs of all queues from the cache if they are less than a day old; otherwise reads them from the service and
 * caches them. If the request fails, returns those in the cache.
 * @param read reads only queues.
 */
export async function knownQueueIds(
  ctx: Owner,
  read: () => AsyncIterable<Extension>,
): Promise<ReadonlySet<string>> {
  const cachedIds = new Set(knownQueues(ctx).map(({ id }) => id));
  if (areRecent(ctx)) return cachedIds;
  const all: Extension[] = [];
  try {
    for await (const extension of read()) all.push(extension);
  } catch {
    return cachedIds;
  }
  await cacheQueues(ctx, all);
  return new Set(all.map(({ id }) => String(id)));
}

/** Whether the queues in the cache are less than a day old. */
function areRecent(ctx: Owner): boolean {
  const owner = ownerOf(ctx);
  const time = owner && timeOfKnownValues(ctx.paths.cache, owner, 'queues');
  // The clock may have been set back.
  return time !== undefined && Math.abs(ctx.now() - time) < queuesMilliseconds;
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
  const now = ctx.now();
  await storeKnownValues(paths.cache, owner, { kind, values, sent: sentSecrets, now }).catch(() => undefined);
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
