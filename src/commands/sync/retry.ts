import {
  changeCopy,
  defaultPolicy,
  requireCopy,
  retryErrors,
  type RetryLine,
} from '../../features/mirror/index.ts';
import type { OnDelete } from '../../store/reply.ts';
import { counted } from '../../platform/counted.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { ucctl } from '../../errors/hint.ts';
import { retryColumns, retryRows } from './retry.rows.ts';
import { fetchMessageOf } from './fetch-message.ts';

export interface SyncRetryOptions extends CopyOptions {
  /** Undefined: the policy that the copy has. */
  readonly onDelete?: OnDelete;
}

export async function retrySync(ctx: Context, options: SyncRetryOptions): Promise<void> {
  requireCopy(ctx, options);
  const api = await ctx.api();
  let left = 0;
  await changeCopy(ctx, options, async ({ messages }) => {
    const lines = retryErrors(messages, fetchMessageOf(api, ctx), {
      onDelete: options.onDelete ?? (await defaultPolicy(ctx, messages)),
      now: ctx.now(),
    });
    const lookedAt = async function* (): AsyncGenerator<RetryLine, void, undefined> {
      for await (const line of lines) {
        if (line.status === 'failed' || line.status === 'needs a full sync') left += 1;
        yield line;
      }
    };
    await ctx.out.list(lookedAt(), retryRows.pick(retryColumns));
  });
  if (left > 0) {
    throw new CommandError('partial', Exit.partial, `still could not copy ${counted(left, 'record')}`, {
      hint: ucctl('sync --full'),
    });
  }
}
