import { finishFax } from './fax.ts';
import { changeMessage, purgeMessages } from './messages.ts';
import { textOutcome } from './text-outcomes.ts';
import type { TimerHandlers } from './world.ts';

/** What time does to messages: texts and faxes go out, deleted messages are purged and then removed. */
export const mailboxTimers: TimerHandlers = {
  'message.sent': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.messageStatus !== 'Queued') return;
    const { sent, deliveryErrorCode } = textOutcome(row.to[0]?.phoneNumber);
    const failed = sent === 'SendingFailed' && deliveryErrorCode !== undefined;
    changeMessage(world, row, {
      messageStatus: sent,
      ...(failed && { details: { ...row.details, deliveryErrorCode } }),
    });
  },
  'message.delivered': (world, id) => {
    const row = world.messages.byId(Number(id));
    const { delivered, deliveryErrorCode } = textOutcome(row?.to[0]?.phoneNumber);
    if (row?.messageStatus !== 'Sent' || delivered === undefined) return;
    if (delivered === 'Delivered') {
      changeMessage(world, row, { messageStatus: delivered, deliveryTime: world.clock.now() });
      return;
    }
    changeMessage(world, row, {
      messageStatus: delivered,
      details: { ...row.details, ...(deliveryErrorCode !== undefined && { deliveryErrorCode }) },
    });
  },
  'message.purge': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.availability === 'Deleted') purgeMessages(world, [row]);
  },
  'message.remove': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.availability === 'Purged') world.messages.remove(row.id);
  },
  'fax.sent': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.availability === 'Alive' && row.messageStatus === 'Queued') finishFax(world, row);
  },
};
