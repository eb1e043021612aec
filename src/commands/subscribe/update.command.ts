import { webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { defineCommand } from '../../runtime/define.ts';
import { showSecrets, subscriptionFields } from './fields.command.ts';
import type { SubscribeUpdateOptions } from './update.ts';

export const subscribeUpdate = defineCommand<SubscribeUpdateOptions>({
  path: ['subscribe', 'update'],
  summary: 'Change what a subscription watches, or how long it lives',
  description: 'Renews it in any case. Address and transport cannot change: create another.',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the subscription' },
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      summary: 'What to be told of, instead of now',
    },
    extension: {
      type: 'list',
      value: 'EXT,...',
      summary: 'Whose messages, presence and lines; your own by default',
    },
    expiresIn: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 60,
      maxSeconds: webhookSubscriptionSeconds.max,
      summary: 'How long it lives from now on',
    },
    showSecrets,
  },
  examples: [{ comment: 'Also presence', command: 'ucctl subscribe update ID --events messages,presence' }],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: subscriptionFields,
  load: () => import('./update.ts').then((m) => m.updateSubscription),
});
