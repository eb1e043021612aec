import { eventNames } from '../../features/live/notification/event-kinds.ts';
import { webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { defineCommand } from '../../runtime/define.ts';
import { liveOptions } from '../../runtime/live-options.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SubscribeCreateOptions } from './create.ts';
import { showSecrets } from './show-secrets.command.ts';
import { subscriptionRows } from './subscription.rows.ts';

export const subscribeCreate = defineCommand<SubscribeCreateOptions>({
  path: ['subscribe', 'create'],
  summary: 'Create a subscription that delivers events to a URL or a hosted channel',
  description:
    'Before the service creates the subscription, it sends a handshake request to the address. ucctl webhook listen --no-subscribe starts a receiver that answers the handshake.',
  details:
    'Events: messages, presence, presence:detailed (with calls), presence:sip, lines, extensions, reminder:THRESHOLD,INTERVAL (seconds), or the paths of filters, such as /team-messaging/v1/posts in dialect current.\n\n' +
    'The service can encrypt events without --encrypt, for example all events of a subscription with presence in dialect spec. --show-secrets shows the key.\n\n' +
    'If UCCTL_VERIFICATION_TOKEN is set, the service sends this token to --address with each event.',
  options: {
    events: {
      type: 'list',
      required: true,
      commas: false,
      value: 'EVENT,...',
      offered: eventNames,
      summary: 'Kinds of events to subscribe to',
    },
    transport: {
      type: 'string',
      choices: ['webhook', 'channel'],
      offered: { spec: ['webhook', 'channel'], current: ['webhook'] },
      default: 'webhook',
      value: 'TYPE',
      summary: 'Delivery method: webhook posts events to --address; channel stores them for long polling',
    },
    address: { type: 'string', value: 'URL', summary: 'Receiver to which the service posts events (https)' },
    extension: liveOptions.extension,
    expiresIn: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 60,
      maxSeconds: webhookSubscriptionSeconds.max,
      summary: 'Lifetime of the subscription; default: 7 days, 15 minutes with a channel',
    },
    encrypt: {
      type: 'boolean',
      summary: 'Ask the service to encrypt events; ucctl stores the key in the token store',
    },
    showSecrets,
  },
  examples: [
    {
      comment: "Subscribe to two users' messages",
      command:
        'ucctl subscribe create --events messages --extension 101,102 --address https://example.com/hook',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(subscriptionRows),
  load: () => import('./create.ts').then((m) => m.createSubscription),
});
