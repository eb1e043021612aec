import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import {
  deleteMessages,
  deletedError,
  changedRows,
  statusWords,
  warnOfPurged,
} from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { readFax } from './status.ts';

export interface FaxCancelOptions {
  readonly id: string;
}

/** `fax cancel ID`: deletes the fax while it is queued (FAX-7). */
export async function cancelFax(ctx: Context, { id }: FaxCancelOptions): Promise<void> {
  const api = await ctx.api();
  const fax = await readFax(ctx, api, id);
  if (fax.messageStatus !== 'Queued') throw tooLate(fax, 'only queued faxes can be canceled');
  for await (const row of deleteMessages(api, [String(fax.id)], false)) {
    await ctx.out.record(row, changedRows.record);
    warnOfPurged(ctx, [row]);
    const failure = deletedError([row]);
    if (failure) throw failure;
    await requireUnsent(ctx, api, id);
  }
}

/**
 * Reads the deleted fax, because the service may have sent the fax after ucctl read its status. A service that does not
 * return deleted messages only confirms the deletion.
 */
async function requireUnsent(ctx: Context, api: Client, id: string): Promise<void> {
  const options = { availability: ['Alive', 'Deleted', 'Purged'], signal: ctx.signal };
  const fax = await api.messages.get(id, '~', options).catch(() => undefined);
  ctx.signal.throwIfAborted();
  const { messageStatus = 'Queued' } = fax ?? {};
  if (!fax || messageStatus === 'Queued') return;
  throw tooLate(
    fax,
    nextStep`the service sent the fax before ucctl deleted its message; to restore the message: ${ucctl`message restore ${id}`}`,
  );
}

function tooLate(fax: Message, hint: Hint): CommandError {
  const message = `cannot cancel fax ${fax.id}: its status is "${statusWords(fax)}"`;
  return new CommandError('too_late', Exit.conflict, message, { hint });
}
