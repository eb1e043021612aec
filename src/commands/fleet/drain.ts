import { drainWorkers, openFleet } from '../../features/fleet/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { drainedRows } from './fleet.rows.ts';

export interface DrainOptions {
  readonly workers: readonly string[];
}

/** `fleet drain`. */
export async function drain(ctx: Context, { workers }: DrainOptions): Promise<void> {
  const drained = await drainWorkers(await openFleet(ctx), workers);
  const missing = workers.find((name) => !drained.some(({ worker }) => worker === name));
  if (missing !== undefined)
    throw notFoundError(`no running worker "${missing}" found`, ucctl('fleet status'));
  await ctx.out.list(drained, drainedRows.list);
}
