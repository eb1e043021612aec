import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, textOptions } from '../../runtime/outgoing-options.ts';
import type { PagerReplyOptions } from './reply.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const pagerReply = defineCommand<PagerReplyOptions>({
  path: ['pager', 'reply'],
  summary: 'Reply to a message between extensions',
  description:
    'The reply goes to everyone in the thread; --to sends it to others, who then are the thread. Only who is in a thread now, named or as an agent ' +
    'of a queue, can reply to it.',
  options: {
    message: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID',
      summary: 'Message that is replied to',
    },
    ...textOptions,
    dedupeKey: dedupeKeyOption,
    to: { type: 'list', value: 'EXT', summary: 'Other receivers than those of the thread' },
  },
  examples: [{ comment: 'To everyone in the thread', command: 'ucctl pager reply 4711 "On my way"' }],
  permissions: ['InternalMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(messageRows),
  exitCodes: { 11: 'the dedupe key was used already', 14: 'no answer came: the message may have been sent' },
  load: () => import('./reply.ts').then((m) => m.replyToPager),
});
