import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

export interface QueuePortalOptions {
  readonly names: readonly string[];
}

/** `queue create` and `queue delete`: the service has no such request (QUEUE-5, CLIENT-18). */
export function rejectPortalCommand(_ctx: Context, _options: QueuePortalOptions): Promise<void> {
  return Promise.reject(
    usageError(
      'you can create and delete queues only in the account portal',
      nextStep`to change the members of a queue: ${ucctl('queue assign')}, ${ucctl('queue apply')}`,
    ),
  );
}
