import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import { showSecrets } from './show-secrets.command.ts';
import type { WebhookCreateOptions } from './create.ts';
import { chatWebhookRows } from './chat-webhook.rows.ts';

export const webhookCreate = defineCommand<WebhookCreateOptions>({
  path: ['webhook', 'create'],
  summary: 'Create a chat webhook, which posts to a chat group',
  description:
    'The address is a credential: anyone who knows the address can post. ucctl stores the address in the token store for ucctl webhook post ID.',
  options: {
    group: { type: 'string', required: true, value: 'ID', summary: 'ID of the group or team to post to' },
    showSecrets,
  },
  examples: [{ comment: 'Create a webhook for a team', command: 'ucctl webhook create --group 1234' }],
  permissions: [],
  currentPermissions: ['TeamMessaging'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(chatWebhookRows),
  load: () => import('./create.ts').then((m) => m.createChatWebhook),
});
