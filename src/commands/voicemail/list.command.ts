import { defineCommand } from '../../runtime/define.ts';
import { listOptions, mailboxOption, unreadOption } from '../../runtime/mailbox-options.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { VoicemailListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const voicemailList = defineCommand<VoicemailListOptions>({
  path: ['voicemail', 'list'],
  summary: 'List voicemails, newest first; those of the last day unless told otherwise',
  options: {
    ...windowOptions,
    unread: unreadOption,
    ...listOptions,
    extension: mailboxOption,
  },
  examples: [{ comment: 'What nobody has heard yet', command: 'ucctl voicemail list --unread --since 7d' }],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listVoicemails),
});
