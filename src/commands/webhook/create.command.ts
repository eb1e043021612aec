import { defineCommand } from '../../runtime/define.ts';
import { chatWebhookFields, showSecrets } from './chat-fields.command.ts';
import type { WebhookCreateOptions } from './create.ts';

export const webhookCreate = defineCommand<WebhookCreateOptions>({
  path: ['webhook', 'create'],
  summary: 'Make an address that posts to a chat group',
  description:
    'The address is a credential. It is kept in the token store; ucctl webhook post ID uses it from there.',
  options: {
    group: { type: 'string', required: true, value: 'ID', summary: 'Id of the group or team' },
    showSecrets,
  },
  examples: [{ comment: 'For a team', command: 'ucctl webhook create --group 1234' }],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: chatWebhookFields,
  load: () => import('./create.ts').then((m) => m.createChatWebhook),
});
