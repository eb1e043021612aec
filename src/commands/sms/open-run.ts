import { withJournal, type Journal } from '../../features/bulk/index.ts';
import { runsWithTexts, type NewTexts, type TextsInRun } from '../../features/outgoing/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { resumeCommand } from './text-report.ts';

/** What of a list must not be sent again by accident. */
export type PlannedTexts = Pick<NewTexts, 'texts' | 'dedupeKey'> & {
  /** `--new-run`: send them again, and abandon the open runs that hold them. */
  readonly newRun: boolean;
};

/** What the journal held before anything was asked. */
export interface JournalView {
  readonly since: number;
  /** Open runs with some of the texts; only `--new-run` goes on with any. */
  readonly open: readonly string[];
}

/** Looks for the texts of a list in open runs before anything is asked. @throws {CommandError} `run_open` (exit 11) */
export function requireNoOpenRun(ctx: Context, planned: PlannedTexts): Promise<JournalView> {
  return withJournal(ctx, async (journal) => {
    const since = journal.moment();
    const found = runsWithTexts(ctx, journal, { ...planned, since });
    if (found.length > 0 && !planned.newRun) throw openError(found, planned);
    return { since, open: found.map(({ run }) => run.id) };
  });
}

/**
 * The same once more when nobody else can start a run: another command may have sent some of these texts since, also by resuming a run.
 * @returns the open runs that `--new-run` abandons. @throws {CommandError} `run_open` (exit 11)
 */
export function claimTexts(
  ctx: Context,
  journal: Journal,
  planned: PlannedTexts,
  { since, open }: JournalView,
): readonly string[] {
  const found = runsWithTexts(ctx, journal, { ...planned, since, alsoRuns: open });
  const isExpected = ({ run }: TextsInRun): boolean => run.state === 'open' && open.includes(run.id);
  const unexpected = found.filter((one) => !isExpected(one));
  if (unexpected.length > 0) throw openError(unexpected, planned);
  return found.map(({ run }) => run.id);
}

function openError(found: readonly TextsInRun[], { texts, dedupeKey }: PlannedTexts): CommandError {
  const [first] = found;
  const id = first?.run.id ?? '';
  const isOpen = first?.run.state === 'open';
  const of = `${first?.count ?? 0} of ${counted(texts.length, 'text')}`;
  const again = dedupeKey === undefined ? '--new-run' : '--new-run with another --dedupe-key';
  return new CommandError(
    'run_open',
    Exit.conflict,
    isOpen
      ? `${of} ${isOrAre(first?.count ?? 0)} in the run ${id}, which is still open`
      : `${of} ${isOrAre(first?.count ?? 0)} in the run ${id}, which another command has sent meanwhile`,
    {
      details: found.map(({ run, count }) => {
        const { ok, failed, unknown, planned, sent } = run.counts;
        return `${run.id} (${run.state}): ${ok} sent, ${failed} failed, ${unknown + sent} unknown, ${planned} left; ${count} of this list`;
      }),
      hint: isOpen
        ? nextStep`resume it: ${ucctl(`${resumeCommand.ucctl} ${id}`)}; or abandon it and send this list from the start: ${again}; nothing was sent`
        : nextStep`look at it: ${ucctl(`history show ${id}`)}; nothing was sent`,
    },
  );
}
