import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, textOptions, sendConflict } from '../../runtime/outgoing-options.ts';
import type { PagerReplyOptions } from './reply.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const pagerReply = defineCommand<PagerReplyOptions>({
  path: ['pager', 'reply'],
  summary: 'Reply to a pager message',
  description:
    'The reply goes to everyone in the thread unless --to names other recipients. Only current members of a thread can reply, including the agents of a queue that is a member.',
  options: {
    message: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID',
      summary: 'ID of the message to reply to',
    },
    ...textOptions,
    dedupeKey: dedupeKeyOption,
    to: { type: 'list', value: 'EXT', summary: 'Recipients; default: everyone in the thread' },
  },
  examples: [{ comment: 'Reply to everyone in the thread', command: 'ucctl pager reply 4711 "On my way"' }],
  permissions: ['InternalMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  effect: 'sends',
  output: record(messageRows),
  exitCodes: {
    8: 'only some recipients received the message',
    11: sendConflict,
    13: 'the service could not send the message',
    14: 'no reply: the service may have sent the message',
  },
  load: () => import('./reply.ts').then((m) => m.replyToPager),
});
