import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { showSecrets } from './show-secrets.command.ts';
import type { WebhookListOptions } from './list.ts';
import { chatWebhookRows } from './chat-webhook.rows.ts';

export const webhookList = defineCommand<WebhookListOptions>({
  path: ['webhook', 'list'],
  summary: 'List chat webhooks',
  options: {
    group: {
      type: 'string',
      value: 'ID',
      summary: 'Show only webhooks of this group or team (ID); default: all webhooks that you created',
    },
    showSecrets,
  },
  examples: [{ comment: 'List your own webhooks', command: 'ucctl webhook list' }],
  permissions: [],
  currentPermissions: ['TeamMessaging'],
  rateGroup: 'Medium',
  output: list(chatWebhookRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listChatWebhooks),
});
