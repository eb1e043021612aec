import { defineCommand } from '../../runtime/define.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogShowOptions } from './show.ts';
import { recordOrList } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogShow = defineCommand<CallLogShowOptions>({
  path: ['calllog', 'show'],
  summary: 'Show calls with their legs in time',
  description:
    'Takes ids of records and of sessions, several at once; a session has a record for each extension that took part.',
  options: {
    ids: {
      type: 'list',
      positional: true,
      required: true,
      value: 'SESSION|ID',
      summary: 'Ids of records or sessions',
    },
    extension: extensionOption,
  },
  examples: [
    { comment: 'How a call went through a queue', command: 'ucctl calllog show 7100000001' },
    { comment: 'Two of your own, as JSON', command: 'ucctl calllog show 41 42 --extension ~ -o json' },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: recordOrList(callRows),
  exitCodes: { 3: 'there is no such call', 8: 'some of the ids lead nowhere' },
  load: () => import('./show.ts').then((m) => m.showCalls),
});
