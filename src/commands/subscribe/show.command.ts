import { defineCommand } from '../../runtime/define.ts';
import { showSecrets, subscriptionFields } from './fields.command.ts';
import type { SubscribeShowOptions } from './show.ts';

export const subscribeShow = defineCommand<SubscribeShowOptions>({
  path: ['subscribe', 'show'],
  summary: 'Show one subscription',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the subscription' },
    showSecrets,
  },
  examples: [{ comment: 'With the filters in effect', command: 'ucctl subscribe show ID' }],
  rateGroup: 'Light',
  jsonFields: subscriptionFields,
  watch: true,
  load: () => import('./show.ts').then((m) => m.showSubscription),
});
