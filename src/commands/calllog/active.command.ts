import { defineCommand } from '../../runtime/define.ts';
import type { CallLogActiveOptions } from './active.ts';
import { directionOption, extensionNumberOption, extensionOption } from './fields.command.ts';
import { list } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';

export const callLogActive = defineCommand<CallLogActiveOptions>({
  path: ['calllog', 'active'],
  summary: 'List active calls',
  description:
    'Lists calls that are connected to an extension; calls that are still ringing are not included. ' +
    'An ended call appears with its result after 3 to 10 seconds and stays for about 120 seconds.',
  details: 'Some services ignore the filters of this list, so ucctl also filters the reply.',
  options: {
    extension: extensionOption,
    direction: directionOption,
    type: {
      type: 'list',
      value: 'TYPE,...',
      summary: 'Call types to show: Voice, Fax or another type that the service supports',
    },
    phone: { type: 'string', value: 'NUMBER', summary: 'Show only calls from or to this number' },
    extensionNumber: extensionNumberOption,
    watch: { type: 'boolean', short: 'w', summary: 'Refresh the list until Ctrl-C' },
    interval: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 6,
      maxSeconds: 3600,
      default: 12,
      requires: 'watch',
      summary: 'Polling interval of --watch; the default uses half of the rate limit',
    },
  },
  examples: [
    { comment: 'List all active calls', command: 'ucctl calllog active' },
    {
      comment: 'Watch your own calls until Ctrl-C',
      command: 'ucctl calllog active --extension ~ --watch',
    },
  ],
  permissions: ['ReadCallLog'],
  rateGroup: 'Heavy',
  output: list(callRows),
  exitCodes: {
    5: 'calls of the whole account require an administrator; use --extension ~ for your own calls',
  },
  load: () => import('./active.ts').then((m) => m.showActiveCalls),
});
