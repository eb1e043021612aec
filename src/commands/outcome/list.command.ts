import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { OutcomeListOptions } from './list.ts';
import { outcomeRows } from './outcome.rows.ts';

export const outcomeList = defineCommand<OutcomeListOptions>({
  path: ['outcome', 'list'],
  summary: 'List messages and calls sent from this machine',
  description:
    'Shows the local journal of texts, pager messages, faxes, calls and chat posts, newest first. A request without a reply has the state unknown: the request may have taken effect, so ucctl never retries it automatically.',
  details:
    'ucctl records each request before sending it, without the message text, and deletes the entry after 30 days.',
  options: {
    state: {
      type: 'list',
      choices: ['sending', 'sent', 'failed', 'unknown', 'not-sent'],
      summary: 'States to list; default: all',
    },
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of requests' },
  },
  examples: [{ comment: 'List unknown outcomes', command: 'ucctl outcome list --state unknown' }],
  output: list(outcomeRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listOutcomes),
});
