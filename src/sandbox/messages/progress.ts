import { extensionOfNumber } from '../calls/telephone.ts';
import { logText } from '../calls/message-log.ts';
import { finishFax } from '../fax/rules.ts';
import { changeMessage } from './rules.ts';
import type { MessageRow } from './store.ts';
import { textOutcome } from './text-outcomes.ts';
import type { World } from '../world/world.ts';

/**
 * Schedules a queued text according to the setting `messageProgression`: with timers, immediately, or with a trigger.
 */
export function sendText(world: World, row: MessageRow): MessageRow {
  const { messageProgression, smsSentMilliseconds, smsDeliveredMilliseconds } = world.settings;
  if (messageProgression === 'immediate') return stepMessage(world, stepMessage(world, row));
  if (messageProgression === 'manual') return row;
  const now = world.clock.now();
  world.timers.set('message.sent', row.id, now + smsSentMilliseconds);
  if (reportOf(world, row) !== undefined) {
    world.timers.set('message.delivered', row.id, now + smsDeliveredMilliseconds);
  }
  return row;
}

/** Moves a text or fax to its next status, depending on its number; a final status does not change. */
export function stepMessage(world: World, row: MessageRow): MessageRow {
  if (row.type === 'Fax' && row.messageStatus === 'Queued') return finishFax(world, row);
  if (row.type !== 'SMS') return row;
  const { sent, deliveryErrorCode } = textOutcome(row.to[0]?.phoneNumber);
  const next = row.messageStatus === 'Queued' ? sent : reportOf(world, row);
  if (next === undefined || !['Queued', 'Sent'].includes(row.messageStatus)) return row;
  const failed = next === 'SendingFailed' || next === 'DeliveryFailed';
  const changed = changeMessage(world, row, {
    messageStatus: next,
    ...(next === 'Delivered' && { deliveryTime: world.clock.now() }),
    ...(failed && deliveryErrorCode !== undefined && { details: { ...row.details, deliveryErrorCode } }),
  });
  if (row.messageStatus === 'Queued') logText(world, changed);
  return changed;
}

/**
 * Returns the status that follows Sent; undefined for a carrier without delivery reports and for a discarded text
 * (SMS-7).
 */
function reportOf(world: World, row: MessageRow): 'Delivered' | 'DeliveryFailed' | undefined {
  const to = row.to[0]?.phoneNumber ?? '';
  const recipient = extensionOfNumber(world, to);
  if (recipient && recipient.status !== 'Enabled') return undefined;
  return textOutcome(to).delivered;
}
