import { bulkOptions } from '../../runtime/bulk-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { HistoryShowOptions } from './history.ts';
import type { HistoryUndoOptions } from './undo.ts';

const run = {
  type: 'string',
  positional: true,
  required: true,
  value: 'RUN',
  summary: 'Id of the run or its beginning; last is the newest',
} as const;

export const historyList = defineCommand<object>({
  path: ['history', 'list'],
  summary: 'List the bulk runs, newest first',
  options: {},
  examples: [{ comment: 'What was done lately', command: 'ucctl history list' }],
  jsonFields: ['id', 'kind', 'title', 'baseUrl', 'started', 'ended', 'state', 'counts'],
  watch: true,
  load: () => import('./history.ts').then((m) => m.listRuns),
});

export const historyShow = defineCommand<HistoryShowOptions>({
  path: ['history', 'show'],
  summary: 'Show what became of every change of a run',
  options: { run },
  examples: [{ comment: 'The newest, as CSV', command: 'ucctl history show last -o csv' }],
  jsonFields: ['seq', 'action', 'subject', 'status', 'code', 'message', 'requestId', 'attempts', 'time'],
  exitCodes: { 3: 'there is no such run' },
  watch: true,
  load: () => import('./history.ts').then((m) => m.showRun),
});

export const historyUndo = defineCommand<HistoryUndoOptions>({
  path: ['history', 'undo'],
  summary: 'Take a run back: everything is again as it was observed before it',
  description:
    'Only what the run really changed is changed back. When someone else has changed the same things since, it is refused; with --force what still stands of the run is taken back. ' +
    'The undoing is a run of its own and can be undone too.',
  options: {
    run,
    force: { type: 'boolean', summary: 'Also when things have changed since' },
    maxItems: bulkOptions.maxItems,
  },
  examples: [{ comment: 'The newest run', command: 'ucctl history undo last' }],
  permissions: ['ReadAccounts', 'EditExtensions', 'EditPresence'],
  rateGroup: 'Heavy',
  mutates: true,
  jsonFields: ['seq', 'action', 'subject', 'status', 'code', 'message', 'requestId', 'attempts', 'time'],
  exitCodes: {
    3: 'there is no such run',
    8: 'some changes were taken back, some were not',
    9: 'it was not confirmed',
    11: 'things have changed since the run, or another run is at work',
    14: 'it is not known whether some were taken back',
  },
  load: () => import('./undo.ts').then((m) => m.undoRun),
});
