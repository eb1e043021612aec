import { eventNames } from '../../features/live/notification/event-kinds.ts';
import { notificationRows } from '../../features/live/notification/notification.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { liveOptions } from '../../runtime/live-options.ts';
import { serviceOptions } from '../../runtime/service-options.ts';
import { lines } from '../../runtime/output-schema.ts';
import type { WebhookListenOptions } from './listen-options.ts';

export const webhookListen = defineCommand<WebhookListenOptions>({
  path: ['webhook', 'listen'],
  summary: 'Receive events on this machine through a webhook',
  description:
    'Starts a receiver, creates a subscription, shows each event as one line (NDJSON when piped) until Ctrl-C, and then deletes the subscription. ' +
    'The command reports readiness when the service has validated the address. ' +
    'ucctl stores each event on this machine before it acknowledges the event (see ucctl events).',
  details:
    'ucctl renews the subscription before it expires. ucctl recovers missed messages, even from the time before this run, and marks them as recovered.\n\n' +
    'If UCCTL_VERIFICATION_TOKEN is set, the service sends this token with each event, and ucctl rejects events without it. ' +
    'ucctl also rejects requests whose Host header names neither this machine nor the --public-url host.\n\n' +
    'With --sink, start the command on several machines behind a load balancer whose address is --public-url. ' +
    'Path and verification token come from the store, one process renews the subscription, and another one takes over within 10 s. ' +
    'The command then prints no events: process them with ucctl events consume. ' +
    'With --transport websocket, no load balancer is needed: one process receives the events, and the others wait to take over.\n\n' +
    'With --sink nats://HOST:PORT/STREAM, an event is acknowledged when JetStream has it. Several receivers need --store for what they share. ' +
    'Without a store, one receiver works as without --sink, and each event also goes to the stream. ' +
    'NATS_USER, NATS_PASSWORD, NATS_TOKEN or NATS_CREDS sign in.',
  timesWarnings: true,
  options: {
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      offered: eventNames,
      summary:
        'Kinds of events to receive: messages (the default), presence, presence:detailed, presence:sip, lines, extensions, reminder:THRESHOLD,INTERVAL, or paths',
    },
    ...liveOptions,
    transport: {
      type: 'string',
      choices: ['webhook', 'websocket'],
      default: 'webhook',
      value: 'TYPE',
      summary: 'Delivery method: websocket needs no listener and no public address',
    },
    host: {
      type: 'string',
      advanced: true,
      default: '127.0.0.1',
      value: 'ADDRESS',
      summary: 'Local address to listen on',
    },
    publicUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Public address (https) of a tunnel or proxy that forwards to this receiver',
    },
    tunnelCommand: {
      type: 'string',
      value: 'COMMAND',
      summary: 'Shell command that starts a tunnel to $UCCTL_PORT and prints its public address',
      conflicts: ['publicUrl'],
    },
    path: {
      type: 'string',
      advanced: true,
      value: 'PATH',
      summary: 'URL path of the receiver; default: a random secret path',
    },
    subscribe: {
      type: 'boolean',
      negatable: true,
      summary:
        'Create a subscription (default); use --no-subscribe if another program creates the subscription',
    },
    sink: {
      type: 'string',
      value: 'STORE',
      summary:
        'Store or stream for the events of receivers that share a subscription: store (the store of --store), postgres://..., or nats://HOST:PORT/STREAM',
    },
    receiver: {
      type: 'string',
      value: 'NAME',
      advanced: true,
      summary: 'Name that the processes of one subscription share (--sink); default: listen',
    },
    retain: {
      type: 'duration',
      value: 'TIME',
      advanced: true,
      minSeconds: 3600,
      summary:
        'Retention time of finished events in the store, or of all events in a new stream; default: 30d',
    },
    recover: {
      type: 'boolean',
      negatable: true,
      summary: 'Show messages that arrived since the previous run (default, except with --count)',
    },
    development: {
      type: 'boolean',
      advanced: true,
      summary: 'Accept http for --public-url, for development',
    },
    tlsCert: {
      type: 'string',
      advanced: true,
      value: 'FILE',
      summary: 'Certificate (PEM) for serving https',
    },
    tlsKey: {
      type: 'string',
      advanced: true,
      value: 'FILE',
      summary: 'Private key (PEM) of the certificate',
    },
    ...serviceOptions,
  },
  examples: [
    { comment: 'Receive your own messages', command: 'ucctl webhook listen' },
    {
      comment: 'Wait for the next presence event of extension 101',
      command: 'ucctl webhook listen --events presence --extension 101 --count 1 -o ndjson',
    },
    {
      comment: 'Forward message events to one URL and all events to another',
      command:
        'ucctl webhook listen --forward-to messages=http://localhost:3000/in --forward-to http://localhost:4000',
    },
    {
      comment: 'Receive events through a running tunnel',
      command: 'ucctl webhook listen --port 8080 --public-url https://hooks.example.com',
    },
    {
      comment: 'Start a tunnel with the receiver',
      command: "ucctl webhook listen --tunnel-command 'my-tunnel --to http://127.0.0.1:$UCCTL_PORT'",
    },
    {
      comment: 'Receive on several machines behind a load balancer',
      command:
        'ucctl webhook listen --sink store --all-extensions --port 8080 --public-url https://hooks.example.com',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  currentPermissions: ['ReadMessages', 'ReadPresence', 'WebSocket'],
  rateGroup: 'Medium',
  output: lines(notificationRows),
  exitCodes: {
    0: 'stopped by Ctrl-C or --count, or the program that reads the output exited',
    11: 'running processes of the receiver use different options, or the stream would lose or duplicate events',
    12: 'ucctl cannot use the store or server of --sink, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./listen.ts').then((m) => m.listenWebhook),
});
