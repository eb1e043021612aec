import { defineCommand } from '../../runtime/define.ts';
import type { WebhookChangeOptions } from './change.ts';

export const webhookActivate = defineCommand<WebhookChangeOptions>({
  path: ['webhook', 'activate'],
  summary: 'Let suspended chat webhooks post again',
  options: {
    ids: { type: 'list', positional: true, required: true, value: 'ID...', summary: 'Ids of chat webhooks' },
  },
  examples: [{ comment: 'Two at once', command: 'ucctl webhook activate ID ID' }],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['id', 'status'],
  exitCodes: { 8: 'some were activated, some were not' },
  load: () => import('./change.ts').then((m) => m.activateChatWebhooks),
});
