import { defineCommand } from '../../runtime/define.ts';
import type { WebhookChangeOptions } from './change.ts';

export const webhookSuspend = defineCommand<WebhookChangeOptions>({
  path: ['webhook', 'suspend'],
  summary: 'Stop chat webhooks from posting',
  options: {
    ids: { type: 'list', positional: true, required: true, value: 'ID...', summary: 'Ids of chat webhooks' },
  },
  examples: [{ comment: 'Two at once', command: 'ucctl webhook suspend ID ID' }],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['id', 'status'],
  exitCodes: { 8: 'some were suspended, some were not' },
  load: () => import('./change.ts').then((m) => m.suspendChatWebhooks),
});
