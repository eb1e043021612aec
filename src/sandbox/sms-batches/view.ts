import { textOutcome } from '../messages/text-outcomes.ts';
import type { World } from '../world/world.ts';
import type { CreationTimes, SmsBatchMessageRow, SmsBatchRow } from './store.ts';

/**
 * Milliseconds after which the texts of a batch are sent, and after which they are delivered
 * (docs/internals/service-gaps.md).
 */
const sentMilliseconds = 2000;
const deliveredMilliseconds = 5000;

/** Returns a batch (TEXTBATCH-2 to TEXTBATCH-4). */
export function toBatch(world: World, row: SmsBatchRow) {
  const age = world.clock.now() - row.time;
  const rejected = JSON.parse(row.rejected) as readonly unknown[];
  return {
    id: String(row.id),
    from: row.sender,
    batchSize: row.size,
    processedCount: age < sentMilliseconds ? 0 : row.size - rejected.length,
    creationTime: world.clock.iso(row.time),
    lastModifiedTime: world.clock.iso(changedAt(row.time, age)),
    status: batchStatus(age),
    rejected,
  };
}

function batchStatus(age: number): 'Processing' | 'Sent' | 'Completed' {
  if (age < sentMilliseconds) return 'Processing';
  return age < deliveredMilliseconds ? 'Sent' : 'Completed';
}

/** Returns when batches were created that have a status now; undefined for a status that no batch has. */
export function timesOf(world: World, status: string): CreationTimes | undefined {
  const now = world.clock.now();
  const sent = now - sentMilliseconds;
  const delivered = now - deliveredMilliseconds;
  if (status === 'Processing') return { after: sent, until: now };
  if (status === 'Sent') return { after: delivered, until: sent };
  return status === 'Completed' ? { after: -1, until: delivered } : undefined;
}

/** Returns a text of a batch (TEXTBATCH-6). @param isDetailed whether to include the text itself */
export function toBatchMessage(world: World, row: SmsBatchMessageRow, isDetailed: boolean) {
  const age = world.clock.now() - row.time;
  const to = JSON.parse(row.receivers) as readonly string[];
  const { status, errorCode } = messageStatus(to[0], age);
  // Only a text that is reported as delivered or not delivered changes after it was sent.
  const isReported = status === 'Delivered' || status === 'DeliveryFailed';
  return {
    id: row.id,
    batchId: String(row.batchId),
    from: row.sender,
    to,
    creationTime: world.clock.iso(row.time),
    lastModifiedTime: world.clock.iso(
      changedAt(row.time, isReported ? age : Math.min(age, sentMilliseconds)),
    ),
    messageStatus: status,
    direction: 'Outbound',
    ...(errorCode !== undefined && { errorCode }),
    ...(isDetailed && { text: row.text }),
  };
}

/** Returns the status of a text at an age in milliseconds. Magic numbers have the same effect as for single texts. */
function messageStatus(
  to: string | undefined,
  age: number,
): { readonly status: string; readonly errorCode?: string | undefined } {
  if (age < sentMilliseconds) return { status: 'Queued' };
  const { sent, delivered, deliveryErrorCode } = textOutcome(to);
  if (sent === 'SendingFailed') return { status: sent, errorCode: deliveryErrorCode };
  if (age < deliveredMilliseconds || delivered === undefined) return { status: sent };
  return { status: delivered, errorCode: delivered === 'DeliveryFailed' ? deliveryErrorCode : undefined };
}

function changedAt(time: number, age: number): number {
  if (age < sentMilliseconds) return time;
  return time + (age < deliveredMilliseconds ? sentMilliseconds : deliveredMilliseconds);
}
