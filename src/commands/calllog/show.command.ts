import { defineCommand } from '../../runtime/define.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogShowOptions } from './show.ts';
import { recordOrList } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogShow = defineCommand<CallLogShowOptions>({
  path: ['calllog', 'show'],
  summary: 'Show calls with a timeline of their legs',
  description:
    'Accepts record ids and session ids. A session has one record for each extension that took part in the call.',
  options: {
    ids: {
      type: 'list',
      positional: true,
      required: true,
      value: 'SESSION|ID',
      summary: 'Record ids or session ids',
    },
    extension: extensionOption,
  },
  examples: [
    { comment: 'The path of a call through a queue', command: 'ucctl calllog show 7100000001' },
    { comment: 'Two of your own calls, as JSON', command: 'ucctl calllog show 41 42 --extension ~ -o json' },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: recordOrList(callRows),
  exitCodes: { 3: 'no call was found', 8: 'some of the ids were not found' },
  load: () => import('./show.ts').then((m) => m.showCalls),
});
