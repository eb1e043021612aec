import { defineCommand } from '../../runtime/define.ts';
import { outcomeFields } from './fields.command.ts';
import type { OutcomeListOptions } from './list.ts';

export const outcomeList = defineCommand<OutcomeListOptions>({
  path: ['outcome', 'list'],
  summary: 'List what was sent from this machine, newest first',
  description:
    'Texts, pages, faxes, calls and chat posts are written down on this machine before they go out, without their text. One whose answer was lost ' +
    'is unknown: it may have been done or not, and is never sent again by itself. Entries are kept for 30 days.',
  options: {
    state: {
      type: 'list',
      choices: ['sending', 'sent', 'failed', 'unknown', 'not-sent'],
      summary: 'Only those in this state',
    },
  },
  examples: [{ comment: 'What must be looked at', command: 'ucctl outcome list --state unknown' }],
  jsonFields: outcomeFields,
  watch: true,
  load: () => import('./list.ts').then((m) => m.listOutcomes),
});
