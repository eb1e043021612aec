import type { Context } from '../../../runtime/context.ts';
import { openInbox } from '../store/open-inbox.ts';

/**
 * Whether a run on this machine has recorded a subscription or chat webhook as its own, or is creating a subscription
 * with this address.
 */
export function isRecorded(ctx: Context, id: string, address?: string): boolean {
  const inbox = openInbox(ctx, { onlyReads: true });
  try {
    return inbox.recordedIds.isRecorded(id, address);
  } finally {
    inbox.close();
  }
}

/**
 * Records a subscription or chat webhook that the run has created and does not delete. Another run whose reply was lost
 * then does not take it for its own.
 */
export function recordCreated(ctx: Context, id: string): void {
  try {
    const inbox = openInbox(ctx, {});
    try {
      inbox.recordedIds.addCreated(id, ctx.now());
    } finally {
      inbox.close();
    }
  } catch {
    // The disk may be full or read-only. Only a run with the same request, whose reply is lost now, needs the record.
  }
}
