import { dndStatuses, userStatuses } from '../../contract/enums.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { PresenceSetOptions } from './set.ts';
import { changeOutput } from './change.rows.ts';

export const presenceSet = defineCommand<PresenceSetOptions>({
  path: ['presence', 'set'],
  summary: 'Change the presence of extensions',
  description:
    'Only what is given changes. --queue-calls says whether the extension takes calls of its queues and leaves its other calls as they are: ' +
    'it reads the present state and picks the matching --dnd-status. For several people, a queue or a list it shows what will change, asks, and can be resumed and undone. ' +
    'A list is CSV with the column extension and columns userStatus, dndStatus, queueCalls, message and so on; an empty cell leaves the field alone. ' +
    'A row that names nobody is reported and skipped, and the command exits with 8; with --fail-fast or --max-errors 0 nothing is sent for a list with such a row.',
  options: {
    extensions: {
      type: 'list',
      positional: true,
      value: 'EXT',
      summary: 'By id, extension number, e-mail or name; your own when none is named',
    },
    queue: {
      type: 'string',
      value: 'QUEUE',
      summary: 'Instead: all agents of this queue',
      conflicts: ['file'],
    },
    file: { type: 'string', short: 'f', value: 'FILE', summary: 'CSV list; - for standard input' },
    map: bulkOptions.map,
    results: bulkOptions.results,
    resume: bulkOptions.resume,
    maxErrors: bulkOptions.maxErrors,
    failFast: bulkOptions.failFast,
    concurrency: bulkOptions.concurrency,
    userStatus: { type: 'string', choices: userStatuses, summary: 'What colleagues see' },
    dndStatus: {
      type: 'string',
      choices: dndStatuses,
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
    { comment: 'Take no queue calls for now', command: 'ucctl presence set 104 --queue-calls off' },
    {
      comment: 'Nobody in Support takes queue calls now',
      command: 'ucctl presence set --queue Support --queue-calls off',
    },
    {
      comment: 'Your own, with a message',
      command: 'ucctl presence set --user-status Busy --message "At lunch"',
    },
  ],
  permissions: ['EditPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: changeOutput,
  exitCodes: {
    3: 'an extension or the queue does not exist',
    8: 'some presences were changed, some were not',
    9: 'it was not confirmed',
    11: 'another run is at work, or the run to resume was undone',
    14: 'it is not known whether some were changed',
  },
  load: () => import('./set.ts').then((m) => m.setPresence),
});
