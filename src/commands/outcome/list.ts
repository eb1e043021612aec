import type { OutcomeState } from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { openJournal } from './open-journal.ts';
import { outcomeRows } from './outcome.rows.ts';

export interface OutcomeListOptions {
  readonly state: readonly OutcomeState[];
  readonly limit?: number;
}

/** `outcome list`: reads the local journal; sends no requests. */
export async function listOutcomes(ctx: Context, { state, limit }: OutcomeListOptions): Promise<void> {
  const { journal, owner } = await openJournal(ctx, 'read');
  try {
    const outcomes = await journal.list(owner, { states: state, limit });
    await ctx.out.list(
      outcomes.map((outcome) => outcomeRows.row({}, outcome)),
      outcomeRows.list,
    );
  } finally {
    journal.close();
  }
}
