import { defineCommand } from '../../runtime/define.ts';
import { liveFields, liveOptions } from '../../runtime/live-options.ts';
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
    ...liveOptions,
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
    publicUrl: { type: 'string', value: 'URL', summary: 'Where the service reaches the webhook (https)' },
    keep: { type: 'boolean', summary: 'Leave the subscription at the end' },
    recover: {
      type: 'boolean',
      negatable: true,
      summary: 'First look for messages that came since the run before',
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
  jsonFields: liveFields,
  exitCodes: { 0: 'ended: by Ctrl-C, by --count, or because nobody reads its output any more' },
  load: () => import('./tail.ts').then((m) => m.tailEvents),
});
