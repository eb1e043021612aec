import { directions } from '../../contract/enums.ts';
import { defineCommand } from '../../runtime/define.ts';
import type { CallLogActiveOptions } from './active.ts';
import { extensionOption } from './fields.command.ts';
import { list } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogActive = defineCommand<CallLogActiveOptions>({
  path: ['calllog', 'active'],
  summary: 'List the calls of this moment',
  description:
    'Calls that still ring somewhere are absent: the service lists a call once it is connected to an extension. An ended call appears with its ' +
    'result 3 to 10 s later and stays for about 120 s. Not every service filters this list, so ucctl applies the filters to the reply, too.',
  options: {
    extension: extensionOption,
    direction: { type: 'list', value: 'DIRECTION', choices: directions, summary: 'Inbound or Outbound' },
    type: { type: 'list', value: 'TYPE,...', summary: 'Voice, Fax, or what else the service knows' },
    phoneNumber: { type: 'string', value: 'NUMBER', summary: 'Calls from or to this number (E.164)' },
    extensionNumber: { type: 'string', value: 'NUMBER', summary: 'Calls from or to this extension number' },
    watch: { type: 'boolean', short: 'w', summary: 'Keep reading, until Ctrl-C' },
    interval: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 6,
      maxSeconds: 3600,
      default: 12,
      summary: 'With --watch: time between two readings; 12s, half of what the rate limit allows',
    },
  },
  examples: [
    { comment: 'Who is talking now', command: 'ucctl calllog active' },
    { comment: 'Your own calls, kept up to date', command: 'ucctl calllog active --extension ~ --watch' },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: list(callRows),
  exitCodes: { 5: 'the account level needs an administrator; the own calls are --extension ~' },
  load: () => import('./active.ts').then((m) => m.showActiveCalls),
});
