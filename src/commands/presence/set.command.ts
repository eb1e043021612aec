import { dndStatuses, userStatuses } from '../../contract/enums.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { PresenceSetOptions } from './set.ts';
import { changeOutput } from './change.rows.ts';

export const presenceSet = defineCommand<PresenceSetOptions>({
  path: ['presence', 'set'],
  summary: 'Change the presence of extensions',
  description:
    'Changes only the fields that you specify. For several people, ucctl shows the changes, asks for confirmation, and makes a run that you can resume. You can undo each change with ucctl history undo.',
  details:
    '--queue-calls turns only queue calls on or off: ucctl reads the current dndStatus and sets the matching value. On accounts with new call handling (dialect current), ucctl changes the availability in each queue instead and prints a note. ' +
    'A list is a CSV file or a sheet of an .xlsx workbook, with an extension column and columns such as userStatus, dndStatus, queueCalls and message. An empty cell leaves the field unchanged. ' +
    'If a row is invalid or a person is not found, the command sends nothing and exits with 2. With --skip-invalid, ucctl skips such rows, applies the other rows and exits with 8.',
  options: {
    extensions: {
      type: 'list',
      positional: true,
      value: 'EXT',
      summary: 'ID, extension number, e-mail or name; your own extension by default',
    },
    queue: {
      type: 'string',
      value: 'QUEUE',
      summary: 'Change all agents of this queue',
      conflicts: ['file'],
    },
    file: { type: 'string', short: 'f', value: 'FILE', summary: 'List (CSV or .xlsx); - for standard input' },
    map: bulkOptions.map,
    sheet: bulkOptions.sheet,
    skipInvalid: bulkOptions.skipInvalid,
    errors: bulkOptions.errors,
    results: bulkOptions.results,
    resume: bulkOptions.resume,
    maxErrors: bulkOptions.maxErrors,
    failFast: bulkOptions.failFast,
    concurrency: bulkOptions.concurrency,
    userStatus: { type: 'string', choices: userStatuses, summary: 'Status that colleagues see' },
    dndStatus: {
      type: 'string',
      choices: dndStatuses,
      summary: 'Calls to accept',
      conflicts: ['queueCalls'],
    },
    queueCalls: {
      type: 'string',
      choices: ['on', 'off'],
      summary: 'Accept calls from call queues, or stop accepting them',
      conflicts: ['dndStatus'],
    },
    message: {
      type: 'string',
      value: 'TEXT',
      isEmptyAllowed: true,
      summary: 'Status message, at most 75 characters; "" removes it',
    },
    allowSeeMyPresence: { type: 'boolean', negatable: true, summary: 'Let other users see the presence' },
    ringOnMonitoredCall: {
      type: 'boolean',
      negatable: true,
      summary: 'Ring when a monitored extension gets a call',
    },
    pickUpCallsOnHold: {
      type: 'boolean',
      negatable: true,
      summary: "Let this extension pick up other users' calls on hold",
    },
  },
  examples: [
    { comment: 'Turn off queue calls for 104', command: 'ucctl presence set 104 --queue-calls off' },
    {
      comment: 'Turn off queue calls for all Support agents',
      command: 'ucctl presence set --queue Support --queue-calls off',
    },
    {
      comment: 'Set your own status and message',
      command: 'ucctl presence set --user-status Busy --message "At lunch"',
    },
  ],
  permissions: ['EditPresence'],
  // --queue-calls reads a feature of the account.
  currentPermissions: ['ReadAccounts', 'EditPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: changeOutput,
  exitCodes: {
    3: 'extension or queue not found',
    8: 'some changes failed, or ucctl skipped rows (--skip-invalid)',
    9: 'you did not confirm the changes',
    11: 'another run is in progress, or the run to resume was undone',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./set.ts').then((m) => m.setPresence),
});
