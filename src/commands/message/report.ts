import type { Client } from '../../client/index.ts';
import type { MessageReport, MessageReportRequest } from '../../contract/message-report.ts';
import { CommandError, Exit, notFoundError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { OutcomeUnknownError } from '../../errors/service.ts';
import { isMissingResource } from '../../errors/service-codes.ts';
import { dateFilter, readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { reportRows } from './report.rows.ts';

export interface MessageReportOptions extends WindowOptions {
  readonly type?: NonNullable<MessageReportRequest['messageTypes']>;
  readonly id?: string;
  readonly waitTimeout?: number;
}

/**
 * Milliseconds between two reads of a report. Each pause is longer than the previous pause, because the requests are in
 * the usage group Heavy.
 */
const pauses = [1000, 2000, 5000, 10_000, 20_000] as const;
const usualWaitSeconds = 3600;
const failures: ReadonlySet<string> = new Set(['AttemptFailed', 'Failed', 'Cancelled']);

/**
 * `message report`: starts a report or reads an earlier report, waits until the report is complete, and lists its
 * files.
 */
export async function reportMessages(ctx: Context, options: MessageReportOptions): Promise<void> {
  const api = await ctx.api();
  const first = await explained(options.id, () => begin(ctx, api, options));
  const report = await ctx.out.progress('Waiting for the report', () =>
    complete(ctx, api, first, options.waitTimeout),
  );
  const files = await api.messageReports.files(report.id, { signal: ctx.signal });
  await ctx.out.list(
    files.map(({ uri, size }) => ({ report: report.id, uri, size: size ?? null })),
    reportRows.list,
  );
}

function begin(ctx: Context, api: Client, options: MessageReportOptions): Promise<MessageReport> {
  const { id, type: messageTypes } = options;
  const { signal } = ctx;
  if (id !== undefined) return api.messageReports.get(id, { signal });
  const window = dateFilter(readWindow(options, ctx));
  const request = { ...window, ...(messageTypes && { messageTypes }) };
  return api.messageReports.create(request, { signal }).catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknownError)) throw error;
    // After Ctrl-C nobody waits for the report.
    if (signal.aborted) throw signal.reason;
    throw new CommandError(
      'outcome_unknown',
      Exit.outcomeUnknown,
      `${error.why}: the service may be creating a report with an unknown ID`,
      {
        hint: nextStep`reports do not change messages, so you can request another report: ${ucctl('message report')}`,
        cause: error,
      },
    );
  });
}

/** Waits until a report is complete. @throws {CommandError} `state_not_reached` (exit 13). */
async function complete(
  ctx: Context,
  api: Client,
  first: MessageReport,
  given: number | undefined,
): Promise<MessageReport> {
  const limit = ctx.elapsed() + waitLimit(ctx.settings, given, usualWaitSeconds) * 1000;
  let report = first;
  for (let reading = 0; report.status !== 'Completed'; reading += 1) {
    const { id, status } = report;
    if (failures.has(status)) throw notCreated(report);
    if (ctx.elapsed() >= limit) throw notComplete(report);
    await ctx.sleep(pauses[reading] ?? pauses.at(-1) ?? 0, ctx.signal).catch((error: unknown) => {
      ctx.out.note(
        nextStep`The service continues to create the report. To list its files later: ${ucctl`message report --id ${id}`}`,
      );
      throw error;
    });
    report = await api.messageReports.get(id, { signal: ctx.signal });
  }
  return report;
}

function notCreated({ id, status }: MessageReport): CommandError {
  const mayContinue = status === 'AttemptFailed';
  const another = nextStep`to request a new report: ${ucctl('message report')}`;
  const hint = nextStep`the service may try again; to read the report later: ${ucctl`message report --id ${id}`}; ${another}`;
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `report ${id} has the status ${status}`,
    { hint: mayContinue ? hint : another },
  );
}

function notComplete({ id, status }: MessageReport): CommandError {
  return new CommandError(
    'state_not_reached',
    Exit.stateNotReached,
    `report ${id} is not complete: its status is ${status}`,
    {
      hint: ucctl`message report --id ${id}`,
      retryable: true,
    },
  );
}

async function explained(id: string | undefined, read: () => Promise<MessageReport>): Promise<MessageReport> {
  try {
    return await read();
  } catch (error) {
    if (id !== undefined && isMissingResource(error))
      throw notFoundError(
        `report ${id} not found`,
        nextStep`check the ID; to request a new report: ${ucctl('message report')}`,
      );
    throw error;
  }
}
