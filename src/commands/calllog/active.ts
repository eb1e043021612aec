import { timeIn } from '../../platform/moment.ts';
import type { CallScope, Client } from '../../client/index.ts';
import type { CallLogRecord } from '../../contract/call-log.ts';
import type { Context } from '../../runtime/context.ts';
import type { BoardFrame, View } from '../../runtime/output.ts';
import { callRows, clockText, partyText } from './call.rows.ts';
import { explainRefusal, scopeOf } from './scope.ts';

export interface CallLogActiveOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly phoneNumber?: string;
  readonly extensionNumber?: string;
  readonly watch?: boolean;
  readonly interval: number;
}

const absent = 'calls that still ring are not among them; ended ones stay for about 120 s';
const activeView: View<CallLogRecord> = {
  ...callRows.list,
  empty: `No calls at this moment (${absent}).`,
  line: (row, zone) =>
    `${timeIn(row.startTime, zone)} ${row.direction} ${partyText(row.from)} to ${partyText(row.to)}: ${row.result}, ${clockText(row.duration)}`,
};

/** `calllog active [--watch]` */
export async function showActiveCalls(ctx: Context, options: CallLogActiveOptions): Promise<void> {
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const calls = await read(ctx, api, scope, options);
  if (!options.watch) {
    await ctx.out.list(calls, activeView);
    if (ctx.out.isTerminal && calls.length > 0) ctx.out.note(absent);
    return;
  }
  await ctx.out.board(frames(ctx, api, scope, options, calls), activeView, {
    signal: ctx.signal,
  });
}

async function read(
  ctx: Context,
  api: Client,
  scope: CallScope,
  options: CallLogActiveOptions,
): Promise<readonly CallLogRecord[]> {
  const { direction, type } = options;
  // Other types are rejected where filters are read; which types there are is not known here.
  const isServed = type.length > 0 && type.every((one) => one === 'Voice' || one === 'Fax');
  const filter = { ...(direction.length > 0 && { direction }), ...(isServed && { type }) };
  const calls = await api.callLog.active(scope, filter, { signal: ctx.signal }).catch((error: unknown) => {
    throw explainRefusal(error, scope, 'calllog active');
  });
  return calls.filter((call) => isWanted(call, options));
}

function isWanted(call: CallLogRecord, options: CallLogActiveOptions): boolean {
  const { direction, type, phoneNumber, extensionNumber } = options;
  const sides = [call.from, call.to];
  const isOf = (values: readonly string[], value: string): boolean =>
    values.length === 0 || values.some((one) => one.toLowerCase() === value.toLowerCase());
  return (
    isOf(direction, call.direction) &&
    isOf(type, call.type) &&
    (phoneNumber === undefined || sides.some((side) => side?.phoneNumber === phoneNumber)) &&
    (extensionNumber === undefined || sides.some((side) => side?.extensionNumber === extensionNumber))
  );
}

/** One reading after the other, until the end; each frame tells what came or changed since the one before. */
async function* frames(
  ctx: Context,
  api: Client,
  scope: CallScope,
  options: CallLogActiveOptions,
  first: readonly CallLogRecord[],
): AsyncGenerator<BoardFrame<CallLogRecord>, void, undefined> {
  let known = new Map<string, string>();
  let calls = first;
  for (;;) {
    const seen = new Map(calls.map((call) => [call.id, `${call.result} ${call.duration}`]));
    const before = known;
    known = seen;
    yield {
      title: `Active calls  ${calls.length}`,
      rows: calls,
      footer: `read every ${options.interval} s · ${new Date(ctx.now()).toISOString().slice(11, 19)} UTC · ${absent} · Ctrl-C ends`,
      changed: calls.filter(({ id }) => before.get(id) !== seen.get(id)),
    };
    try {
      await ctx.sleep(options.interval * 1000);
    } catch {
      // Cut short by the end of the watching.
      return;
    }
    calls = await read(ctx, api, scope, options);
  }
}
