import type { Context, SearchChoice } from '../../runtime/context.ts';
import { choicesOf, minuteText } from './lines.ts';

/** Returns the runs in the journal, newest first. */
export async function runChoices(ctx: Context): Promise<readonly SearchChoice[]> {
  const { withJournal } = await import('../../features/bulk/index.ts');
  return withJournal(ctx, async (journal) =>
    choicesOf(
      journal.heads().map(({ id, kind, title, started, state }) => ({
        value: id,
        cells: [minuteText(ctx, started), state, title],
        also: [id, kind],
      })),
    ),
  );
}
