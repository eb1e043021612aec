import { defineCommand } from '../../runtime/define.ts';
import type { SubscribeTailOptions } from './tail.ts';

export const subscribeTail = defineCommand<SubscribeTailOptions>({
  path: ['subscribe', 'tail'],
  summary: 'Watch what happens, live',
  description:
    'Subscribes, shows each event as a line (NDJSON when piped), keeps the subscription alive, makes it anew when it is lost or blacklisted, and deletes it at the end. ' +
    'By default it reads the hosted channel of the service, which needs no address that the service can reach. What it shows is also kept: see ucctl events.',
  options: {
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      summary:
        'messages and presence (default), presence:detailed, presence:sip, lines, extensions, reminder:THRESHOLD,INTERVAL, or paths',
    },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Whose messages, presence and lines; your own by default',
    },
    transport: {
      type: 'string',
      choices: ['channel', 'webhook'],
      default: 'channel',
      value: 'WAY',
      summary: 'channel reads from the service; webhook has it post to this machine',
    },
    channelUrl: {
      type: 'string',
      value: 'URL',
      summary: 'Where the channel is served; the service by default',
    },
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      summary: 'Port of the webhook; 0 for any free one',
    },
    publicUrl: { type: 'string', value: 'URL', summary: 'Where the service reaches the webhook (https)' },
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
    keep: { type: 'boolean', summary: 'Leave the subscription at the end' },
    recover: {
      type: 'boolean',
      negatable: true,
      summary: 'First look for messages that came since the run before',
    },
    count: { type: 'integer', min: 1, value: 'N', summary: 'End after N events' },
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary: 'Write JSON with subscriptionId, eventFilters and pid when ready',
    },
  },
  examples: [
    { comment: 'Your own messages and presence', command: 'ucctl subscribe tail' },
    {
      comment: 'Calls of two agents',
      command: 'ucctl subscribe tail --events presence:detailed --extension 101,102',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  jsonFields: ['uuid', 'event', 'timestamp', 'subscriptionId', 'ownerId', 'body', 'recovered'],
  load: () => import('./tail.ts').then((m) => m.tailEvents),
});
