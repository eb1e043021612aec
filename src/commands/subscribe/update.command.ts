import { eventNames } from '../../features/live/notification/event-kinds.ts';
import { webhookSubscriptionSeconds } from '../../contract/limits.ts';
import { defineCommand } from '../../runtime/define.ts';
import { liveOptions } from '../../runtime/live-options.ts';
import { idOption } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { showSecrets } from './show-secrets.command.ts';
import type { SubscribeUpdateOptions } from './update.ts';
import { subscriptionRows } from './subscription.rows.ts';

export const subscribeUpdate = defineCommand<SubscribeUpdateOptions>({
  path: ['subscribe', 'update'],
  summary: 'Change the events or the lifetime of a subscription',
  description:
    'Updating a subscription also renews it. To change the address or the transport, create a new subscription.',
  options: {
    id: idOption,
    events: {
      type: 'list',
      commas: false,
      value: 'EVENT,...',
      offered: eventNames,
      summary: 'New list of events; replaces the current list',
    },
    extension: liveOptions.extension,
    expiresIn: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 60,
      maxSeconds: webhookSubscriptionSeconds.max,
      summary: 'New lifetime, counted from now',
    },
    showSecrets,
  },
  examples: [
    {
      comment: 'Change the events to messages and presence',
      command: 'ucctl subscribe update ID --events messages,presence',
    },
  ],
  permissions: ['ReadMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(subscriptionRows),
  load: () => import('./update.ts').then((m) => m.updateSubscription),
});
