import { withJournal, type Journal } from '../../features/bulk/index.ts';
import {
  runsThatSent,
  runsWithTexts,
  type NewTexts,
  type SentInRun,
  type TextsInRun,
} from '../../features/outgoing/index.ts';
import { ageText } from '../../platform/age-text.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { resumeCommand } from './text-report.ts';
import { withOutcomes } from './text-outcomes.ts';

/** The texts of a list, which must not be sent twice by accident. */
export type PlannedTexts = Pick<NewTexts, 'texts' | 'dedupeKey'> & {
  /** Set by `--new-run`: send the texts again, and abandon the open runs that contain these texts. */
  readonly newRun: boolean;
};

/** The state of the journal before the confirmation. */
export interface JournalView {
  readonly since: number;
  /** Open runs that contain some of the texts; empty without `--new-run`. */
  readonly open: readonly string[];
  /** Finished runs in which the outcome of some of the texts is unknown; empty without `--new-run`. */
  readonly unknown: readonly string[];
  /** Finished runs that have already sent some of the texts; empty with `--new-run`. */
  readonly finished: readonly SentInRun[];
}

/**
 * Searches earlier runs for the texts of a list, before the confirmation. @throws {CommandError} `run_open` (exit 11)
 */
export function requireNoOpenRun(ctx: Context, planned: PlannedTexts): Promise<JournalView> {
  return withJournal(ctx, async (journal) => {
    const since = journal.position();
    const { found, finished } = await withOutcomes(ctx, (outcomeOf) => ({
      found: runsWithTexts(ctx, journal, { ...planned, since, outcomeOf }),
      finished: planned.newRun ? [] : runsThatSent(ctx, journal, { ...planned, outcomeOf }),
    }));
    if (found.length > 0 && !planned.newRun) throw openError(found, planned);
    const idsOf = (reason: TextsInRun['why']): readonly string[] =>
      found.flatMap(({ run, why }) => (why === reason ? [run.id] : []));
    return { since, open: idsOf('open'), unknown: idsOf('unknown'), finished };
  });
}

/**
 * Warns before the confirmation if a finished run has already sent some of the texts, because they are sent again. A dry
 * run sends nothing.
 */
export function warnOfSentTexts(
  ctx: Pick<Context, 'out' | 'now' | 'dryRun'>,
  { texts, highVolume }: { readonly texts: number; readonly highVolume: boolean },
  { finished }: Pick<JournalView, 'finished'>,
): void {
  const [most, ...others] = finished.toSorted((a, b) => b.count - a.count);
  if (most === undefined || ctx.dryRun) return;
  const { run, count } = most;
  const also =
    others.length > 0 ? `, and ${counted(others.length, 'other run')} also sent some of these texts` : '';
  const age = ageText(ctx.now() - (run.ended ?? run.started));
  const avoid = highVolume ? '' : 'To send each text once in 24 hours, use the same --dedupe-key each time. ';
  const show = nextStep`To show the run: ${ucctl`history show ${run.id}`}`;
  ctx.out.warn(
    nextStep`run ${run.id} sent ${count} of ${counted(texts, 'text')} of this list ${age}${also}. The recipients get these texts again. ${avoid}${show}`,
  );
}

/**
 * Repeats the check of `requireNoOpenRun` under the run lock: in the meantime, another command may have started or
 * resumed a run with these texts.
 * @returns the open runs that `--new-run` abandons. @throws {CommandError} `run_open` (exit 11)
 */
export async function claimTexts(
  ctx: Context,
  journal: Journal,
  planned: PlannedTexts,
  { since, open, unknown }: JournalView,
): Promise<readonly string[]> {
  const found = await withOutcomes(ctx, (outcomeOf) =>
    runsWithTexts(ctx, journal, { ...planned, since, alsoRuns: open, outcomeOf }),
  );
  const isExpected = ({ run, why }: TextsInRun): boolean =>
    (why === 'open' && open.includes(run.id)) || (why === 'unknown' && unknown.includes(run.id));
  const unexpected = found.filter((one) => !isExpected(one));
  if (unexpected.length > 0) throw openError(unexpected, planned);
  return found.flatMap(({ run, why }) => (why === 'open' ? [run.id] : []));
}

function openError(found: readonly TextsInRun[], { texts, dedupeKey }: PlannedTexts): CommandError {
  // Open runs are reported first, because a resumed run sends the remaining texts.
  const first = found.find(({ why }) => why === 'open') ?? found[0];
  const { id = '' } = first?.run ?? {};
  const count = first?.count ?? 0;
  const of = `${count} of ${counted(texts.length, 'text')}`;
  const again = dedupeKey === undefined ? '--new-run' : '--new-run with another --dedupe-key';
  const problems = {
    open: [
      `${of} ${isOrAre(count)} in run ${id}, which is not finished`,
      nextStep`to resume the run: ${ucctl`${resumeCommand} ${id}`}; to abandon the run and send the whole list: ${again}`,
    ],
    meanwhile: [
      `${of} ${isOrAre(count)} in run ${id}, which another command has just completed`,
      nextStep`to show the run: ${ucctl`history show ${id}`}`,
    ],
    unknown: [
      `run ${id} may already have sent ${of}, but got no clear reply; sending these texts again could deliver them twice`,
      nextStep`to look up the outcome: ${ucctl('outcome resolve --all')}; to send the list anyway: ${again}`,
    ],
  } as const satisfies Record<TextsInRun['why'], readonly [string, Hint]>;
  const [message, hint] = problems[first?.why ?? 'open'];
  return new CommandError('run_open', Exit.conflict, message, {
    details: found.map(({ run, count: own }) => {
      const { ok, failed, unknown, planned, sent } = run.counts;
      return `${run.id} (${run.state}): ${ok} sent, ${failed} failed, ${unknown + sent} unknown, ${planned} left; also in this list: ${own}`;
    }),
    hint: nextStep`${hint}; nothing was sent`,
    run: id,
  });
}
