import { defineCommand } from '../../runtime/define.ts';
import { outcomeFields } from './fields.command.ts';
import type { OutcomeResolveOptions } from './resolve.ts';

export const outcomeResolve = defineCommand<OutcomeResolveOptions>({
  path: ['outcome', 'resolve'],
  summary: 'Settle unknown outcomes by looking into the message store',
  description:
    'Looks for the same text to the same receiver among the sent messages from 5 seconds before the request to 2 minutes after it, by the clock of the ' +
    'service. Found, the outcome is sent; not found, it is not-sent and may be sent again. Where not finding it proves nothing, it stays unknown: another ' +
    'user is signed in, it is older than 4 days, the mailbox is crowded, or a message much like it is there. Calls are found in the call log and chat ' +
    'posts nowhere: those stay unknown.',
  options: {
    ids: { type: 'list', positional: true, value: 'ID', summary: 'Outcomes as in ucctl outcome list' },
    all: { type: 'boolean', summary: 'Every unknown outcome of this profile' },
  },
  examples: [
    { comment: 'After an exit code 14', command: 'ucctl outcome resolve 12' },
    { comment: 'Whatever is open', command: 'ucctl outcome resolve --all -o json' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  jsonFields: [...outcomeFields, 'why'],
  exitCodes: { 14: 'some are still unknown' },
  load: () => import('./resolve.ts').then((m) => m.resolveUnknown),
});
