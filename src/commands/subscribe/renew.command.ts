import { defineCommand } from '../../runtime/define.ts';
import { idsOption } from './options.command.ts';
import { list } from '../../runtime/output-schema.ts';
import { showSecrets } from './show-secrets.command.ts';
import type { SubscribeRenewOptions } from './renew.ts';
import { subscriptionRows } from './subscription.rows.ts';

export const subscribeRenew = defineCommand<SubscribeRenewOptions>({
  path: ['subscribe', 'renew'],
  summary: 'Renew subscriptions before they expire',
  options: {
    ids: idsOption,
    showSecrets,
  },
  examples: [{ comment: 'Renew one subscription', command: 'ucctl subscribe renew ID' }],
  rateGroup: 'Light',
  mutates: true,
  output: list(subscriptionRows),
  exitCodes: { 3: 'no such subscription', 8: 'some subscriptions were not renewed' },
  load: () => import('./renew.ts').then((m) => m.renewSubscriptions),
});
