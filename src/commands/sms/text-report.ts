import type { Client } from '../../client/index.ts';
import { smsBatchTexts } from '../../contract/limits.ts';
import {
  executeRun,
  findRun,
  itemResult,
  skippedOutcome,
  unsentResult,
  type Journal,
  type JournalItem,
  type ResultRows,
  type RunOptions,
  readDetail,
} from '../../features/bulk/index.ts';
import {
  batchWork,
  settledResult,
  textWork,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { resultRows as textRows, type ResultRow, type TextStatus } from './text.rows.ts';
import { shellWord } from '../../platform/shell-quoted.ts';

/** The command that resumes a run of texts, without its ID. */
export const resumeCommand = ucctl('sms send --resume');

/** Executes a run of texts and reports each text. @throws {CommandError} if a text failed or its outcome is unknown. */
export async function sendAndReport(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: RunOptions,
): Promise<void> {
  const detail = readDetail(journal, run) as TextRunDetail;
  const { dedupeKey, results, highVolume = false } = detail;
  await executeRun<TextPayload>({
    ctx,
    journal,
    run,
    options,
    resume: resumeCommand,
    work: highVolume ? batchWork(api) : textWork(api, dedupeKey, findRun(journal, run).started),
    // With a key, the same command sends only the texts that are left.
    blocksRepeat: dedupeKey === undefined,
    maxItems: highVolume ? smsBatchTexts : 1,
    label: 'Sending texts',
    unit: { noun: 'text', done: 'sent' },
    again: againHint(dedupeKey, options.results ?? results),
    rows: resultRows(detail),
    async report(items, again) {
      await ctx.out.list(items.map(toResult), { ...textRows.list, again });
      const earlier = items.filter((item) => statusWord(item) === 'duplicate').length;
      if (earlier > 0)
        ctx.out.note(
          `${earlier} of ${counted(items.length, 'text')} ${isOrAre(earlier)} skipped: already sent with this --dedupe-key`,
        );
    },
    unknownError: ({ ok, failed, unknown, planned, sent }, cause) =>
      new CommandError(
        'outcome_unknown',
        Exit.outcomeUnknown,
        `the outcome of ${unknown} of ${counted(ok + failed + unknown + planned + sent, 'text')} is unknown; ${ok} sent, ${failed} failed, ${planned + sent} left`,
        { hint: unknownHint(run), cause },
      ),
  });
}

/** Resuming sends the texts that are left, or that were not sent according to their outcome. */
function unknownHint(run: string): Hint {
  return nextStep`to look up the outcome: ${ucctl('outcome resolve --all')}; then, to resume the run: ${ucctl`${resumeCommand} ${run}`}`;
}

/** Suggests how to send only the failed and skipped texts. Without a dedupe key, the same command would send all texts. */
function againHint(dedupeKey: string | undefined, results: string | undefined): string {
  if (dedupeKey !== undefined)
    return 'correct the cause and run the same command with the same --dedupe-key again; ucctl skips texts that were already sent';
  const list =
    results === undefined
      ? 'a list with only the rows that were not sent'
      : `--file ${shellWord(results)}, which sends only the rows that were not sent`;
  return `correct the cause and use ${list}; with the original list, ucctl would send all texts again`;
}

function toResult(item: JournalItem<TextPayload>): ResultRow {
  return { to: item.payload.to, status: statusWord(item), message: item.message, id: item.resultId };
}

function statusWord({ status, code }: Pick<JournalItem<unknown>, 'status' | 'code'>): TextStatus {
  // The text is skipped, because an earlier run with the same --dedupe-key sent it.
  if (status === 'ok') return code === 'duplicate' ? 'duplicate' : 'sent';
  // The request was in progress when the run ended. The text must not be sent again before its outcome is known.
  if (status === 'sent') return 'unknown';
  return status === 'planned' ? 'not-sent' : status;
}

/** Explains the results file of a run that is in progress, or whose process was killed. */
function explained<P>(item: JournalItem<P>): JournalItem<P> {
  const message = 'the request may be in progress; if the run was interrupted, resume the run';
  return item.status === 'sent' ? { ...item, message } : item;
}

function resultRows({ input, skipped = [] }: TextRunDetail): ResultRows<TextPayload> {
  return {
    hasIds: true,
    *outcomes(items) {
      for (const item of items) {
        const result = itemResult(explained(item), statusWord(item), 'send');
        yield { rows: item.payload.rows, result, furtherStatus: 'duplicate' };
      }
      for (const row of skipped) yield skippedOutcome(row, 'send');
    },
    // A results file that is used as a list contains the earlier result of the row.
    rest: (row) => settledResult(input, row) ?? unsentResult('not-sent', 'send'),
  };
}
