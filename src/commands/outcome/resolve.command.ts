import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { outcomeRows } from './outcome.rows.ts';
import type { OutcomeResolveOptions } from './resolve.ts';

export const outcomeResolve = defineCommand<OutcomeResolveOptions>({
  path: ['outcome', 'resolve'],
  summary: 'Resolve unknown outcomes by searching the message store',
  description:
    'Searches your sent messages for the same text to the same recipients. With a match, the outcome becomes sent. ' +
    'Without a match, it becomes not-sent, and you can send the message again.',
  details:
    'A match is a message that was created within 2 s of the start of the request, by the clock of the service.\n\n' +
    'The outcome stays unknown if the search is not conclusive. Reasons are: the same text was created later and may be ' +
    'from another of your machines; another user is signed in; the outcome is older than 4 days; the mailbox is nearly ' +
    'full; or a similar message exists. Faxes, calls and chat posts also stay unknown. Check these yourself and use --as. ' +
    'After not-sent, the dedupe key can be used again.\n\n' +
    'One case cannot be detected: the message of this machine did not arrive, but another of your machines sent the same ' +
    'text to the same recipients within these 2 s.',
  options: {
    ids: { type: 'list', positional: true, value: 'ID', summary: 'Ids of outcomes, from ucctl outcome list' },
    all: { type: 'boolean', summary: 'Resolve all unknown outcomes of the profile' },
    as: {
      type: 'string',
      value: 'STATE',
      choices: ['sent', 'not-sent'],
      summary: 'Outcome that you determined yourself; skips the search',
    },
  },
  examples: [
    { comment: 'Resolve an outcome after exit code 14', command: 'ucctl outcome resolve 12' },
    {
      comment: 'Record that a fax was not sent',
      command: 'ucctl outcome resolve 12 --as not-sent',
    },
    {
      comment: 'Resolve all unknown outcomes and write JSON',
      command: 'ucctl outcome resolve --all -o json',
    },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(outcomeRows),
  exitCodes: {
    11: 'with --as: the outcome is already known',
    14: 'some outcomes are still unknown',
  },
  load: () => import('./resolve.ts').then((m) => m.resolveUnknown),
});
