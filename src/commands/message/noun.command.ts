import type { NounSpec } from '../../runtime/define.ts';
import { messageRead, messageUnread } from './mark.command.ts';
import { messageDelete } from './delete.command.ts';
import { messageList } from './list.command.ts';
import { messagePurge } from './purge.command.ts';
import { messageReport } from './report.command.ts';
import { messageRestore } from './restore.command.ts';
import { messageShow } from './show.command.ts';
import { messageThread } from './thread.command.ts';

export const messageNoun: NounSpec = {
  name: 'message',
  summary: 'List and change texts, pager messages, faxes and voicemails in a mailbox',
  section: 'Messages',
  commands: [
    messageList,
    messageShow,
    messageThread,
    messageRead,
    messageUnread,
    messageDelete,
    messageRestore,
    messagePurge,
    messageReport,
  ],
};
