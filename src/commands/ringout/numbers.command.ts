import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { forwardingNumberRows } from './number.rows.ts';
import type { RingOutNumbersOptions } from './numbers.ts';

export const ringoutNumbers = defineCommand<RingOutNumbersOptions>({
  path: ['ringout', 'numbers'],
  summary: 'List the forwarding numbers that you can call from',
  options: {},
  examples: [
    {
      comment: 'List numbers for --from and labels for --from-label',
      command: 'ucctl ringout numbers',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Light',
  output: list(forwardingNumberRows),
  load: () => import('./numbers.ts').then((m) => m.listRingOutNumbers),
});
