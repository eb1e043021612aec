import { defineCommand } from '../../runtime/define.ts';
import type { SmsNumbersOptions } from './numbers.ts';
import { list } from '../../runtime/output-schema.ts';
import { numberRows } from './number.rows.ts';

export const smsNumbers = defineCommand<SmsNumbersOptions>({
  path: ['sms', 'numbers'],
  summary: 'List your numbers that can send texts',
  options: {},
  examples: [{ comment: 'List the numbers for --from', command: 'ucctl sms numbers' }],
  permissions: ['ReadAccounts'],
  rateGroup: 'Light',
  output: list(numberRows),
  load: () => import('./numbers.ts').then((m) => m.listSmsNumbers),
});
