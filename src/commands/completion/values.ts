import type { Extension } from '../../contract/extension.ts';
import { forget, keepAgents, keepQueues, keepSubscriptions } from '../../features/known-values/index.ts';
import { type KnownValue, readKnownValues } from '../../platform/known-values.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import type { CompletionValuesOptions } from './options.ts';

type Row = Pick<KnownValue, 'value' | 'about'> & { readonly kind: string };

const view: View<Row> = {
  columns: [
    { key: 'kind', title: 'KIND', value: (row) => row.kind, priority: 2 },
    { key: 'value', title: 'VALUE', value: (row) => row.value, priority: 3 },
    { key: 'about', title: 'WHAT IT IS', value: (row) => row.about, priority: 1 },
  ],
  empty: 'Completion knows no queues, people or subscriptions yet: ucctl completion values --refresh',
};

/** `completion values` */
export async function listValues(ctx: Context, options: CompletionValuesOptions): Promise<void> {
  if (options.clear) await forget(ctx);
  if (options.refresh) await refresh(ctx);
  const { profile, baseUrl } = ctx.settings;
  const origin =
    baseUrl.value !== undefined && URL.canParse(baseUrl.value) ? new URL(baseUrl.value).origin : '';
  const lists = readKnownValues(ctx.paths.cache, { profile: profile.value, origin });
  const rows = Object.entries(lists).flatMap(([kind, values]) =>
    values.map(({ value, about }) => ({ kind, value, about })),
  );
  await ctx.out.list<Row>(rows, view);
}

async function refresh(ctx: Context): Promise<void> {
  const api = await ctx.api();
  const { signal } = ctx;
  const all: Extension[] = [];
  for await (const one of api.extensions.list({ type: ['Department', 'User'] }, { signal })) all.push(one);
  const isQueue = ({ type }: Extension): boolean => type === 'Department';
  await keepQueues(ctx, all.filter(isQueue));
  await keepAgents(
    ctx,
    all.filter((one) => !isQueue(one)),
  );
  await keepSubscriptions(ctx, await api.subscriptions.list({ signal }));
}
