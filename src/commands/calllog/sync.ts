import type { CallScope, Client } from '../../client/index.ts';
import type { CallLogSyncReply } from '../../contract/call-log.ts';
import { dialects } from '../../contract/dialects.ts';
import type { Extension } from '../../contract/extension.ts';
import { callSyncRecords } from '../../contract/limits.ts';
import type { KnownExtension } from '../../store/call-store.ts';
import {
  ForeignCallsError,
  OtherCallLogError,
  syncCalls,
  type CallChanges,
  type CallSyncReport,
  type CallSyncSource,
} from '../../features/mirror/calls/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { changeCopy } from '../../features/mirror/index.ts';
import { readSince } from '../../features/time-window/index.ts';
import { readDateHeader } from '../../platform/date-header.ts';
import { counted } from '../../platform/counted.ts';
import type { Archive } from '../../store/archive.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { isRejectedWith } from '../../errors/service.ts';
import { explained, explainMissingPermission, scopeOf } from './scope.ts';
import { syncColumns, syncRows } from './sync.rows.ts';
import { ucctl } from '../../errors/hint.ts';

export interface CallLogSyncOptions extends CopyOptions {
  readonly extension?: string;
  readonly since?: string;
  readonly overlap: number;
  readonly full?: boolean;
}

export async function syncCallLog(ctx: Context, options: CallLogSyncOptions): Promise<void> {
  const { since, overlap, full, extension } = options;
  if (extension !== undefined && extension !== '~') {
    throw usageError(
      `--extension: "${extension}" is not a valid value; calllog sync accepts only ~`,
      'use --extension ~ to copy your own calls, or omit --extension to copy the calls of the whole account',
    );
  }
  const now = ctx.now();
  const { from } = readSince(ctx, since);
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, extension);
  const directory = openDirectory(api, ctx.signal);
  const copy = ({ messages, calls }: Archive): Promise<CallSyncReport> =>
    ctx.out.progress('Copying the call log', async (update) => {
      const synced = await syncCalls(calls, sourceOf(ctx, api, scope), {
        scope: extension ?? 'account',
        since: from,
        overlap: overlap * 1000,
        full,
        now,
        isErased: await messages.erasedNumbers(),
        onProgress: (received) => update(counted(received, 'record')),
      }).catch((error: unknown) => {
        if (ctx.signal.aborted)
          ctx.out.note('ucctl stored the copied calls; run the same command again to resume');
        throw toCommandError(error);
      });
      await calls.saveExtensions((await directory.all()).map(knownExtension));
      return synced;
    });
  const report = await changeCopy(ctx, options, copy, async () => void (await directory.all()));
  await ctx.out.record(report, syncRows.pick(syncColumns));
}

function knownExtension({ id, extensionNumber, name, type }: Partial<Extension>): KnownExtension {
  const number = extensionNumber ?? String(id);
  return { id: String(id), extensionNumber, name: name ?? number, type: type ?? '' };
}

function sourceOf(ctx: Context, api: Client, scope: CallScope): Parameters<typeof syncCalls>[1] {
  const command = ucctl('calllog sync');
  let served: number | undefined;
  const onReply = ({ date }: { readonly date: string | undefined }): void => {
    served = readDateHeader(date);
  };
  return {
    list: (filter) =>
      explained(api.callLog.list(scope, filter, { signal: ctx.signal, onReply }), scope, command),
    now: () => served,
    sync:
      dialects[ctx.settings.dialect.value].hasCallLogSync && scope !== 'account'
        ? tokensOf(ctx, api)
        : undefined,
    get: (ids) =>
      api.callLog.get(scope, ids, 'Detailed', { signal: ctx.signal }).catch((error: unknown) => {
        throw explainMissingPermission(error, scope, command);
      }),
  };
}

/** Reads the signed-in user's calls with the sync of the service. */
function tokensOf(ctx: Context, api: Client): CallSyncSource {
  const { signal } = ctx;
  const changesOf = ({ records, syncInfo }: CallLogSyncReply): CallChanges => ({
    records,
    token: syncInfo.syncToken,
  });
  return {
    start: async (dateFrom) => changesOf(await api.callLog.sync({ syncType: 'FSync', dateFrom }, { signal })),
    since: async (syncToken) => {
      try {
        const reply = await api.callLog.sync({ syncType: 'ISync', syncToken }, { signal });
        return { ...changesOf(reply), isCut: reply.records.length >= callSyncRecords };
      } catch (error) {
        if (isRejectedWith(error, 400) && isTokenCode(error.code)) return undefined;
        throw error;
      }
    },
  };
}

/** Returns whether the service requires a full sync (CALL-25, ERROR-36). */
function isTokenCode(code: string): boolean {
  return /^CLG-10[1-5]$/.test(code);
}

function toCommandError(error: unknown): unknown {
  if (error instanceof OtherCallLogError) {
    return new CommandError('other_call_log', Exit.conflict, error.message, {
      hint: 'sign in as the user of this database, or use a separate database for each user: -p PROFILE or --database FILE',
      cause: error,
    });
  }
  if (error instanceof ForeignCallsError) {
    return new CommandError('foreign_database', Exit.local, error.message, {
      hint: 'choose another file with --database',
      cause: error,
    });
  }
  return error;
}
