import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, textOptions } from '../../runtime/outgoing-options.ts';
import type { PagerSendOptions } from './send.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const pagerSend = defineCommand<PagerSendOptions>({
  path: ['pager', 'send'],
  summary: 'Send a message to extensions of the account',
  description:
    'Users, voicemail-only extensions and queues can receive it; a queue passes it on to its active agents. The text may have 1024 UTF-16 code ' +
    'units; an emoji counts 2 or more. Nobody can send in the name of a queue. One Disabled or Frozen extension among the receivers makes the ' +
    'service refuse the whole message; among the agents of a queue it is passed over.',
  options: {
    to: {
      type: 'list',
      required: true,
      value: 'EXT',
      summary: 'Receivers, by extension number or name; repeatable',
    },
    ...textOptions,
    dedupeKey: dedupeKeyOption,
  },
  examples: [
    {
      comment: 'To two people and a queue',
      command: 'ucctl pager send --to 102,103 --to Support "The lift is stuck"',
    },
  ],
  permissions: ['InternalMessages', 'ReadPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(messageRows),
  exitCodes: { 11: 'the dedupe key was used already', 14: 'no answer came: the message may have been sent' },
  load: () => import('./send.ts').then((m) => m.sendPager),
});
