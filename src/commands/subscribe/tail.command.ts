import { eventNames } from '../../features/live/notification/event-kinds.ts';
import { notificationRows } from '../../features/live/notification/notification.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { liveOptions } from '../../runtime/live-options.ts';
import { lines } from '../../runtime/output-schema.ts';
import type { SubscribeTailOptions } from './tail.ts';

export const subscribeTail = defineCommand<SubscribeTailOptions>({
  path: ['subscribe', 'tail'],
  summary: 'Show events as they happen',
  description:
    'Creates a subscription, shows each event as one line (NDJSON when piped) until Ctrl-C, and then deletes the subscription. ' +
    "By default, events arrive through the service's hosted channel, or in dialect current through a WebSocket, without a public address. " +
    'ucctl also stores the events on this machine (see ucctl events).',
  details:
    'ucctl renews the subscription before it expires, and creates a new subscription if the subscription is lost or blacklisted. ' +
    'To cause an event in a sandbox, run ucctl sandbox trigger sms to=100 in another terminal.',
  timesWarnings: true,
  options: {
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      offered: eventNames,
      summary:
        'Kinds of events to show: messages and presence (the defaults), presence:detailed, presence:sip, lines, extensions, reminder:THRESHOLD,INTERVAL, or paths',
    },
    ...liveOptions,
    transport: {
      type: 'string',
      choices: ['channel', 'webhook', 'websocket'],
      offered: { spec: ['channel', 'webhook'], current: ['websocket', 'webhook'] },
      value: 'TYPE',
      summary:
        'Delivery method: channel and websocket read from the service, webhook lets the service post to this machine; default: websocket in dialect current, otherwise channel',
    },
    channelUrl: {
      type: 'string',
      advanced: true,
      value: 'URL',
      summary: 'Server of the hosted channel; default: the service',
    },
    publicUrl: {
      type: 'string',
      advanced: true,
      value: 'URL',
      summary: 'Public address at which the service reaches this machine (https)',
    },
    keep: { type: 'boolean', summary: 'Do not delete the subscription on exit' },
    recover: {
      type: 'boolean',
      negatable: true,
      summary: 'Show messages that arrived since the previous run, marked as recovered',
    },
  },
  examples: [
    { comment: 'Watch your own messages and presence', command: 'ucctl subscribe tail' },
    {
      comment: "Watch two agents' calls",
      command: 'ucctl subscribe tail --events presence:detailed --extension 101,102',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  currentPermissions: ['ReadMessages', 'ReadPresence', 'WebSocket'],
  rateGroup: 'Medium',
  output: lines(notificationRows),
  exitCodes: { 0: 'stopped by Ctrl-C or --count, or the program that reads the output exited' },
  load: () => import('./tail.ts').then((m) => m.tailEvents),
});
