import type { OutcomeState } from '../../features/outcome-journal/index.ts';
import type { Context } from '../../runtime/context.ts';
import { openJournal } from './open-journal.ts';
import { outcomeView, toRecord } from './outcome-view.ts';

export interface OutcomeListOptions {
  readonly state: readonly OutcomeState[];
}

/** `outcome list`: from this machine alone, nothing is asked. */
export async function listOutcomes(ctx: Context, { state }: OutcomeListOptions): Promise<void> {
  const { journal, owner } = openJournal(ctx);
  try {
    const all = journal.list(owner, ctx.now());
    const wanted = state.length === 0 ? all : all.filter((outcome) => state.includes(outcome.state));
    await ctx.out.list(wanted.map(toRecord), outcomeView);
  } finally {
    journal.close();
  }
}
