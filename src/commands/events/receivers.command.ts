import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EventsReceiversOptions } from './receivers.ts';
import { receiverRows } from './consumer.rows.ts';

export const eventsReceivers = defineCommand<EventsReceiversOptions>({
  path: ['events', 'receivers'],
  summary: 'Show or remove the receivers that write events to the PostgreSQL store',
  description:
    'Lists the receivers of ucctl webhook listen --sink with the number of running processes, the subscription, and the process that renews the subscription or has the WebSocket. The number of events is null if the events go to a stream.',
  options: {
    names: {
      type: 'list',
      positional: true,
      value: 'NAME...',
      summary: 'Names of the receivers; default: all',
    },
    remove: {
      type: 'boolean',
      summary: 'Delete the receivers with their events, after a confirmation and if no process is running',
      conflictsWithWatch: true,
    },
  },
  examples: [
    { comment: 'Show whether receivers run', command: 'ucctl events receivers' },
    {
      comment: 'Delete a receiver that you no longer use, and its events',
      command: 'ucctl events receivers old --remove',
    },
  ],
  output: list(receiverRows),
  exitCodes: {
    3: 'receiver not found',
    9: 'confirmation is required',
    11: 'a process of the receiver is running',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  watch: true,
  load: () => import('./receivers.ts').then((m) => m.receivers),
});
