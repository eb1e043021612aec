import type { NounSpec } from '../../runtime/define.ts';
import { webhookActivate } from './activate.command.ts';
import { webhookCheck } from './check.command.ts';
import { webhookCreate } from './create.command.ts';
import { webhookDelete } from './delete.command.ts';
import { webhookList } from './list.command.ts';
import { webhookListen } from './listen.command.ts';
import { webhookPost } from './post.command.ts';
import { webhookSuspend } from './suspend.command.ts';
import { webhookTrigger } from './trigger.command.ts';

export const webhookNoun: NounSpec = {
  name: 'webhook',
  summary: 'Receive events on this machine, test receivers, and post to chat groups',
  section: 'Live events',
  commands: [
    webhookListen,
    webhookTrigger,
    webhookCheck,
    webhookCreate,
    webhookList,
    webhookActivate,
    webhookSuspend,
    webhookDelete,
    webhookPost,
  ],
};
