import { defineCommand } from '../../runtime/define.ts';
import { idsOption } from './options.command.ts';
import { list } from '../../runtime/output-schema.ts';
import type { WebhookChangeOptions } from './change.ts';
import { changedRows } from './chat-webhook.rows.ts';

export const webhookDelete = defineCommand<WebhookChangeOptions>({
  path: ['webhook', 'delete'],
  summary: 'Delete chat webhooks permanently',
  description: 'Asks for confirmation, because a new webhook has another address.',
  options: {
    ids: idsOption,
  },
  examples: [{ comment: 'Delete two webhooks', command: 'ucctl webhook delete ID ID --yes' }],
  permissions: [],
  currentPermissions: ['TeamMessaging'],
  rateGroup: 'Medium',
  mutates: true,
  effect: 'deletes',
  output: list(changedRows),
  exitCodes: { 3: 'no such webhook', 8: 'some webhooks were not deleted', 9: 'confirmation is required' },
  load: () => import('./change.ts').then((m) => m.deleteChatWebhooks),
});
