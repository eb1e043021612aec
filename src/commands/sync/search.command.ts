import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncSearchOptions } from './search.ts';

export const syncSearch = defineCommand<SyncSearchOptions>({
  path: ['sync', 'search'],
  summary: 'Search the copied messages',
  description:
    'Words and "phrases" are looked for in texts and names, a word with * as a beginning. ' +
    'from: to: with: (beginning of a number, part of a name), type: (sms, pager, fax, voicemail), after: before: (a date, ISO 8601, 7d), ' +
    'is: (read, unread, in, out, deleted), has:attachment, mailbox: narrow it. A minus before any of these excludes; a search that begins with one comes after --. Newest first.',
  options: {
    query: { type: 'list', positional: true, required: true, commas: false, summary: 'What to look for' },
    limit: { type: 'integer', short: 'L', min: 1, default: 50, summary: 'At most so many' },
    ...copyOptions,
  },
  examples: [
    {
      comment: 'Refunds asked for this year',
      command: "ucctl sync search 'from:+1555 refund after:2026-01-01'",
    },
    {
      comment: 'Unread voicemails of the last week',
      command: 'ucctl sync search type:voicemail is:unread after:7d',
    },
  ],
  jsonFields: [
    'id',
    'mailbox',
    'type',
    'direction',
    'creationTime',
    'from',
    'to',
    'readStatus',
    'availability',
    'conversationId',
    'text',
  ],
  exitCodes: { 3: 'nothing is copied yet' },
  load: () => import('./search.ts').then((m) => m.searchCopy),
});
