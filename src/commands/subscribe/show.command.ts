import { defineCommand } from '../../runtime/define.ts';
import { idOption } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { showSecrets } from './show-secrets.command.ts';
import type { SubscribeShowOptions } from './show.ts';
import { subscriptionRows } from './subscription.rows.ts';

export const subscribeShow = defineCommand<SubscribeShowOptions>({
  path: ['subscribe', 'show'],
  summary: 'Show a subscription',
  options: {
    id: idOption,
    showSecrets,
  },
  examples: [
    { comment: 'Show a subscription with the event filters in effect', command: 'ucctl subscribe show ID' },
  ],
  rateGroup: 'Light',
  output: record(subscriptionRows),
  watch: true,
  load: () => import('./show.ts').then((m) => m.showSubscription),
});
