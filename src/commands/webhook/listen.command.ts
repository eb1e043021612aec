import { defineCommand } from '../../runtime/define.ts';
import type { WebhookListenOptions } from './listen.ts';

export const webhookListen = defineCommand<WebhookListenOptions>({
  path: ['webhook', 'listen'],
  summary: 'Receive events live',
  description:
    'Starts a receiver on this machine, subscribes it, shows each event as a line (NDJSON when piped), renews the subscription, and deletes it at the end. ' +
    'It says that it is ready only after the service has validated the address. ' +
    'UCCTL_VERIFICATION_TOKEN, when set, is given to the service and every event must carry it.',
  options: {
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      summary:
        'messages (default), presence, presence:detailed, presence:sip, lines, extensions, reminder:THRESHOLD,INTERVAL, or paths',
    },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Whose messages, presence and lines; your own by default',
    },
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      summary: 'Port to listen on; 0 for any free one',
    },
    host: { type: 'string', default: '127.0.0.1', value: 'ADDRESS', summary: 'Address to listen on' },
    publicUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Where the service reaches this receiver, through a tunnel or a proxy (https)',
    },
    path: { type: 'string', value: 'PATH', summary: 'Path to receive on; a secret one by default' },
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary: 'Write JSON with url, subscriptionId and pid when ready',
    },
    subscribe: {
      type: 'boolean',
      negatable: true,
      summary: 'Create a subscription (default), or only answer the one that something else creates',
    },
    count: { type: 'integer', min: 1, value: 'N', summary: 'End after N events' },
  },
  examples: [
    { comment: 'Your messages, live', command: 'ucctl webhook listen' },
    {
      comment: 'The next presence event of 101, for a script',
      command: 'ucctl webhook listen --events presence --extension 101 --count 1 -o ndjson',
    },
    {
      comment: 'Behind a tunnel',
      command: 'ucctl webhook listen --port 8080 --public-url https://hooks.example.com',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  jsonFields: ['uuid', 'event', 'timestamp', 'subscriptionId', 'ownerId', 'body'],
  load: () => import('./listen.ts').then((m) => m.listenWebhook),
});
