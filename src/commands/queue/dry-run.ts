import type { Client } from '../../client/index.ts';
import { toBulkAssign, type PlannedChange } from '../../features/assignment/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';

interface Withheld {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
}

const view: View<Withheld> = {
  columns: [
    { key: 'method', title: 'METHOD', value: (request) => request.method },
    { key: 'url', title: 'URL', value: (request) => request.url },
    { key: 'body', title: 'BODY', value: (request) => JSON.stringify(request.body) },
  ],
};

/** Every request that the plan would send; the transport keeps each of them back. One alone is shown as everywhere. */
export async function showDryRun(
  ctx: Context,
  api: Client,
  needed: readonly PlannedChange[],
  maxItems: number,
): Promise<void> {
  const withheld: Withheld[] = [];
  for (let at = 0; at < needed.length; at += maxItems) {
    try {
      await api.departments.bulkAssign(toBulkAssign(needed.slice(at, at + maxItems)));
    } catch (error) {
      if (needed.length <= maxItems) throw error;
      if (!(error instanceof Error) || error.name !== 'DryRunStop') throw error;
      withheld.push((error as Error & { readonly withheld: Withheld }).withheld);
    }
  }
  await ctx.out.list(withheld, view);
}
