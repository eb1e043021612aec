import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { faxView, stateNotReached, waitForMessage } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Waits for the end of a fax and shows it. @throws {CommandError} `state_not_reached` (exit 13) when it was not sent. */
export async function waitForFax(
  ctx: Context,
  api: Client,
  fax: Message,
  timeoutSeconds: number,
): Promise<void> {
  const message = await ctx.out.progress('sending the fax', (update) =>
    waitForMessage(ctx, api, fax, timeoutSeconds, update),
  );
  await ctx.out.record(message, faxView);
  const failure = stateNotReached(message);
  if (failure) throw failure;
}
