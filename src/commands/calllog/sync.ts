import type { CallScope, Client } from '../../client/index.ts';
import type { Extension } from '../../contract/extension.ts';
import type { KnownExtension } from '../../store/call-store.ts';
import {
  ForeignCallsError,
  OtherCallLogError,
  syncCalls,
  type CallSyncReport,
} from '../../features/mirror/calls/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import { changeCopy } from '../../features/mirror/index.ts';
import { readWindow } from '../../features/time-window/index.ts';
import { counted } from '../../platform/counted.ts';
import type { Archive } from '../../store/archive.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { explained, explainMissingPermission, scopeOf } from './scope.ts';
import { syncColumns, syncRows } from './sync.rows.ts';

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
      `--extension: "${extension}" is not valid here; only ~ is accepted`,
      'use --extension ~ to copy your own calls, or omit --extension to copy the calls of the whole account',
    );
  }
  const now = ctx.now();
  const { from } = readWindow({ ...(since !== undefined && { since }) }, now);
  const api = await ctx.api();
  const scope = await scopeOf(ctx, api, extension);
  const directory = openDirectory(api, ctx.signal);
  const copy = ({ messages, calls }: Archive): Promise<CallSyncReport> =>
    ctx.out.progress('copying the call log', async (update) => {
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
  const command = 'calllog sync';
  let served: number | undefined;
  const onReply = ({ date }: { readonly date: string | undefined }): void => {
    const time = Date.parse(date ?? '');
    served = Number.isNaN(time) ? undefined : time;
  };
  return {
    list: (filter) =>
      explained(api.callLog.list(scope, filter, { signal: ctx.signal, onReply }), scope, command),
    now: () => served,
    get: (ids) =>
      api.callLog.get(scope, ids, 'Detailed', { signal: ctx.signal }).catch((error: unknown) => {
        throw explainMissingPermission(error, scope, command);
      }),
  };
}

function toCommandError(error: unknown): unknown {
  if (error instanceof OtherCallLogError) {
    return new CommandError('other_call_log', Exit.conflict, error.message, {
      hint: 'sign in as that user, or use a separate copy for each user: -p PROFILE or --database FILE',
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
