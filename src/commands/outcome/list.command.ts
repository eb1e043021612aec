import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { OutcomeListOptions } from './list.ts';
import { outcomeRows } from './outcome.rows.ts';

export const outcomeList = defineCommand<OutcomeListOptions>({
  path: ['outcome', 'list'],
  summary: 'List messages and calls sent from this machine',
  description:
    'Shows the local journal of texts, pager messages, faxes, calls and chat posts, newest first. A request that got no response ' +
    'has the state unknown: it may have taken effect, so ucctl never retries it automatically.',
  details:
    'Each request is recorded before it is sent, without the text of the message. Entries are deleted after 30 days.',
  options: {
    state: {
      type: 'list',
      choices: ['sending', 'sent', 'failed', 'unknown', 'not-sent'],
      summary: 'States to list; by default all',
    },
  },
  examples: [{ comment: 'Outcomes to resolve', command: 'ucctl outcome list --state unknown' }],
  output: list(outcomeRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listOutcomes),
});
