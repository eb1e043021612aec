import { defineCommand } from '../../runtime/define.ts';
import { mailboxOption } from '../../runtime/mailbox-options.ts';
import type { MessageShowOptions } from './show.ts';
import { availabilityOption, idsOption } from './options.command.ts';
import { recordOrList } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const messageShow = defineCommand<MessageShowOptions>({
  path: ['message', 'show'],
  summary: 'Show messages by ID, with attachment URIs',
  description:
    'Shows deleted and purged messages only if --availability includes them. To save attachments, use ucctl download.',
  options: {
    ids: { ...idsOption, required: true },
    availability: availabilityOption,
    extension: mailboxOption,
  },
  examples: [
    { comment: 'Show a message as JSON', command: 'ucctl message show 4711 -o json' },
    {
      comment: 'Show a message even if it is deleted',
      command: 'ucctl message show 4711 --availability Alive,Deleted',
    },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: recordOrList(messageRows),
  exitCodes: { 3: 'message not found, or hidden', 8: 'some messages were not found' },
  load: () => import('./show.ts').then((m) => m.showMessages),
});
