import { defineCommand } from '../../runtime/define.ts';
import type { WebhookChangeOptions } from './change.ts';

export const webhookDelete = defineCommand<WebhookChangeOptions>({
  path: ['webhook', 'delete'],
  summary: 'Delete chat webhooks, for good',
  options: {
    ids: { type: 'list', positional: true, required: true, value: 'ID...', summary: 'Ids of chat webhooks' },
  },
  examples: [{ comment: 'Two at once', command: 'ucctl webhook delete ID ID' }],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['id', 'status'],
  exitCodes: { 8: 'some were deleted, some were not' },
  load: () => import('./change.ts').then((m) => m.deleteChatWebhooks),
});
