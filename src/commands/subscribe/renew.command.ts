import { defineCommand } from '../../runtime/define.ts';
import { showSecrets, subscriptionFields } from './fields.command.ts';
import type { SubscribeRenewOptions } from './renew.ts';

export const subscribeRenew = defineCommand<SubscribeRenewOptions>({
  path: ['subscribe', 'renew'],
  summary: 'Move the end of subscriptions forward',
  options: {
    ids: { type: 'list', positional: true, required: true, value: 'ID...', summary: 'Ids of subscriptions' },
    showSecrets,
  },
  examples: [{ comment: 'One', command: 'ucctl subscribe renew ID' }],
  rateGroup: 'Light',
  mutates: true,
  jsonFields: subscriptionFields,
  exitCodes: { 8: 'some were renewed, some were not' },
  load: () => import('./renew.ts').then((m) => m.renewSubscriptions),
});
