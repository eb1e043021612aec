import { defineCommand } from '../../runtime/define.ts';
import { liveFields, liveOptions } from '../../runtime/live-options.ts';
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
    ...liveOptions,
    host: { type: 'string', default: '127.0.0.1', value: 'ADDRESS', summary: 'Address to listen on' },
    publicUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Where the service reaches this receiver, through a tunnel or a proxy (https)',
    },
    tunnelCommand: {
      type: 'string',
      value: 'COMMAND',
      summary:
        'Run it in the shell to lead here ($UCCTL_PORT); the public address is read from what it prints',
      conflicts: ['publicUrl'],
    },
    path: { type: 'string', value: 'PATH', summary: 'Path to receive on; a secret one by default' },
    subscribe: {
      type: 'boolean',
      negatable: true,
      summary: 'Create a subscription (default), or only answer the one that something else creates',
    },
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
    {
      comment: 'With a tunnel that starts and ends with it',
      command: "ucctl webhook listen --tunnel-command 'my-tunnel --to http://127.0.0.1:$UCCTL_PORT'",
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  jsonFields: liveFields,
  exitCodes: { 0: 'ended: by Ctrl-C, by --count, or because nobody reads its output any more' },
  load: () => import('./listen.ts').then((m) => m.listenWebhook),
});
