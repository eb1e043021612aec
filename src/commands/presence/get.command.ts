import { defineCommand } from '../../runtime/define.ts';
import type { PresenceGetOptions } from './get.ts';

export const presenceGet = defineCommand<PresenceGetOptions>({
  path: ['presence', 'get'],
  summary: 'Show the presence of an extension',
  options: {
    extension: {
      type: 'string',
      positional: true,
      value: 'EXT',
      default: '~',
      summary: 'Id, extension number, e-mail or name; ~ is your own',
    },
    detailed: { type: 'boolean', summary: 'With the calls of the extension' },
  },
  examples: [
    { comment: 'Your own', command: 'ucctl presence get' },
    { comment: 'Does 101 take queue calls?', command: 'ucctl presence get 101 --fields dndStatus' },
  ],
  permissions: ['ReadPresence'],
  rateGroup: 'Medium',
  jsonFields: [
    'extension',
    'presenceStatus',
    'telephonyStatus',
    'userStatus',
    'meetingStatus',
    'dndStatus',
    'message',
    'allowSeeMyPresence',
    'ringOnMonitoredCall',
    'pickUpCallsOnHold',
    'activeCalls',
    'uri',
  ],
  load: () => import('./get.ts').then((m) => m.getPresence),
});
