import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, textOptions, sendConflict } from '../../runtime/outgoing-options.ts';
import type { PagerSendOptions } from './send.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const pagerSend = defineCommand<PagerSendOptions>({
  path: ['pager', 'send'],
  summary: 'Send a pager message to extensions in the account',
  description:
    'Users, voicemail-only extensions and queues can receive pager messages; a queue forwards the message to its active agents. ' +
    'The text can have up to 1024 UTF-16 code units; an emoji counts as 2 or more.',
  details:
    'A queue cannot be the sender. The service rejects the whole message if a recipient is a Disabled or Frozen extension, ' +
    'but skips such extensions among the agents of a queue.',
  options: {
    to: {
      type: 'list',
      required: true,
      value: 'EXT',
      summary: 'Recipients, by extension number or name',
    },
    ...textOptions,
    dedupeKey: dedupeKeyOption,
  },
  examples: [
    {
      comment: 'Send to two users and a queue',
      command: 'ucctl pager send --to 102,103 --to Support "The lift is stuck"',
    },
  ],
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
  load: () => import('./send.ts').then((m) => m.sendPager),
});
