import { stepMessage } from './progress.ts';
import { deleteMessages, purgeMessages } from './rules.ts';
import type { TimerHandlers, World } from '../world/world.ts';

/** Timer handlers of messages: they send texts and faxes, purge deleted messages, and remove purged messages. */
export const messageTimers: TimerHandlers = {
  'message.sent': (world, id) => stepFrom(world, id, 'Queued'),
  'message.delivered': (world, id) => stepFrom(world, id, 'Sent'),
  'fax.sent': (world, id) => stepFrom(world, id, 'Queued'),
  'fax.old': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.availability === 'Alive') deleteMessages(world, [row]);
  },
  'message.purge': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.availability === 'Deleted') purgeMessages(world, [row]);
  },
  'message.remove': (world, id) => {
    const row = world.messages.byId(Number(id));
    if (row?.availability === 'Purged') world.messages.remove(row.id);
  },
};

function stepFrom(world: World, id: string, messageStatus: string): void {
  const row = world.messages.byId(Number(id));
  if (row?.messageStatus === messageStatus) stepMessage(world, row);
}
