import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { EnrollOptions } from './enroll.ts';
import { enrolledRows } from './fleet.rows.ts';

export const fleetEnroll = defineCommand<EnrollOptions>({
  path: ['fleet', 'enroll'],
  summary: 'Select the data that workers copy into the PostgreSQL store',
  description:
    'Each mailbox becomes a task that is due at regular intervals. Any number of workers on any number of machines execute the tasks. ' +
    'Run the command again after you add extensions; existing tasks retain their progress.',
  details:
    'A task of kind messages starts with a full sync. The call log is one task for the whole account. Attachments need storage that ' +
    'all machines share: ucctl config set media-store s3://BUCKET.',
  options: {
    extension: {
      type: 'list',
      required: true,
      value: 'EXT,...',
      summary: 'Mailboxes: extension names or numbers, or all',
    },
    tasks: {
      type: 'list',
      choices: ['messages', 'calls', 'media'],
      value: 'TASK,...',
      summary: 'Kinds of tasks to enroll; default: messages',
    },
    every: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 10,
      maxSeconds: 604_800,
      default: 600,
      summary: 'Interval between two runs of a task',
    },
    onDelete: {
      type: 'string',
      choices: ['keep', 'mark', 'purge'],
      value: 'POLICY',
      summary:
        'Action for messages that were deleted on the service, as in ucctl sync; the tasks keep it, also purge; default for new tasks: the stored action',
    },
    remove: {
      type: 'boolean',
      summary: 'Delete the tasks, but not the copied data',
      conflicts: ['every', 'onDelete'],
    },
  },
  examples: [
    { comment: 'Copy the messages of all mailboxes', command: 'ucctl fleet enroll --extension all' },
    {
      comment: 'Copy messages and the call log every hour',
      command: 'ucctl fleet enroll --extension all --tasks messages,calls --every 1h',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(enrolledRows),
  exitCodes: {
    3: 'extension not found',
    9: '--on-delete purge removes messages and needs confirmation',
    11: 'the archive contains the data of another account',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./enroll.ts').then((m) => m.enrollTasks),
});
