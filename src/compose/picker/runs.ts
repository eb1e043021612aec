import type { Context, SearchChoice } from '../../runtime/context.ts';
import { runStateText } from '../../runtime/run-state-text.ts';
import { choicesOf, minuteText } from './lines.ts';

/** Returns the runs in the journal, newest first, with the states that `history list` shows. */
export async function runChoices(ctx: Context): Promise<readonly SearchChoice[]> {
  const { withJournal } = await import('../../features/bulk/index.ts');
  return withJournal(ctx, async (journal) =>
    choicesOf(
      journal.list().map(({ id, kind, title, started, state, counts }) => ({
        value: id,
        cells: [
          minuteText(ctx, started),
          runStateText({ state, counts: { ...counts, left: counts.planned + counts.sent } }),
          title,
        ],
        also: [id, kind],
      })),
    ),
  );
}
