import { defineCommand } from '../../runtime/define.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogShowOptions } from './show.ts';
import { recordOrList } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogShow = defineCommand<CallLogShowOptions>({
  path: ['calllog', 'show'],
  summary: 'Show calls with a timeline of their legs',
  description:
    'Accepts record IDs and session IDs. A session has one record for each extension that took part in the call.',
  options: {
    ids: {
      type: 'list',
      positional: true,
      required: true,
      value: 'SESSION|ID',
      summary: 'Record IDs or session IDs',
    },
    extension: extensionOption,
  },
  examples: [
    { comment: 'Show the path of a call through a queue', command: 'ucctl calllog show 7100000001' },
    {
      comment: 'Show two of your own calls as JSON',
      command: 'ucctl calllog show 41 42 --extension ~ -o json',
    },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: recordOrList(callRows),
  exitCodes: { 3: 'no call found', 8: 'some calls were not found' },
  load: () => import('./show.ts').then((m) => m.showCalls),
});
