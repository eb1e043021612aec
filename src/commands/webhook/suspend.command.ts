import { defineCommand } from '../../runtime/define.ts';
import { idsOption } from './options.command.ts';
import { list } from '../../runtime/output-schema.ts';
import type { WebhookChangeOptions } from './change.ts';
import { changedRows } from './chat-webhook.rows.ts';

export const webhookSuspend = defineCommand<WebhookChangeOptions>({
  path: ['webhook', 'suspend'],
  summary: 'Suspend chat webhooks to block posts through them',
  options: {
    ids: idsOption,
  },
  examples: [{ comment: 'Suspend two webhooks', command: 'ucctl webhook suspend ID ID' }],
  permissions: [],
  currentPermissions: ['TeamMessaging'],
  rateGroup: 'Medium',
  mutates: true,
  output: list(changedRows),
  exitCodes: { 3: 'no such webhook', 8: 'some webhooks were not suspended' },
  load: () => import('./change.ts').then((m) => m.suspendChatWebhooks),
});
