import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { outcomeRows } from './outcome.rows.ts';
import type { OutcomeResolveOptions } from './resolve.ts';

export const outcomeResolve = defineCommand<OutcomeResolveOptions>({
  path: ['outcome', 'resolve'],
  summary: 'Resolve unknown outcomes by searching the message store',
  description:
    'Searches your sent messages for the same text to the same recipients. Without such a message, the outcome becomes not-sent, and you can send the message again. With such a message, the outcome stays unknown, because another of your machines may have sent it.',
  details:
    'If no other machine or app sends texts for you, use --sole-sender. The outcome then becomes sent if there is a match. ' +
    'A match is a message created at most 0.6 s before the start of the request, at most 0.6 s after its end, ' +
    "and at most 2 s after its start, by the service's clock.\n\n" +
    'The outcome stays unknown if the search is not conclusive. Possible reasons: the same text was created at another time; another user is signed in; the outcome is older than 4 days; the mailbox is nearly ' +
    'full; or a similar message exists. Faxes, calls and chat posts also stay unknown. Check these outcomes yourself and use --as. ' +
    'If the outcome becomes not-sent, you can use the dedupe key again.',
  options: {
    ids: { type: 'list', positional: true, value: 'ID', summary: 'Outcome IDs; see ucctl outcome list' },
    all: { type: 'boolean', summary: 'Resolve all unknown outcomes of the profile' },
    soleSender: {
      type: 'boolean',
      summary:
        'Treat a matching message as sent by this machine, because no other machine or app sends texts for you',
    },
    as: {
      type: 'string',
      value: 'STATE',
      choices: ['sent', 'not-sent'],
      summary: 'Outcome that you verified yourself; skips the search',
    },
  },
  examples: [
    { comment: 'Resolve an unknown outcome after exit code 14', command: 'ucctl outcome resolve 12' },
    {
      comment: 'Record that a fax was not sent',
      command: 'ucctl outcome resolve 12 --as not-sent',
    },
    {
      comment: 'Resolve all unknown outcomes of a user for whom only this machine sends texts',
      command: 'ucctl outcome resolve --all --sole-sender',
    },
    {
      comment: 'Resolve all unknown outcomes with JSON output',
      command: 'ucctl outcome resolve --all -o json',
    },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(outcomeRows),
  exitCodes: {
    11: 'the outcome is already known (--as)',
    14: 'some outcomes are still unknown',
  },
  load: () => import('./resolve.ts').then((m) => m.resolveUnknown),
});
