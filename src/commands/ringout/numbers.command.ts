import { defineCommand } from '../../runtime/define.ts';
import type { RingOutNumbersOptions } from './numbers.ts';

export const ringoutNumbers = defineCommand<RingOutNumbersOptions>({
  path: ['ringout', 'numbers'],
  summary: 'List your forwarding numbers that a call can start from',
  options: {},
  examples: [{ comment: 'Numbers for --from, labels for --from-label', command: 'ucctl ringout numbers' }],
  permissions: ['ReadAccounts'],
  rateGroup: 'Light',
  jsonFields: ['id', 'phoneNumber', 'label', 'type', 'features', 'flipNumber', 'uri'],
  load: () => import('./numbers.ts').then((m) => m.listRingOutNumbers),
});
