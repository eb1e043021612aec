import { defineCommand } from '../../runtime/define.ts';
import { showSecrets, subscriptionFields } from './fields.command.ts';
import type { SubscribeListOptions } from './list.ts';

export const subscribeList = defineCommand<SubscribeListOptions>({
  path: ['subscribe', 'list'],
  summary: 'List your subscriptions with this app',
  options: { showSecrets },
  examples: [{ comment: 'All, as JSON', command: 'ucctl subscribe list -o json' }],
  rateGroup: 'Light',
  jsonFields: subscriptionFields,
  watch: true,
  load: () => import('./list.ts').then((m) => m.listSubscriptions),
});
