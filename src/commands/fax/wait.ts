import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { faxView, showEnd } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Waits for the end of a fax and shows it. @throws {CommandError} as `showEnd` does. */
export function waitForFax(ctx: Context, api: Client, fax: Message, timeoutSeconds: number): Promise<void> {
  return showEnd(ctx, fax, { api, timeoutSeconds, view: faxView, label: 'sending the fax' });
}
