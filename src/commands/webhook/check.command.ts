import { defineCommand } from '../../runtime/define.ts';
import type { WebhookCheckOptions } from './check.ts';

export const webhookCheck = defineCommand<WebhookCheckOptions>({
  path: ['webhook', 'check'],
  summary: 'Measure a receiver as the service would judge it',
  description:
    'Sends handshakes and sample events, and looks at status, Validation-Token, Content-Type, the size of the reply (1024 bytes with headers) and the time (1000 ms, or the limit of the dialect). Three tries in a row without a reply end it. Needs no account.',
  options: {
    url: {
      type: 'string',
      positional: true,
      required: true,
      value: 'URL',
      summary: 'Address of the receiver',
    },
    tries: {
      type: 'integer',
      min: 1,
      max: 1000,
      default: 50,
      value: 'N',
      summary: 'Handshakes and events, each',
    },
  },
  examples: [{ comment: 'Before subscribing it', command: 'ucctl webhook check https://example.com/hook' }],
  jsonFields: ['check', 'status', 'tries', 'failed', 'medianMilliseconds', 'slowestMilliseconds', 'problem'],
  load: () => import('./check.ts').then((m) => m.checkWebhook),
});
