import { phoneNumberText } from '../../platform/phone-number-text.ts';
import type { Context, SearchChoice } from '../../runtime/context.ts';
import { choicesOf, maxAge, maxRead, minuteText } from './lines.ts';

type Messages = Awaited<ReturnType<Context['api']>>['messages'];
type MessageFilter = NonNullable<Parameters<Messages['list']>[1]>;
type Message = ReturnType<Messages['list']> extends AsyncIterable<infer M> ? M : never;
type Party = Message['from'];

/** The messages that a command accepts. */
export type PickedMessages = 'messages' | 'deleted-messages' | 'received-pagers' | 'sent-faxes';

const filters: Readonly<Record<PickedMessages, MessageFilter>> = {
  messages: {},
  'deleted-messages': { availability: ['Deleted'] },
  'received-pagers': { messageType: ['Pager'], direction: ['Inbound'] },
  'sent-faxes': { messageType: ['Fax'], direction: ['Outbound'] },
};

/** Reads the newest messages of a mailbox. */
export async function messageChoices(
  ctx: Context,
  request: { readonly messages: PickedMessages; readonly mailbox: string; readonly signal: AbortSignal },
): Promise<readonly SearchChoice[]> {
  const { messages, mailbox, signal } = request;
  const api = await ctx.api();
  const { extensionIdOf } = await import('../../features/directory/index.ts');
  const owner = await extensionIdOf(api, mailbox, signal);
  const filter = { ...filters[messages], dateFrom: new Date(ctx.now() - maxAge).toISOString() };
  const found: Message[] = [];
  const pages = { limit: maxRead, perPage: maxRead, signal };
  for await (const message of api.messages.list(owner, filter, pages)) found.push(message);
  return choicesOf(
    found.map((message) => ({
      value: String(message.id),
      cells: [
        minuteText(ctx, Date.parse(message.creationTime ?? '')),
        message.type ?? '',
        partiesOf(message),
        message.subject ?? '',
      ],
      also: [String(message.id)],
    })),
  );
}

function partiesOf({ direction, from, to }: Message): string {
  return direction === 'Inbound' ? `from ${nameOf(from)}` : `to ${to.map(nameOf).join(', ')}`;
}

function nameOf({ name, phoneNumber, extensionNumber }: Party): string {
  const number = phoneNumber === undefined ? extensionNumber : phoneNumberText(phoneNumber);
  return [name, number].filter((word) => word !== undefined).join(' ');
}
