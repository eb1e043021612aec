import { defineCommand } from '../../runtime/define.ts';
import { mailboxOption } from '../../runtime/mailbox-options.ts';
import type { MessageShowOptions } from './show.ts';
import { availabilityOption, idsOption } from './options.command.ts';
import { recordOrList } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const messageShow = defineCommand<MessageShowOptions>({
  path: ['message', 'show'],
  summary: 'Show messages by id, with the addresses of their files',
  description:
    'Deleted and purged messages are hidden unless --availability names them. ucctl download saves the files.',
  options: {
    ids: { ...idsOption, required: true },
    availability: availabilityOption,
    extension: mailboxOption,
  },
  examples: [
    { comment: 'One', command: 'ucctl message show 4711 -o json' },
    { comment: 'Also when it was deleted', command: 'ucctl message show 4711 --availability Alive,Deleted' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: recordOrList(messageRows),
  exitCodes: { 3: 'there is no such message, or it is hidden', 8: 'some were found, some were not' },
  load: () => import('./show.ts').then((m) => m.showMessages),
});
