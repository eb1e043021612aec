import { drainWorkers } from '../../features/fleet/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { drainedRows } from './fleet.rows.ts';

export interface DrainOptions {
  readonly workers: readonly string[];
}

/** `fleet drain`. Drains no worker if one of the names is unknown. */
export async function drain(ctx: Context, { workers }: DrainOptions): Promise<void> {
  const { drained, unknown } = await drainWorkers(await ctx.store(), workers);
  const [name] = unknown;
  if (name !== undefined) throw notFoundError(`no running worker "${name}" found`, ucctl('fleet status'));
  await ctx.out.list(drained, drainedRows.list);
}
