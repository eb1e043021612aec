import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { runsOf, withJournal } from './run-journal.ts';
import { type CommandText, nextStep } from '../../errors/hint.ts';

/** A kind of run, with the function that compares its changes. */
interface RunChanges<P> {
  readonly kind: string;
  /** The command that resumes such a run, without the ID. */
  readonly resume: CommandText;
  /** The key of a change, equal for two changes of the same object. */
  readonly keyOf: (payload: P) => string;
}

/**
 * Prints a note for each open run that changes some of the same objects as a new run. The new run may still proceed,
 * because it reads the current state from the service and sends only the differences.
 */
export async function noteOpenRuns<P>(
  ctx: Context,
  { kind, resume, keyOf }: RunChanges<P>,
  changes: readonly P[],
): Promise<void> {
  const keys = new Set(changes.map(keyOf));
  await withJournal(ctx, async (journal) => {
    for (const { id, counts } of runsOf(ctx, journal, { kind, isOpen: true })) {
      if (!journal.items<P>(id).some(({ payload }) => keys.has(keyOf(payload)))) continue;
      const left = counts.planned + counts.sent;
      ctx.out.note(
        nextStep`run ${id} contains some of these changes and is unfinished (${counted(left, 'change')} left); to resume the run: ${resume} ${id}`,
      );
    }
  });
}
