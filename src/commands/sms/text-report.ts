import type { Client } from '../../client/index.ts';
import {
  executeRun,
  itemResult,
  unsentResult,
  type Journal,
  type JournalItem,
  type ResultRows,
  type RunOptions,
} from '../../features/bulk/index.ts';
import {
  settledResult,
  textWork,
  type TextPayload,
  type TextRunDetail,
} from '../../features/outgoing/index.ts';
import { counted, isOrAre, wasOrWere } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { resultRows as textRows, type ResultRow } from './text.rows.ts';

/** The command that resumes a run of texts, without its id. */
export const resumeCommand = ucctl('sms send --resume');

/** Executes a run of texts to its end and reports each of them. @throws what the run ends with when it did not go through. */
export async function sendAndReport(
  ctx: Context,
  api: Client,
  journal: Journal,
  run: string,
  options: RunOptions,
): Promise<void> {
  const detail = journal.detail(run) as TextRunDetail;
  const { dedupeKey, results } = detail;
  await executeRun<TextPayload>({
    ctx,
    journal,
    run,
    options,
    resume: resumeCommand,
    work: textWork(api, dedupeKey),
    maxItems: 1,
    label: 'sending texts',
    again: againHint(dedupeKey, options.results ?? results),
    rows: resultRows(detail),
    report: (items) => ctx.out.list(items.map(toResult), textRows.list),
    unknownError: ({ ok, failed, unknown, planned, sent }, cause) =>
      new CommandError(
        'outcome_unknown',
        Exit.outcomeUnknown,
        `it is not known whether ${unknown} of ${counted(ok + failed + unknown + planned + sent, 'text')} ${wasOrWere(unknown)} sent; ${ok} ${wasOrWere(ok)}, ${failed} failed, ${planned + sent} ${isOrAre(planned + sent)} left`,
        { hint: unknownHint(planned + sent, run), cause },
      ),
  });
}

function unknownHint(left: number, run: string): Hint {
  const find = nextStep`find out: ${ucctl('outcome resolve --all')}`;
  return left > 0 ? nextStep`${find}; then resume the run: ${ucctl(`${resumeCommand.ucctl} ${run}`)}` : find;
}

/** How only what failed is sent again: without a key the same command would send everything. */
function againHint(dedupeKey: string | undefined, results: string | undefined): string {
  if (dedupeKey !== undefined)
    return 'the same command with the same --dedupe-key sends only what has not gone out';
  const list = results === undefined ? 'a list of the failed rows only' : `--file ${results}`;
  return `the same command would send all of them again; give it ${list}, and what was sent is skipped`;
}

function toResult(item: JournalItem<TextPayload>): ResultRow {
  return { to: item.payload.to, status: statusWord(item), message: item.message };
}

function statusWord({ status, code }: Pick<JournalItem<unknown>, 'status' | 'code'>): string {
  // Sent by an earlier run under the same --dedupe-key.
  if (status === 'ok') return code === 'duplicate' ? 'duplicate' : 'sent';
  // On its way when the run ended: until it is resolved it must not be sent again.
  if (status === 'sent') return 'unknown';
  return status === 'planned' ? 'not sent' : status;
}

function resultRows({ input }: TextRunDetail): ResultRows<TextPayload> {
  return {
    outcomes: (items) =>
      items.map((item) => ({
        rows: item.payload.rows,
        result: itemResult(item, statusWord(item), 'send'),
        furtherStatus: 'duplicate',
      })),
    // A results file that was given as the list knows what became of the row.
    rest: (row) => settledResult(input, row) ?? unsentResult('not sent', 'send'),
  };
}
