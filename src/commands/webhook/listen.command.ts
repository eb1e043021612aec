import { defineCommand } from '../../runtime/define.ts';
import type { WebhookListenOptions } from './listen.ts';

export const webhookListen = defineCommand<WebhookListenOptions>({
  path: ['webhook', 'listen'],
  summary: 'Receive events live',
  description:
    'Starts a receiver on this machine, subscribes it, shows each event as a line (NDJSON when piped), renews the subscription, and deletes it at the end. ' +
    'It says that it is ready only after the service has validated the address. ' +
    'Each event is on disk before the service is answered: see ucctl events. What was missed, also since the run before, is looked for and marked as recovered. ' +
    'UCCTL_VERIFICATION_TOKEN, when set, is given to the service and every event must carry it. ' +
    'Requests for other hosts than this machine and the one of --public-url are refused.',
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
    where: {
      type: 'string',
      value: 'EXPR',
      summary: 'Only events for whose body this jq expression is true, e.g. .telephonyStatus=="Ringing"',
    },
    forwardTo: {
      type: 'list',
      commas: false,
      value: '[EVENT=]URL',
      summary: 'POST each event there, in order for each extension; six tries, then ucctl events dlq',
    },
    exec: {
      type: 'string',
      value: 'COMMAND',
      summary: 'Run it in the shell for each event, with the event on standard input',
    },
    encrypt: { type: 'boolean', summary: 'Have the service encrypt events; they are decoded here' },
    recover: {
      type: 'boolean',
      negatable: true,
      summary: 'Look for messages that came since the run before (default, except with --count)',
    },
    development: {
      type: 'boolean',
      summary: 'Allow a --public-url without https, as apps in development may',
    },
    tlsCert: { type: 'string', value: 'FILE', summary: 'Certificate (PEM), to speak https' },
    tlsKey: { type: 'string', value: 'FILE', summary: 'Key of the certificate (PEM)' },
    count: { type: 'integer', min: 1, value: 'N', summary: 'End after N events' },
  },
  examples: [
    { comment: 'Your messages, live', command: 'ucctl webhook listen' },
    {
      comment: 'The next presence event of 101, for a script',
      command: 'ucctl webhook listen --events presence --extension 101 --count 1 -o ndjson',
    },
    {
      comment: 'Texts to your own code, everything to another',
      command:
        'ucctl webhook listen --forward-to messages=http://localhost:3000/in --forward-to http://localhost:4000',
    },
    {
      comment: 'Behind a tunnel',
      command: 'ucctl webhook listen --port 8080 --public-url https://hooks.example.com',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  jsonFields: ['uuid', 'event', 'timestamp', 'subscriptionId', 'ownerId', 'body', 'recovered'],
  load: () => import('./listen.ts').then((m) => m.listenWebhook),
});
