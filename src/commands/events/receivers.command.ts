import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { receiverRows } from './consumer.rows.ts';

export const eventsReceivers = defineCommand<object>({
  path: ['events', 'receivers'],
  summary: 'Show the receivers that write events to the PostgreSQL store',
  description:
    'Lists the receivers of ucctl webhook listen --sink with the number of running processes, the subscription, and the process that renews the subscription or has the WebSocket.',
  options: {},
  examples: [{ comment: 'Show whether receivers run', command: 'ucctl events receivers' }],
  output: list(receiverRows),
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./receivers.ts').then((m) => m.receivers),
});
