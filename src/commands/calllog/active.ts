import { footerTime, timeIn } from '../../platform/moment.ts';
import type { CallScope, Client } from '../../client/index.ts';
import { unfinishedCallResults } from '../../contract/enums.ts';
import type { CallLogRecord } from '../../contract/call-log.ts';
import type { Context } from '../../runtime/context.ts';
import type { BoardScreen, Column, View } from '../../runtime/output.ts';
import { callRows, clockText, partyText } from './call.rows.ts';
import { readCaller } from './caller.ts';
import { explainMissingPermission, scopeOf } from './scope.ts';
import { ucctl } from '../../errors/hint.ts';

export interface CallLogActiveOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly phone?: string;
  readonly extensionNumber?: string;
  readonly watch?: boolean;
  readonly interval: number;
}

const absent = 'ringing calls are not included; ended calls stay for about 120 s';
const activeView: View<CallLogRecord> = {
  ...callRows.list,
  columns: callRows.list.columns.map((column) => (column.key === 'result' ? markEnded(column) : column)),
  empty: `No active calls (${absent}).`,
  line: (row, zone) =>
    `${timeIn(row.startTime, zone)} ${row.direction} ${partyText(row.from)} to ${partyText(row.to)}${stateText(row)}`,
};

/** Whether a call has ended. The service may omit the result of a call in progress. */
function isEnded({ result }: CallLogRecord): boolean {
  return result !== undefined && !unfinishedCallResults.includes(result);
}

function markEnded(column: Column<CallLogRecord>): Column<CallLogRecord> {
  return { ...column, shown: resultText };
}

/** Returns the result, with a mark if the call has ended. */
function resultText(call: CallLogRecord): string | undefined {
  return isEnded(call) ? `ended: ${call.result}` : call.result;
}

/** Counts each call once, because a call to a queue has a record for each extension: `1 in progress, 2 ended`. */
function countText(calls: readonly CallLogRecord[]): string {
  const all = new Set(calls.map(({ sessionId }) => sessionId));
  const inProgress = new Set(calls.filter((call) => !isEnded(call)).map(({ sessionId }) => sessionId));
  return `${inProgress.size} in progress, ${all.size - inProgress.size} ended`;
}

/** Returns the result and the duration, either of which the service may omit. */
function stateText(call: CallLogRecord): string {
  const { duration } = call;
  const known = [resultText(call), duration === undefined ? undefined : clockText(duration)];
  const text = known.filter((one) => one !== undefined).join(', ');
  return text === '' ? '' : `: ${text}`;
}

export async function showActiveCalls(ctx: Context, given: CallLogActiveOptions): Promise<void> {
  const phone = await readCaller(ctx, given.phone, ucctl('calllog active'));
  const options = { ...given, ...(phone !== undefined && { phone }) };
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const calls = await read(api, scope, options, ctx.signal);
  if (!options.watch) {
    await ctx.out.list(calls, activeView);
    if (ctx.out.isTerminal && calls.length > 0) ctx.out.note(absent);
    return;
  }
  // Aborts when the board ends, so that its timer or its request does not keep the process alive.
  const over = new AbortController();
  const signal = AbortSignal.any([ctx.signal, over.signal]);
  const live: LiveCalls = { ctx, api, scope, options, signal };
  try {
    await ctx.out.board(screens(live, calls), activeView, { signal: ctx.signal });
  } finally {
    over.abort();
  }
}

async function read(
  api: Client,
  scope: CallScope,
  options: CallLogActiveOptions,
  signal: AbortSignal,
): Promise<readonly CallLogRecord[]> {
  const { direction, type } = options;
  // The service does not accept other call types as a filter, so ucctl filters these types itself.
  const isServed = type.length > 0 && type.every((one) => one === 'Voice' || one === 'Fax');
  const filter = { ...(direction.length > 0 && { direction }), ...(isServed && { type }) };
  const calls = await api.callLog.active(scope, filter, { signal }).catch((error: unknown) => {
    throw explainMissingPermission(error, scope, ucctl('calllog active'));
  });
  return calls.filter((call) => isWanted(call, options));
}

function isWanted(call: CallLogRecord, options: CallLogActiveOptions): boolean {
  const { direction, type, phone, extensionNumber } = options;
  const sides = [call.from, call.to];
  const isOf = (values: readonly string[], value: string): boolean =>
    values.length === 0 || values.some((one) => one.toLowerCase() === value.toLowerCase());
  return (
    isOf(direction, call.direction) &&
    isOf(type, call.type) &&
    (phone === undefined || sides.some((side) => side?.phoneNumber === phone)) &&
    (extensionNumber === undefined || sides.some((side) => side?.extensionNumber === extensionNumber))
  );
}

/** The source of a live list of calls, which ends when `signal` aborts. */
interface LiveCalls {
  readonly ctx: Context;
  readonly api: Client;
  readonly scope: CallScope;
  readonly options: CallLogActiveOptions;
  readonly signal: AbortSignal;
}

/**
 * Yields a screen for each reading until Ctrl-C. `changed` contains the calls that are new or changed since the
 * previous reading.
 */
async function* screens(
  { ctx, api, scope, options, signal }: LiveCalls,
  first: readonly CallLogRecord[],
): AsyncGenerator<BoardScreen<CallLogRecord>, void, undefined> {
  let known = new Map<string, string>();
  let calls = first;
  for (;;) {
    const seen = new Map(calls.map((call) => [call.id, `${call.result} ${call.duration}`]));
    const before = known;
    known = seen;
    yield {
      title: `Active calls  ${countText(calls)}`,
      rows: calls,
      footer: `refreshed every ${options.interval} s · ${footerTime(ctx.now(), ctx.out.zone)}`,
      notes: calls.length === 0 ? [] : [{ column: 'RESULT', text: absent }],
      changed: calls.filter(({ id }) => before.get(id) !== seen.get(id)),
    };
    try {
      await ctx.sleep(options.interval * 1000, signal);
    } catch {
      // Ctrl-C aborts the wait, which is not an error.
      return;
    }
    calls = await read(api, scope, options, signal);
  }
}
