import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { WebhookCheckOptions } from './check.ts';
import { checkRows } from './probe.rows.ts';

export const webhookCheck = defineCommand<WebhookCheckOptions>({
  path: ['webhook', 'check'],
  summary: "Test whether a receiver meets the service's webhook requirements",
  description:
    'Sends handshakes and sample events to the receiver, and reports failures and response times. Requires no account.',
  details:
    'The command checks the status, Validation-Token, Content-Type, size and time of each response. The maximum size is 1024 bytes with headers; ' +
    "the maximum time is 1000 ms, or the dialect's limit. The check stops after three requests in a row without a response.",
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
      summary: 'Number of handshakes and of events to send',
    },
  },
  examples: [
    {
      comment: 'Test a receiver before subscribing it',
      command: 'ucctl webhook check https://example.com/hook',
    },
  ],
  output: list(checkRows),
  load: () => import('./check.ts').then((m) => m.checkWebhook),
});
