import { defineCommand } from '../../runtime/define.ts';
import { idsOption } from './options.command.ts';
import { list } from '../../runtime/output-schema.ts';
import type { SubscribeDeleteOptions } from './delete.ts';
import { deletedRows } from './subscription.rows.ts';

export const subscribeDelete = defineCommand<SubscribeDeleteOptions>({
  path: ['subscribe', 'delete'],
  summary: 'Delete subscriptions',
  options: {
    ids: idsOption,
  },
  examples: [{ comment: 'Delete two subscriptions', command: 'ucctl subscribe delete ID ID' }],
  rateGroup: 'Medium',
  mutates: true,
  effect: 'deletes',
  output: list(deletedRows),
  exitCodes: { 3: 'no such subscription', 8: 'some subscriptions were not deleted' },
  load: () => import('./delete.ts').then((m) => m.deleteSubscriptions),
});
