import { assignmentKind, assignmentWork } from '../../features/assignment/index.ts';
import { Journal, requireStanding, withRunLock } from '../../features/bulk/index.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, notFoundError, usageError } from '../../runtime/errors.ts';
import { runAndReport } from './run-report.ts';

/** `--resume RUN`: what was sent is read back, what is left is sent, failures stay failures. */
export async function resumeRun(ctx: Context, word: string, options: BulkOptions): Promise<void> {
  const baseUrl = ctx.settings.baseUrl.value ?? '';
  const api = await ctx.api();
  await withRunLock(ctx.paths.state, baseUrl, ctx.signal, async () => {
    const journal = Journal.open(ctx.paths.state, () => ctx.now());
    try {
      const head = journal.find(word);
      if (!head) throw notFoundError(`there is no run "${word}"`, 'the runs: ucctl history list');
      if (head.kind !== assignmentKind) {
        throw usageError(
          `the run ${head.id} is no assignment of agents`,
          `look at it: ucctl history show ${head.id}`,
        );
      }
      if (head.baseUrl !== baseUrl) {
        throw new CommandError(
          'other_service',
          Exit.conflict,
          `the run ${head.id} belongs to ${head.baseUrl}`,
        );
      }
      requireStanding(head);
      if (ctx.dryRun)
        return ctx.out.note(
          `${head.counts.planned + head.counts.sent} changes are left of the run ${head.id}`,
        );
      await runAndReport({ ctx, journal, run: head.id, work: assignmentWork(api), options });
    } finally {
      journal.close();
    }
  });
}
