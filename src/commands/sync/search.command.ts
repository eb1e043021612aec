import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncSearchOptions } from './search.ts';
import { list } from '../../runtime/output-schema.ts';
import { foundRows } from './search.rows.ts';

export const syncSearch = defineCommand<SyncSearchOptions>({
  path: ['sync', 'search'],
  summary: 'Search the local mailbox copy',
  description:
    'Searches texts and names for words and "phrases", newest message first; a trailing * matches the beginning of a word. ' +
    'Filters such as from:+1555, type:sms or after:7d narrow the search. ' +
    'A minus before a word or filter excludes matches; put -- before a search that begins with a minus.',
  details:
    'from:, to: and with: match the beginning of a number or part of a name. A number may be in any notation, and may lack the country code if it has at least 7 digits, as in from:650-555-0112. type: accepts sms, pager, fax or voicemail. ' +
    'after: and before: accept a date, an ISO 8601 time or an age such as 7d. is: accepts read, unread, in, out or deleted. ' +
    'has:attachment and mailbox: are further filters.',
  options: {
    query: {
      type: 'list',
      positional: true,
      required: true,
      commas: false,
      summary: 'Words and filters to search for',
    },
    limit: { type: 'integer', short: 'L', min: 1, default: 50, summary: 'Maximum number of messages' },
    ...copyOptions,
  },
  examples: [
    {
      comment: 'Find messages about refunds since January 2026',
      command: "ucctl sync search 'from:+1555 refund after:2026-01-01'",
    },
    {
      comment: 'Find unread voicemails of the last seven days',
      command: 'ucctl sync search type:voicemail is:unread after:7d',
    },
  ],
  output: list(foundRows),
  exitCodes: { 3: 'no local mailbox copy' },
  load: () => import('./search.ts').then((m) => m.searchCopy),
});
