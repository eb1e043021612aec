import type { OutcomeState } from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { openJournal } from './open-journal.ts';
import { outcomeRows } from './outcome.rows.ts';

export interface OutcomeListOptions {
  readonly state: readonly OutcomeState[];
}

/** `outcome list`: reads the local journal; sends no requests. */
export async function listOutcomes(ctx: Context, { state }: OutcomeListOptions): Promise<void> {
  const { journal, owner } = await openJournal(ctx, 'read');
  try {
    const all = await journal.list(owner);
    const wanted = state.length === 0 ? all : all.filter((outcome) => state.includes(outcome.state));
    await ctx.out.list(
      wanted.map((outcome) => outcomeRows.row({}, outcome)),
      outcomeRows.list,
    );
  } finally {
    journal.close();
  }
}
