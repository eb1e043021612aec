import { defineCommand } from '../../runtime/define.ts';
import { outcomeFields } from './fields.command.ts';
import type { OutcomeResolveOptions } from './resolve.ts';

export const outcomeResolve = defineCommand<OutcomeResolveOptions>({
  path: ['outcome', 'resolve'],
  summary: 'Settle unknown outcomes by looking into the message store',
  description:
    'Looks for the same text to the same receivers among the sent messages. Created within 2 s of the start of the request, by the clock of the service, ' +
    'it is the text: the outcome is sent. Not found, it is not-sent and may be sent again. It stays unknown where that proves nothing: the same text was ' +
    'created later, so that another machine of yours may have sent it, another user is signed in, the outcome is older than 4 days, the mailbox is ' +
    'crowded, or a message much like it is there. Faxes, calls and chat posts stay unknown as well. Settle those yourself with --as; after not-sent the ' +
    'dedupe key can be used again. ' +
    'One case cannot be recognised: another machine of yours sent the same text to the same receivers within those 2 s, and this one did not arrive.',
  options: {
    ids: { type: 'list', positional: true, value: 'ID', summary: 'Outcomes as in ucctl outcome list' },
    all: { type: 'boolean', summary: 'Every unknown outcome of this profile' },
    as: {
      type: 'string',
      value: 'STATE',
      choices: ['sent', 'not-sent'],
      summary: 'What you found out yourself; nothing is looked up',
    },
  },
  examples: [
    { comment: 'After an exit code 14', command: 'ucctl outcome resolve 12' },
    {
      comment: 'You looked at the fax list, and it is not there',
      command: 'ucctl outcome resolve 12 --as not-sent',
    },
    { comment: 'Whatever is open', command: 'ucctl outcome resolve --all -o json' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  jsonFields: [...outcomeFields, 'why'],
  exitCodes: { 11: 'with --as: an outcome is not unknown', 14: 'some are still unknown' },
  load: () => import('./resolve.ts').then((m) => m.resolveUnknown),
});
