import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, textOptions } from '../../runtime/outgoing-options.ts';
import type { PagerSendOptions } from './send.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const pagerSend = defineCommand<PagerSendOptions>({
  path: ['pager', 'send'],
  summary: 'Send a pager message to extensions of the account',
  description:
    'Users, voicemail-only extensions and queues can receive it; a queue forwards it to its active agents. The text may have 1024 UTF-16 code ' +
    'units; an emoji counts as 2 or more.',
  details:
    'A queue cannot be the sender. If one of the recipients is a Disabled or Frozen extension, the service rejects the whole message; among the ' +
    'agents of a queue such an extension is skipped.',
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
  exitCodes: { 11: 'the dedupe key was already used', 14: 'no response: the message may have been sent' },
  load: () => import('./send.ts').then((m) => m.sendPager),
});
