import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { runsOf, withJournal } from './run-journal.ts';
import { type CommandText, hintText } from '../../errors/hint.ts';

/** How the changes of a kind of run are told apart. */
interface RunChanges<P> {
  readonly kind: string;
  /** The command that resumes such a run, without the id. */
  readonly resume: CommandText;
  /** Equal for two changes of the same thing. */
  readonly keyOf: (payload: P) => string;
}

/**
 * Names the open runs that change some of the same things as a new one. Such a list may be run again: the service can be asked what is done
 * already.
 */
export async function noteOpenRuns<P>(
  ctx: Context,
  { kind, resume, keyOf }: RunChanges<P>,
  changes: readonly P[],
): Promise<void> {
  const keys = new Set(changes.map(keyOf));
  await withJournal(ctx, async (journal) => {
    for (const { id, counts } of runsOf(ctx, journal, kind, ({ state }) => state === 'open')) {
      if (!journal.items<P>(id).some(({ payload }) => keys.has(keyOf(payload)))) continue;
      const left = counts.planned + counts.sent;
      ctx.out.note(
        `the run ${id} with some of these changes is still open: ${counted(left, 'change')} ${isOrAre(left)} left; resume it: ${hintText(resume)} ${id}`,
      );
    }
  });
}
