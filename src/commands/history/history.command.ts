import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { changeOutput } from './change.rows.ts';
import type { HistoryListOptions, HistoryShowOptions } from './history.ts';
import { runRows } from './run.rows.ts';
import type { HistoryUndoOptions } from './undo.ts';

const run = {
  type: 'string',
  positional: true,
  required: true,
  value: 'RUN',
  offered: ['last'],
  summary: 'Run ID or its first characters; last for the newest run',
} as const;

export const historyList = defineCommand<HistoryListOptions>({
  path: ['history', 'list'],
  summary: 'List the runs, newest first',
  details:
    'A new run deletes finished runs that are older than 90 days and not among the newest 1,000 runs of this machine. Runs are not deleted while they are open, have an unknown outcome, or have an undo in the list.',
  options: {
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of runs' },
  },
  examples: [{ comment: 'List recent runs', command: 'ucctl history list' }],
  output: list(runRows),
  watch: true,
  load: () => import('./history.ts').then((m) => m.listRuns),
});

export const historyShow = defineCommand<HistoryShowOptions>({
  path: ['history', 'show'],
  summary: 'Show the changes of a run with their results',
  options: {
    run,
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of changes' },
  },
  examples: [{ comment: 'Export the newest run as CSV', command: 'ucctl history show last -o csv' }],
  output: changeOutput,
  exitCodes: { 3: 'run not found' },
  watch: true,
  load: () => import('./history.ts').then((m) => m.showRun),
});

export const historyUndo = defineCommand<HistoryUndoOptions>({
  path: ['history', 'undo'],
  summary: 'Undo a run',
  description:
    'Restores the state before the run, and shows the run and its changes before it asks. ucctl reverts only the changes that the run made. If the same objects have changed since the run, ucctl requires --force.',
  details:
    'A run is a change of queues, people, presence, hours or rules, or a list of texts, which cannot be undone. Other changes, such as single sends, read or deleted messages, subscriptions and webhooks, are not runs: last selects an older run. With --force, ucctl undoes only the changes that are still in effect. ucctl records an undo as a separate run, which can also be resumed and undone: history undo ID makes the changes again. If the newest run is an undo, last is an error, so that the same command, run twice, does not make the changes again. With --extension or --queue, ucctl undoes a part of the run, and shows only that part before it asks. The remaining changes can be undone later with the ID of the run. ucctl never removes agents that the protect setting lists.',
  options: {
    run,
    force: {
      type: 'boolean',
      summary: 'Undo the changes that are still in effect, even if other changes are no longer in effect',
    },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Undo only the changes of these extensions: agents, people, or owners of hours or rules',
    },
    queue: {
      type: 'list',
      value: 'QUEUE,...',
      summary: 'Undo only the changes of these queues; with --extension, only those of both',
    },
    maxItems: bulkOptions.maxItems,
  },
  examples: [
    { comment: 'Undo the newest run', command: 'ucctl history undo last' },
    {
      comment: 'Undo only what a run changed for two agents in one queue',
      command: 'ucctl history undo 20260105-090000-3fa9 --extension 101,102 --queue Support',
    },
  ],
  permissions: ['ReadAccounts', 'EditExtensions', 'EditPresence'],
  currentPermissions: ['ReadAccounts', 'EditAccounts', 'EditPresence'],
  rateGroup: 'Heavy',
  mutates: true,
  dryRunPrints: 'requests',
  output: changeOutput,
  exitCodes: {
    3: 'run, extension or queue not found, or the run did not change it',
    8: 'some changes were not undone',
    9: 'you did not confirm the undo, or it would change a protected entry',
    11: 'somebody has changed the same objects since the run or during the confirmation, another run is in progress, the run is already undone, or the last run is an undo',
    14: 'the outcome of some changes is unknown',
  },
  load: () => import('./undo.ts').then((m) => m.undoRun),
});
