import { defineCommand } from '../../runtime/define.ts';
import type { SmsNumbersOptions } from './numbers.ts';

export const smsNumbers = defineCommand<SmsNumbersOptions>({
  path: ['sms', 'numbers'],
  summary: 'List your numbers that can send texts',
  options: {},
  examples: [{ comment: 'Numbers for --from', command: 'ucctl sms numbers' }],
  permissions: ['ReadAccounts'],
  rateGroup: 'Light',
  jsonFields: [
    'id',
    'phoneNumber',
    'label',
    'primary',
    'type',
    'usageType',
    'features',
    'status',
    'country',
    'paymentType',
    'uri',
  ],
  load: () => import('./numbers.ts').then((m) => m.listSmsNumbers),
});
