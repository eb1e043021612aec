import type { CallScope, Client } from '../../client/index.ts';
import type { CallLogRecord } from '../../contract/call-log.ts';
import type { Context } from '../../runtime/context.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { CommandError, Exit, notFoundError } from '../../errors/command.ts';
import { plural } from '../../platform/counted.ts';
import { callRows } from './call.rows.ts';
import { explainMissingPermission, scopeOf } from './scope.ts';
import { timelineText } from './timeline.ts';
import { telephonySessionFilter } from './telephony-session.ts';

export interface CallLogShowOptions {
  readonly ids: readonly string[];
  readonly extension?: string;
}

const defaultColumns = 100;

export async function showCalls(ctx: Context, options: CallLogShowOptions): Promise<void> {
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, options.extension);
  const ids = [...new Set(options.ids)];
  const { records, missing } = await readCalls(ctx, api, scope, ids).catch((error: unknown) => {
    throw explainMissingPermission(error, scope, ucctl('calllog show'));
  });
  if (records.length === 0) {
    throw notFoundError(
      `${plural(missing.length, 'call')} ${missing.join(', ')} not found`,
      nextStep`to list record IDs and session IDs: ${ucctl('calllog list')}`,
    );
  }
  await print(ctx, records, ids.length === 1 && records.length === 1);
  if (missing.length === 0) return;
  throw new CommandError(
    'partial',
    Exit.partial,
    `${plural(missing.length, 'call')} ${missing.join(', ')} not found`,
    {
      hint: nextStep`to list record IDs and session IDs: ${ucctl('calllog list')}`,
    },
  );
}

async function print(ctx: Context, records: readonly CallLogRecord[], isOne: boolean): Promise<void> {
  const { out } = ctx;
  if (out.format === 'table') {
    const texts = records.map((record) =>
      timelineText(record, {
        columns: out.columns ?? defaultColumns,
        zone: out.zone,
        isTerminal: out.isTerminal,
      }),
    );
    return out.text(`${texts.join('\n\n')}\n`);
  }
  const [only] = records;
  if (isOne && only) return out.record(only, callRows.list);
  return out.list(records, callRows.list);
}

/** Reads all IDs as record IDs first, in few requests. Then searches for the remaining IDs as session IDs. */
async function readCalls(
  ctx: Context,
  api: Client,
  scope: CallScope,
  ids: readonly string[],
): Promise<{ readonly records: readonly CallLogRecord[]; readonly missing: readonly string[] }> {
  const direct = await readRecords(ctx, api, scope, ids);
  const records: CallLogRecord[] = [];
  const missing: string[] = [];
  for (const [index, id] of ids.entries()) {
    const record = direct[index];
    const found = record ? [record] : await ofSession(ctx, api, scope, id);
    if (found.length === 0) missing.push(id);
    records.push(...found);
  }
  return { records, missing };
}

/** Returns the records in the order of `ids`; undefined where an ID is not a record ID. */
async function readRecords(
  ctx: Context,
  api: Client,
  scope: CallScope,
  ids: readonly string[],
): Promise<readonly (CallLogRecord | undefined)[]> {
  try {
    return await api.callLog.get(scope, ids, 'Detailed', { signal: ctx.signal });
  } catch (error) {
    if (!isMalformedId(error)) throw error;
    // An ID that is malformed as a record ID may be a session. The reply for several IDs does not identify the
    // malformed ID.
    if (ids.length === 1) return [undefined];
    const each: (CallLogRecord | undefined)[] = [];
    for (const id of ids) each.push(...(await readRecords(ctx, api, scope, [id])));
    return each;
  }
}

function isMalformedId(error: unknown): boolean {
  return error instanceof Error && 'parameterName' in error && error.parameterName === 'callRecordId';
}

async function ofSession(
  ctx: Context,
  api: Client,
  scope: CallScope,
  sessionId: string,
): Promise<readonly CallLogRecord[]> {
  const found: CallLogRecord[] = [];
  const by = sessionId.startsWith('s-') ? telephonySessionFilter(sessionId, ctx.now()) : { sessionId };
  const filter = { ...by, view: 'Detailed' } as const;
  for await (const record of api.callLog.list(scope, filter, { signal: ctx.signal })) found.push(record);
  return found;
}
