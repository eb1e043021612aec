import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { WebhookTriggerOptions } from './trigger.ts';
import { eventNames } from '../../features/live/notification/event-kinds.ts';
import { triggerRows } from './probe.rows.ts';

const samples = [...eventNames, 'reminder'];

export const webhookTrigger = defineCommand<WebhookTriggerOptions>({
  path: ['webhook', 'trigger'],
  summary: 'Send a sample event to your receiver',
  description:
    'Requires no account and sends nothing to the service. If UCCTL_VERIFICATION_TOKEN is set, the event contains this token, like events from the service.',
  options: {
    event: {
      type: 'string',
      positional: true,
      required: true,
      value: 'EVENT',
      offered: samples,
      summary:
        'Kind of event: messages, presence, presence:detailed, presence:sip, lines, extensions or reminder',
    },
    url: {
      type: 'string',
      positional: true,
      required: true,
      value: 'URL',
      summary: 'Receiver to send to',
    },
    extension: { type: 'string', default: '1001', value: 'ID', summary: 'ID of the extension in the event' },
    account: { type: 'string', default: '1', value: 'ID', summary: 'ID of the account in the event' },
    handshake: {
      type: 'boolean',
      summary: 'Send a handshake first, as the service does for a new subscription',
    },
    edit: {
      type: 'string',
      value: 'EXPR',
      summary: 'jq expression that changes the event before it is sent',
    },
  },
  examples: [
    {
      comment: 'Send a handshake and a new-message event',
      command: 'ucctl webhook trigger messages http://localhost:3000/hook --handshake',
    },
    {
      comment: 'Send an event for an answered call',
      command: `ucctl webhook trigger presence http://localhost:3000 --edit '.body.telephonyStatus="CallConnected"'`,
    },
  ],
  output: list(triggerRows),
  load: () => import('./trigger.ts').then((m) => m.triggerWebhook),
});
