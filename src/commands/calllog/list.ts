import type { CallLogFilter, CallLogRecord } from '../../contract/call-log.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { callRows } from './call.rows.ts';
import { checkCallTypes, explained, scopeOf } from './scope.ts';
import { dateFilter, readWindow } from '../../features/time-window/index.ts';

export interface CallLogListOptions extends WindowOptions {
  readonly extension?: string;
  readonly direction: readonly ('Inbound' | 'Outbound')[];
  readonly type: readonly string[];
  readonly view?: 'Simple' | 'Detailed';
  readonly phoneNumber?: string;
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

/** `calllog list`: streams the records, with one page in memory at a time. */
export async function listCalls(ctx: Context, options: CallLogListOptions): Promise<void> {
  checkCallTypes(ctx, options.type);
  const filter = toFilter(options, ctx.now());
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const limit = options.all ? undefined : (options.limit ?? defaultLimit);
  const records = api.callLog.list(scope, filter, {
    signal: ctx.signal,
    perPage: options.perPage,
    // Requests one record more than the limit, to detect whether the list is truncated.
    limit: limit === undefined ? undefined : limit + 1,
  });
  const asked = explained(records, scope, 'calllog list');
  if (limit === undefined) return ctx.out.list(asked, callRows.list);
  const end = { cut: false };
  await ctx.out.list(first(limit, asked, end), callRows.list);
  if (end.cut) ctx.out.note(`showing only the first ${limit} records; use --limit N or --all for more`);
}

function toFilter(options: CallLogListOptions, now: number): CallLogFilter {
  const { direction, type, transport, session, telephonySession, ...rest } = options;
  const { phoneNumber, extensionNumber, view, recordingType, withRecording, showBlocked, showDeleted } = rest;
  return {
    ...dateFilter(readWindow(options, now)),
    ...(direction.length > 0 && { direction }),
    ...(type.length > 0 && { type }),
    ...(transport.length > 0 && { transport }),
    ...(session !== undefined && { sessionId: session }),
    ...(telephonySession !== undefined && { telephonySessionId: telephonySession }),
    ...(phoneNumber !== undefined && { phoneNumber }),
    ...(extensionNumber !== undefined && { extensionNumber }),
    ...(view !== undefined && { view }),
    ...(recordingType !== undefined && { recordingType }),
    ...(withRecording !== undefined && { withRecording }),
    ...(showBlocked !== undefined && { showBlocked }),
    ...(showDeleted !== undefined && { showDeleted }),
  };
}

async function* first(
  limit: number,
  records: AsyncIterable<CallLogRecord>,
  end: { cut: boolean },
): AsyncGenerator<CallLogRecord, void, undefined> {
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
