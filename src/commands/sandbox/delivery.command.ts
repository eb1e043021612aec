import { defineCommand } from '../../runtime/define.ts';
import type { SandboxDeliveryOptions } from './delivery.ts';
import { newestOption, notRunning, readyFileOption } from './options.command.ts';
import { deliveryOutput } from './delivery.rows.ts';

export const sandboxDelivery = defineCommand<SandboxDeliveryOptions>({
  path: ['sandbox', 'delivery'],
  summary: 'List the notifications of a sandbox, or resend one',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['list', 'replay'],
      default: 'list',
      summary: 'Action',
    },
    id: {
      type: 'string',
      positional: true,
      summary: 'ID of the delivery to resend',
      conflictsWithWatch: true,
    },
    state: {
      type: 'string',
      choices: ['pending', 'delivered', 'recovered', 'failed', 'lost'],
      summary: 'Delivery states to list; default: all',
    },
    limit: newestOption,
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'List failed deliveries', command: 'ucctl sandbox delivery list --state failed' },
    { comment: 'Resend a notification with the same UUID', command: 'ucctl sandbox delivery replay 17' },
  ],
  output: deliveryOutput,
  exitCodes: notRunning,
  watch: true,
  load: () => import('./delivery.ts').then((m) => m.sandboxDeliveryCommand),
});
