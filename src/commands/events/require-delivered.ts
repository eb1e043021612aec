import { CommandError, Exit } from '../../errors/command.ts';
import { counted } from '../../platform/counted.ts';

/**
 * Rejects a command that delivered not all of its events. @throws {CommandError} `not_delivered`, with exit 1 if it
 * delivered none, otherwise 8.
 */
export function requireDelivered(events: number, failed: number, hint: string): void {
  if (failed === 0) return;
  throw new CommandError(
    'not_delivered',
    failed === events ? Exit.failed : Exit.partial,
    `could not deliver ${failed} of ${counted(events, 'event')}`,
    { hint },
  );
}
