import { webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { SubscribeCreateOptions } from './create.ts';
import { showSecrets, subscriptionFields } from './fields.command.ts';

export const subscribeCreate = defineCommand<SubscribeCreateOptions>({
  path: ['subscribe', 'create'],
  summary: 'Subscribe an address, or a hosted channel, to events',
  description:
    'Events: messages, presence, presence:detailed (with calls), presence:sip, lines, extensions, reminder:THRESHOLD,INTERVAL (seconds), or paths that start with /restapi/. ' +
    'The service probes the address before it answers; ucctl webhook listen is a receiver that is ready for it.',
  options: {
    events: {
      type: 'list',
      required: true,
      commas: false,
      value: 'EVENT,...',
      summary: 'What to be told of',
    },
    transport: {
      type: 'string',
      choices: ['webhook', 'channel'],
      default: 'webhook',
      value: 'WAY',
      summary: 'webhook posts to --address; channel is read from the service by long polls',
    },
    address: { type: 'string', value: 'URL', summary: 'Where the service posts to (https)' },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Whose messages, presence and lines; your own by default',
    },
    expiresIn: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 60,
      maxSeconds: webhookSubscriptionSeconds.max,
      summary: 'How long it lives; 7 days by default, 15 minutes on a channel',
    },
    encrypt: { type: 'boolean', summary: 'Encrypt events; the key is kept in the token store' },
    showSecrets,
  },
  examples: [
    {
      comment: 'Messages of two people',
      command:
        'ucctl subscribe create --events messages --extension 101,102 --address https://example.com/hook',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: subscriptionFields,
  load: () => import('./create.ts').then((m) => m.createSubscription),
});
