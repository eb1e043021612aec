import type { NounSpec } from '../../runtime/define.ts';
import { subscribeCreate } from './create.command.ts';
import { subscribeDelete } from './delete.command.ts';
import { subscribeList } from './list.command.ts';
import { subscribeRenew } from './renew.command.ts';
import { subscribeShow } from './show.command.ts';
import { subscribeTail } from './tail.command.ts';
import { subscribeUpdate } from './update.command.ts';

export const subscribeNoun: NounSpec = {
  name: 'subscribe',
  summary: 'Watch live events and manage subscriptions',
  section: 'Live events',
  commands: [
    subscribeTail,
    subscribeCreate,
    subscribeList,
    subscribeShow,
    subscribeUpdate,
    subscribeRenew,
    subscribeDelete,
  ],
};
