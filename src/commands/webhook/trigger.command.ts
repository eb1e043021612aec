import { defineCommand } from '../../runtime/define.ts';
import type { WebhookTriggerOptions } from './trigger.ts';

export const webhookTrigger = defineCommand<WebhookTriggerOptions>({
  path: ['webhook', 'trigger'],
  summary: 'Post a sample event to a receiver of yours',
  description:
    'Needs no account and asks nothing of the service. UCCTL_VERIFICATION_TOKEN, when set, goes along as the service would send it.',
  options: {
    event: {
      type: 'string',
      positional: true,
      required: true,
      value: 'EVENT',
      summary: 'messages, presence, presence:detailed, presence:sip, lines, extensions or reminder',
    },
    url: {
      type: 'string',
      positional: true,
      required: true,
      value: 'URL',
      summary: 'Address of the receiver',
    },
    extension: { type: 'string', default: '1001', value: 'ID', summary: 'Id of the extension in the event' },
    account: { type: 'string', default: '1', value: 'ID', summary: 'Id of the account in the event' },
    handshake: { type: 'boolean', summary: 'First the handshake, as at the creation of a subscription' },
    edit: { type: 'string', value: 'EXPR', summary: 'Change the event by this jq expression first' },
  },
  examples: [
    {
      comment: 'A text has come',
      command: 'ucctl webhook trigger messages http://localhost:3000/hook --handshake',
    },
    {
      comment: 'The phone is answered',
      command: `ucctl webhook trigger presence http://localhost:3000 --edit '.body.telephonyStatus="CallConnected"'`,
    },
  ],
  jsonFields: ['step', 'status', 'milliseconds', 'problem', 'notification'],
  load: () => import('./trigger.ts').then((m) => m.triggerWebhook),
});
