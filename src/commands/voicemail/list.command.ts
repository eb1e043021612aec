import { defineCommand } from '../../runtime/define.ts';
import { listOptions, mailboxOption, phoneOption, unreadOption } from '../../runtime/mailbox-options.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { VoicemailListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const voicemailList = defineCommand<VoicemailListOptions>({
  path: ['voicemail', 'list'],
  summary: 'List the voicemails of a period (default: the last day), newest first',
  options: {
    ...windowOptions,
    phone: phoneOption,
    unread: unreadOption,
    ...listOptions,
    extension: mailboxOption,
  },
  examples: [
    {
      comment: 'List unread voicemails of the last seven days',
      command: 'ucctl voicemail list --unread --since 7d',
    },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listVoicemails),
});
