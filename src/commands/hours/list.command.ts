import { list } from '../../runtime/output-schema.ts';
import { defineCommand } from '../../runtime/define.ts';
import { hoursRows } from './hours.rows.ts';
import { ownerOptions } from './options.command.ts';
import type { OwnerOptions } from './owners.ts';

export const hoursList = defineCommand<OwnerOptions>({
  path: ['hours', 'list'],
  summary: 'Show the business hours of the company and of extensions',
  options: ownerOptions,
  examples: [
    { comment: 'Show the business hours of the company', command: 'ucctl hours list' },
    {
      comment: 'Show the business hours of a queue and of a person',
      command: 'ucctl hours list Support 102',
    },
  ],
  permissions: ['ReadAccounts'],
  dialect: 'current',
  rateGroup: 'Light',
  output: list(hoursRows),
  exitCodes: { 3: 'extension not found' },
  load: () => import('./list.ts').then((m) => m.listHours),
});
