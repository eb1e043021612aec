import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { WebhookCheckOptions } from './check.ts';
import { checkRows } from './probe.rows.ts';

export const webhookCheck = defineCommand<WebhookCheckOptions>({
  path: ['webhook', 'check'],
  summary: "Test whether a receiver meets the service's webhook requirements",
  description:
    'Sends handshakes and sample events to the receiver, and reports failures and reply times. Requires no account.',
  details:
    'The command checks the status, Validation-Token, Content-Type, size and time of each reply. The maximum size is 1024 bytes, including headers; ' +
    'the maximum time is 1000 ms, or the limit of the dialect. The check stops after three consecutive requests without a reply.',
  options: {
    url: {
      type: 'string',
      positional: true,
      required: true,
      value: 'URL',
      summary: 'Receiver to test',
    },
    tries: {
      type: 'integer',
      min: 1,
      max: 1000,
      default: 50,
      value: 'N',
      summary: 'Number of handshakes to send, and number of events to send',
    },
  },
  examples: [
    {
      comment: 'Test a receiver before you create a subscription for it',
      command: 'ucctl webhook check https://example.com/hook',
    },
  ],
  output: list(checkRows),
  load: () => import('./check.ts').then((m) => m.checkWebhook),
});
