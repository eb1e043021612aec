import type { Client } from '../../client/index.ts';
import type { CallLogFilter, CallLogRecord } from '../../contract/call-log.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl, type Hint } from '../../errors/hint.ts';
import type { Context } from '../../runtime/context.ts';
import type { View } from '../../runtime/output.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { callRows } from './call.rows.ts';
import { readCaller } from './caller.ts';
import { resultFilter, selected } from './result-filter.ts';
import { checkCallTypes, explained, scopeOf } from './scope.ts';
import { telephonySessionFilter } from './telephony-session.ts';
import { oneRecordPerCall } from '../../features/call-stats/one-call.ts';
import { knownQueueIds } from '../../features/known-values/index.ts';
import { dateFilter, readWindow, withRange } from '../../features/time-window/index.ts';
import { reportCut } from '../../runtime/report-cut.ts';

export interface CallLogListOptions extends WindowOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly result: readonly string[];
  readonly view?: 'Simple' | 'Detailed';
  readonly phone?: string;
  readonly extensionNumber?: string;
  readonly transport: readonly ('PSTN' | 'VoIP')[];
  readonly recordingType?: 'Automatic' | 'OnDemand' | 'All';
  readonly withRecording?: boolean;
  readonly showBlocked?: boolean;
  readonly showDeleted?: boolean;
  readonly session?: string;
  readonly telephonySession?: string;
  readonly limit?: number;
  readonly all?: boolean;
  readonly perPage?: number;
}

const defaultLimit = 100;
/** Maximum number of records per request (CALL-18). */
const largestPage = 1000;

/** `calllog list`: streams the records, with one page in memory at a time. */
export async function listCalls(ctx: Context, options: CallLogListOptions): Promise<void> {
  checkCallTypes(ctx, options.type);
  if (options.extension === undefined) checkAccountFilters(options);
  const phoneNumber = await readCaller(ctx, options.phone, ucctl('calllog list'));
  const window = readWindow(options, ctx);
  const filter = { ...toFilter(ctx, options, phoneNumber), ...dateFilter(window) };
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const filterRecord = recordFilter(ctx, options);
  const limit = options.all ? undefined : (options.limit ?? defaultLimit);
  const read = (paging: PagingOptions): AsyncIterable<CallLogRecord> =>
    explained(
      api.callLog.list(scope, filter, { signal: ctx.signal, perPage: options.perPage, ...paging }),
      scope,
      ucctl('calllog list'),
    );
  // The other formats contain the records of the service, so that a script sees each record.
  const noteCut = (what: 'calls' | 'records'): void =>
    reportCut(
      ctx.out,
      `showing only the first ${limit} ${what}; use --limit N or --all for more`,
      options.limit,
    );
  const view = withRange(callRows.list, window);
  if (ctx.out.format === 'table') return listMerged(ctx, { api, read, filterRecord, noteCut, view }, limit);
  if (limit === undefined) return ctx.out.list(selected(read({}), filterRecord), callRows.list);
  const end = { cut: false };
  // Requests one record more than the limit, to detect whether the list is truncated.
  const records = filterRecord ? selected(read({}), filterRecord) : read({ limit: limit + 1 });
  await ctx.out.list(first(limit, records, end), callRows.list);
  if (end.cut) noteCut('records');
}

/**
 * Returns the filter for what the service cannot select: results, and calls without a recording, because the service
 * ignores `withRecording=false` (CALL-17). Undefined if the service applies all filters.
 */
function recordFilter(
  ctx: Context,
  { result, withRecording }: CallLogListOptions,
): ((record: CallLogRecord) => boolean) | undefined {
  const hasResult = resultFilter(ctx, result);
  if (withRecording !== false) return hasResult;
  return (record) => record.recording === undefined && (hasResult?.(record) ?? true);
}

/** The calls of a list, and how to select them. */
interface CallSource {
  readonly api: Client;
  readonly read: (paging: PagingOptions) => AsyncIterable<CallLogRecord>;
  readonly filterRecord: ReturnType<typeof recordFilter>;
  /** Reports that the limit cut the list. */
  readonly noteCut: (what: 'calls' | 'records') => void;
  readonly view: View<CallLogRecord>;
}

interface PagingOptions {
  readonly limit?: number;
  readonly perPage?: number;
}

/** Writes one row for each call. A call that rang several extensions has a record for each of them. */
async function listMerged(
  ctx: Context,
  { api, read, filterRecord, noteCut, view }: CallSource,
  limit: number | undefined,
): Promise<void> {
  const end = { cut: false, merged: [] as string[] };
  // Calls through queues have two records or more.
  const isCounted = limit === undefined || filterRecord !== undefined;
  const records = read(isCounted ? {} : { perPage: Math.min(largestPage, 2 * (limit + 1)) });
  const calls = oneRecordPerCall(records, {
    queueIds: () =>
      knownQueueIds(ctx, () => api.extensions.list({ type: ['Department'] }, { signal: ctx.signal })),
    ...(filterRecord === undefined && { limit, onCut: () => (end.cut = true) }),
  });
  const chosen = filterRecord ? first(limit, selected(calls, filterRecord), end) : calls;
  const counted = async function* (): AsyncGenerator<CallLogRecord, void, undefined> {
    for await (const call of chosen) {
      if (call.records > 1) end.merged.push(call.sessionId);
      yield call;
    }
  };
  await ctx.out.list(counted(), view);
  if (end.merged.length > 0) ctx.out.note(mergedText(end.merged));
  if (end.cut) noteCut('calls');
}

/** Maximum number of sessions that a note names. */
const mostSessions = 3;

/** Names the calls with several records by their sessions, and the command that shows the records. */
function mergedText(sessions: readonly string[]): Hint {
  const [first = ''] = sessions;
  const more = sessions.length - mostSessions;
  const named = `${sessions.slice(0, mostSessions).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const what = sessions.length === 1 ? '1 call has' : `${sessions.length} calls (sessions ${named}) have`;
  const which = sessions.length === 1 ? 'the records' : 'the records of the first call';
  return nextStep`${what} records from several extensions; to show ${which}: ${ucctl`calllog show ${first}`}`;
}

/**
 * Rejects filters that the call log of the account does not have, because the service would ignore them (CALL-17).
 * @throws {CommandError} `usage` (exit 2)
 */
function checkAccountFilters({ transport, showBlocked }: CallLogListOptions): void {
  const flags = [
    ...(transport.length > 0 ? ['--transport', transport.join(',')] : []),
    ...(showBlocked === false ? ['--no-show-blocked'] : []),
  ];
  const [first] = flags;
  if (first === undefined) return;
  throw usageError(
    `${first} needs --extension, because the service ignores this filter for calls of the account`,
    nextStep`to filter your own calls: ${ucctl`calllog list --extension ~ ${flags}`}`,
  );
}

function toFilter(ctx: Context, options: CallLogListOptions, phoneNumber: string | undefined): CallLogFilter {
  const { direction, type, transport, session, telephonySession, ...rest } = options;
  const { extensionNumber, view, recordingType, withRecording, showBlocked, showDeleted } = rest;
  return {
    ...(telephonySession !== undefined && telephonySessionFilter(telephonySession, ctx.now())),
    ...(direction.length > 0 && { direction }),
    ...(type.length > 0 && { type }),
    ...(transport.length > 0 && { transport }),
    ...(session !== undefined && { sessionId: session }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(extensionNumber !== undefined && { extensionNumber }),
    ...(view !== undefined && { view }),
    ...(recordingType !== undefined && { recordingType }),
    ...(withRecording === true && { withRecording }),
    ...(showBlocked !== undefined && { showBlocked }),
    ...(showDeleted !== undefined && { showDeleted }),
  };
}

async function* first<R>(
  limit: number | undefined,
  records: AsyncIterable<R>,
  end: { cut: boolean },
): AsyncGenerator<R, void, undefined> {
  let count = 0;
  for await (const record of records) {
    if (count === limit) {
      end.cut = true;
      return;
    }
    count += 1;
    yield record;
  }
}
