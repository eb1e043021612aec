import { defineCommand } from '../../runtime/define.ts';
import type { SandboxDeliveryOptions } from './delivery.ts';
import { lastOnesOption, notRunning, readyFileOption } from './options.command.ts';

export const sandboxDelivery = defineCommand<SandboxDeliveryOptions>({
  path: ['sandbox', 'delivery'],
  summary: 'List the notifications that a sandbox sent, or send one again',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'replay'],
      default: 'list',
      summary: 'What to do',
    },
    id: { type: 'string', positional: true, summary: 'Delivery to send again' },
    state: { type: 'string', choices: ['pending', 'delivered', 'failed'], summary: 'Only those' },
    limit: lastOnesOption,
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'What failed?', command: 'ucctl sandbox delivery list --state failed' },
    { comment: 'Again, with the same uuid', command: 'ucctl sandbox delivery replay 17' },
  ],
  jsonFields: ['id', 'subscriptionId', 'uuid', 'state', 'attempts', 'status', 'error'],
  exitCodes: notRunning,
  load: () => import('./delivery.ts').then((m) => m.sandboxDeliveryCommand),
});
