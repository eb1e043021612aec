import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  type AssignmentPayload,
} from '../../features/assignment/index.ts';
import {
  confirmResume,
  findResumable,
  isOpen,
  withholdAll,
  withRunJournal,
} from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { runAndReport } from './run-report.ts';

/** `--resume RUN`: what was sent is read back, what is left is sent, failures stay failures. */
export async function resumeRun(ctx: Context, word: string, options: BulkOptions): Promise<void> {
  const api = await ctx.api();
  await withRunJournal(ctx, async (journal) => {
    const run = findResumable(ctx, journal, word, { kind: assignmentKind, what: 'assignment of agents' });
    await confirmResume(ctx, run);
    if (ctx.dryRun) {
      const left = journal.items<AssignmentPayload>(run.id).filter(isOpen);
      return withholdAll(
        assignmentSends(
          api,
          left.map(({ payload }) => payload),
          options.maxItems,
        ),
      );
    }
    await runAndReport({ ctx, journal, run: run.id, work: assignmentWork(api), options });
  });
}
