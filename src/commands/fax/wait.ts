import type { Client } from '../../client/index.ts';
import type { Message } from '../../contract/message.ts';
import { faxView, showFinalStatus } from '../../features/mailbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { waitLimit } from '../../runtime/wait-limit.ts';

/** Seconds within which a fax of a few pages is usually sent. */
const usualWaitSeconds = 900;

/** Maximum time of `--wait`, in seconds. */
export function faxWaitSeconds({ settings }: Pick<Context, 'settings'>, given: number | undefined): number {
  return waitLimit(settings, given, usualWaitSeconds);
}

/**
 * Waits until a fax is sent or has failed, and shows the fax. `given` is the value of `--wait-timeout`. @throws
 * {CommandError} as `showFinalStatus` does.
 */
export function waitForFax(
  ctx: Context,
  api: Client,
  fax: Message,
  given: number | undefined,
): Promise<void> {
  const timeoutSeconds = faxWaitSeconds(ctx, given);
  return showFinalStatus(ctx, fax, {
    api,
    type: 'Fax',
    timeoutSeconds,
    view: faxView,
    label: 'Sending the fax',
  });
}
