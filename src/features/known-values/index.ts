import type { Extension } from '../../contract/extension.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { forgetKnownValues, keepKnownValues, type KnownOwner } from '../../platform/known-values.ts';
import type { Context } from '../../runtime/context.ts';

type Owner = Pick<Context, 'settings' | 'paths'>;

/** Keeps the queues of a complete list for completion. Never fails: the list is what was asked for. */
export async function keepQueues(ctx: Owner, queues: readonly Extension[]): Promise<void> {
  const values = queues.map(({ name, extensionNumber }) => ({
    value: name,
    about: extensionNumber,
    also: extensionNumber === undefined ? [] : [extensionNumber],
  }));
  await keep(ctx, 'queues', values);
}

/** Keeps the people of a complete list for completion. */
export async function keepAgents(ctx: Owner, agents: readonly Extension[]): Promise<void> {
  const values = agents.flatMap(({ name, extensionNumber, contact }) =>
    extensionNumber === undefined
      ? []
      : [{ value: extensionNumber, about: name, also: [name, ...(contact?.email ? [contact.email] : [])] }],
  );
  await keep(ctx, 'agents', values);
}

/** Keeps the subscriptions of a complete list for completion: ids and filters, nothing that is secret. */
export async function keepSubscriptions(ctx: Owner, all: readonly Subscription[]): Promise<void> {
  const values = all.map(({ id, eventFilters }) => ({
    value: id,
    about: eventFilters.map((filter) => filter.split('~/').at(-1)).join(' '),
  }));
  await keep(ctx, 'subscriptions', values);
}

/** Forgets what completion knows of the profile in use. */
export async function forget(ctx: Owner): Promise<void> {
  await forgetKnownValues(ctx.paths.cache, ctx.settings.profile.value).catch(() => undefined);
}

async function keep(
  { settings, paths }: Owner,
  kind: string,
  values: Parameters<typeof keepKnownValues>[3],
): Promise<void> {
  const { baseUrl, profile } = settings;
  if (baseUrl.value === undefined || !URL.canParse(baseUrl.value)) return;
  const owner: KnownOwner = { profile: profile.value, origin: new URL(baseUrl.value).origin };
  await keepKnownValues(paths.cache, owner, kind, values).catch(() => undefined);
}

/** Passes rows on and hands all of them over at the end; not when the reader left before. */
export async function* whole<T>(
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
