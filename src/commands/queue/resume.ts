import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  type AssignmentPayload,
} from '../../features/assignment/index.ts';
import { resumeRun } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, type ExitCode } from '../../errors/command.ts';
import { changedExit, type ApplyOptions } from './apply-plan.ts';
import { runAndReport } from './run-report.ts';

/** `queue apply --resume RUN` */
export async function resumeAssignment(ctx: Context, word: string, options: ApplyOptions): Promise<ExitCode> {
  const api = await ctx.api();
  const left = await resumeRun<AssignmentPayload>(ctx, word, {
    kind: assignmentKind,
    what: 'assignment of agents',
    sends(items) {
      const changes = items.map(({ payload }) => payload);
      return assignmentSends(api, changes, options.maxItems);
    },
    execute: (journal, run) => runAndReport({ ctx, journal, run, work: assignmentWork(api), options }),
  });
  return left > 0 ? changedExit(options) : Exit.ok;
}
