import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { faxView, showEnd } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';

/** Time in which a fax of some pages is usually sent. */
const usualWaitSeconds = 900;

/** Seconds for which the end of a fax is waited for. */
export function faxWaitSeconds({ settings }: Pick<Context, 'settings'>, given: number | undefined): number {
  return waitLimit(settings, given, usualWaitSeconds);
}

/** Waits for the end of a fax and shows it. `given`: `--wait-timeout`. @throws {CommandError} as `showEnd` does. */
export function waitForFax(
  ctx: Context,
  api: Client,
  fax: Message,
  given: number | undefined,
): Promise<void> {
  const timeoutSeconds = faxWaitSeconds(ctx, given);
  return showEnd(ctx, fax, { api, type: 'Fax', timeoutSeconds, view: faxView, label: 'sending the fax' });
}
