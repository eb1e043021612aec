import type { Message, Party } from '../../contract/message.ts';
import { localTime } from '../../platform/local-time.ts';
import { hasFailed, missedRecipients } from '../../platform/message-failure.ts';
import { phoneNumberText } from '../../platform/phone-number-text.ts';
import type { Paragraph, View } from '../../runtime/output.ts';
import { filesOf, statusWords, textView } from './message.rows.ts';

/** Indentation in columns of the texts that the owner of the mailbox sent. */
const ownIndent = 4;

/** The messages of a conversation: paragraphs on a terminal, and the columns of texts in other formats. */
export const conversationView: View<Message> = { ...textView, prose: conversation };

/** Returns a conversation with a heading for each day. Messages are in ascending order of time. */
function conversation(messages: readonly Message[], zone = 'UTC'): readonly Paragraph[] {
  let day = '';
  return messages.flatMap((message) => {
    const { creationTime } = message;
    // A message without a time belongs to the day of the previous message.
    const local = creationTime === undefined ? { day, time: '' } : localTime(creationTime, zone);
    const isNewDay = local.day !== day;
    const place = day === '' ? ` (${zone})` : '';
    const gap: readonly Paragraph[] = day === '' ? [] : [{ text: '' }];
    day = local.day;
    return [
      ...gap,
      ...(isNewDay ? [{ text: `${day}${place}`, style: 'strong' } as const, { text: '' }] : []),
      ...paragraphsOf(message, local.time),
    ];
  });
}

function paragraphsOf(message: Message, time: string): readonly Paragraph[] {
  const isOwn = message.direction === 'Outbound';
  const indent = isOwn ? ownIndent : 0;
  const recipients = message.to.length > 1 ? ` to ${message.to.map(partyName).join(', ')}` : '';
  const sender = `${isOwn ? 'Sent by ' : ''}${partyName(message.from)}${recipients}`;
  const files = filesOf(message).map(({ fileName, contentType }) => fileName ?? contentType ?? 'unnamed');
  const isFailed = hasFailed(message) || missedRecipients(message) > 0;
  return [
    { text: time === '' ? sender : `${sender}  ${time}`, indent, style: 'dim' },
    { text: message.subject ?? '(no text)', indent },
    ...(files.length > 0 ? [{ text: `Files: ${files.join(', ')}`, indent }] : []),
    ...(isOwn && (isFailed || message.messageStatus !== 'Delivered')
      ? [{ text: `Status: ${statusWords(message)}`, indent, style: isFailed ? 'bad' : 'dim' } as const]
      : []),
  ];
}

/** Returns the name and number of a party, as far as they are known. */
function partyName({ name, phoneNumber, extensionNumber }: Party): string {
  const number = phoneNumber === undefined ? extensionNumber : phoneNumberText(phoneNumber);
  if (name === undefined) return number ?? 'unknown';
  return number === undefined ? name : `${name} (${number})`;
}
