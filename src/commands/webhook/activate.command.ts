import { defineCommand } from '../../runtime/define.ts';
import { idsOption } from './options.command.ts';
import { list } from '../../runtime/output-schema.ts';
import type { WebhookChangeOptions } from './change.ts';
import { changedRows } from './chat-webhook.rows.ts';

export const webhookActivate = defineCommand<WebhookChangeOptions>({
  path: ['webhook', 'activate'],
  summary: 'Reactivate suspended chat webhooks',
  options: {
    ids: idsOption,
  },
  examples: [{ comment: 'Activate two webhooks', command: 'ucctl webhook activate ID ID' }],
  permissions: [],
  currentPermissions: ['TeamMessaging'],
  rateGroup: 'Medium',
  mutates: true,
  output: list(changedRows),
  exitCodes: { 3: 'no such webhook', 8: 'some webhooks were not activated' },
  load: () => import('./change.ts').then((m) => m.activateChatWebhooks),
});
