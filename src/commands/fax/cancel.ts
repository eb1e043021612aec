import { deleteMessages, deletedError, changedRows, statusWords } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { readFax } from './status.ts';

export interface FaxCancelOptions {
  readonly id: string;
}

/** `fax cancel ID`: deletes the fax while it is queued (FAX-7). */
export async function cancelFax(ctx: Context, { id }: FaxCancelOptions): Promise<void> {
  const api = await ctx.api();
  const fax = await readFax(ctx, api, id);
  if (fax.messageStatus !== 'Queued') {
    throw new CommandError(
      'too_late',
      Exit.conflict,
      `cannot cancel fax ${id}: its status is "${statusWords(fax)}"`,
      { hint: 'only queued faxes can be canceled' },
    );
  }
  for await (const row of deleteMessages(api, [String(fax.id)], false)) {
    await ctx.out.record(row, changedRows.record);
    const failure = deletedError([row]);
    if (failure) throw failure;
  }
}
