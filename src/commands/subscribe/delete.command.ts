import { defineCommand } from '../../runtime/define.ts';
import type { SubscribeDeleteOptions } from './delete.ts';

export const subscribeDelete = defineCommand<SubscribeDeleteOptions>({
  path: ['subscribe', 'delete'],
  summary: 'End subscriptions',
  options: {
    ids: { type: 'list', positional: true, required: true, value: 'ID...', summary: 'Ids of subscriptions' },
  },
  examples: [{ comment: 'Two at once', command: 'ucctl subscribe delete ID ID' }],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['id', 'status'],
  exitCodes: { 8: 'some were deleted, some were not' },
  load: () => import('./delete.ts').then((m) => m.deleteSubscriptions),
});
