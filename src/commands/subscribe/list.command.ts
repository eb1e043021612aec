import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { showSecrets } from './show-secrets.command.ts';
import type { SubscribeListOptions } from './list.ts';
import { subscriptionRows } from './subscription.rows.ts';

export const subscribeList = defineCommand<SubscribeListOptions>({
  path: ['subscribe', 'list'],
  summary: 'List the subscriptions that you created with this app',
  options: { showSecrets },
  examples: [{ comment: 'List all subscriptions as JSON', command: 'ucctl subscribe list -o json' }],
  rateGroup: 'Light',
  output: list(subscriptionRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listSubscriptions),
});
