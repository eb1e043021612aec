import { DND_STATUSES, USER_STATUSES } from '../../contract/enums.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { PresenceSetOptions } from './set.ts';

export const presenceSet = defineCommand<PresenceSetOptions>({
  path: ['presence', 'set'],
  summary: 'Change the presence of an extension',
  description:
    'Only what is given changes. --queue-calls says whether the extension takes calls of its queues and leaves its other calls as they are: ' +
    'it reads the present state and picks the matching --dnd-status.',
  options: {
    extension: {
      type: 'string',
      positional: true,
      value: 'EXT',
      default: '~',
      summary: 'Id, extension number, e-mail or name; ~ is your own',
    },
    userStatus: { type: 'string', choices: USER_STATUSES, summary: 'What colleagues see' },
    dndStatus: {
      type: 'string',
      choices: DND_STATUSES,
      summary: 'Which calls are taken',
      conflicts: ['queueCalls'],
    },
    queueCalls: {
      type: 'string',
      choices: ['on', 'off'],
      summary: 'Whether calls of queues are taken',
      conflicts: ['dndStatus'],
    },
    message: { type: 'string', value: 'TEXT', summary: 'Status message, at most 75 characters' },
    allowSeeMyPresence: { type: 'boolean', negatable: true, summary: 'Whether others may see it' },
    ringOnMonitoredCall: { type: 'boolean', negatable: true, summary: 'Ring on monitored calls' },
    pickUpCallsOnHold: { type: 'boolean', negatable: true, summary: 'Pick up calls on hold' },
  },
  examples: [
    { comment: 'Take no queue calls for now', command: 'ucctl presence set 101 --queue-calls off' },
    {
      comment: 'Your own, with a message',
      command: 'ucctl presence set --user-status Busy --message "At lunch"',
    },
  ],
  permissions: ['EditPresence'],
  rateGroup: 'Medium',
  mutates: true,
  load: () => import('./set.ts').then((m) => m.setPresence),
});
