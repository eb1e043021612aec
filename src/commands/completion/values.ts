import type { Extension } from '../../contract/extension.ts';
import { forget, cacheAgents, cacheQueues, cacheSubscriptions } from '../../features/known-values/index.ts';
import { readKnownValues } from '../../platform/known-values.ts';
import type { Context } from '../../runtime/context.ts';
import { valueRows, type ValueRow } from './completion.rows.ts';
import type { CompletionValuesOptions } from './options.ts';

export async function listValues(ctx: Context, options: CompletionValuesOptions): Promise<void> {
  if (options.clear) await forget(ctx);
  if (options.refresh) await refresh(ctx);
  const { profile, baseUrl } = ctx.settings;
  const origin =
    baseUrl.value !== undefined && URL.canParse(baseUrl.value) ? new URL(baseUrl.value).origin : '';
  const lists = readKnownValues(ctx.paths.cache, { profile: profile.value, origin });
  const rows = Object.entries(lists).flatMap(([kind, values]) =>
    values.map(({ value, about }) => ({ kind, value, description: about })),
  );
  await ctx.out.list<ValueRow>(rows, valueRows.list);
}

async function refresh(ctx: Context): Promise<void> {
  const api = await ctx.api();
  const { signal } = ctx;
  const all: Extension[] = [];
  for await (const one of api.extensions.list({ type: ['Department', 'User'] }, { signal })) all.push(one);
  const isQueue = ({ type }: Extension): boolean => type === 'Department';
  await cacheQueues(ctx, all.filter(isQueue));
  await cacheAgents(
    ctx,
    all.filter((one) => !isQueue(one)),
  );
  await cacheSubscriptions(ctx, await api.subscriptions.list({ signal }));
}
