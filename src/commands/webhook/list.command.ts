import { defineCommand } from '../../runtime/define.ts';
import { chatWebhookFields, showSecrets } from './chat-fields.command.ts';
import type { WebhookListOptions } from './list.ts';

export const webhookList = defineCommand<WebhookListOptions>({
  path: ['webhook', 'list'],
  summary: 'List chat webhooks',
  options: {
    group: { type: 'string', value: 'ID', summary: 'Of this group or team; your own by default' },
    showSecrets,
  },
  examples: [{ comment: 'Your own', command: 'ucctl webhook list' }],
  rateGroup: 'Medium',
  jsonFields: chatWebhookFields,
  watch: true,
  load: () => import('./list.ts').then((m) => m.listChatWebhooks),
});
