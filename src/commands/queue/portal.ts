import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export interface QueuePortalOptions {
  readonly names: readonly string[];
}

/** `queue create`, `queue delete`: the interface has no such request (QUEUE-5, CLIENT-18). */
export function refuseInPortal(_ctx: Context, _options: QueuePortalOptions): Promise<void> {
  return Promise.reject(
    usageError(
      'queues are created and deleted in the account portal; the service offers no request for it',
      nextStep`who is in a queue is changed here: ${ucctl('queue assign')}, ${ucctl('queue apply')}`,
    ),
  );
}
