import { countOf, counted, listed, membersOf, objectsOf, wordOf, type Members } from './body-values.ts';
import type { EventNames } from './event-names.ts';
import type { EventText } from './event-text.ts';
import { lookupTable } from '../../../platform/lookup-table.ts';

/** Singular and plural of the message types. Events write `Voicemail`, messages `VoiceMail`. */
const kinds: Readonly<Record<string, readonly [string, string]>> = lookupTable({
  sms: ['SMS', 'SMS'],
  text: ['SMS', 'SMS'],
  fax: ['fax', 'faxes'],
  voicemail: ['voicemail', 'voicemails'],
  pager: ['pager message', 'pager messages'],
});

function kindOf(type: unknown): readonly [string, string] {
  const word = wordOf(type);
  const unknown = word === '' ? 'message' : `${word} message`;
  return kinds[word.toLowerCase()] ?? [unknown, `${unknown}s`];
}

/** Describes the event of a mailbox: counts of new and changed messages, or the messages that were read. */
export function mailboxText(
  changes: unknown,
  owner: string,
  names: EventNames,
  messages: readonly unknown[] = [],
): EventText {
  const all = objectsOf(changes);
  const added = all.filter(({ newCount }) => countOf(newCount) > 0);
  const total = added.reduce((sum, { newCount }) => sum + countOf(newCount), 0);
  const [newest] = messages;
  if (newest !== undefined) {
    const others = Math.max(total, messages.length) - 1;
    const { head, quote } = messageText(membersOf(newest), owner, names);
    return { head: others > 0 ? `${head} and ${others} more` : head, quote };
  }
  const counts = [
    ...added.map(({ type, newCount }) => countText(countOf(newCount), type, 'new ')),
    ...all
      .filter(({ updatedCount }) => countOf(updatedCount) > 0)
      .map(({ type, updatedCount }) => `${countText(countOf(updatedCount), type, '')} changed`),
  ];
  return { head: `${sentenceStart(owner)}: ${counts.length > 0 ? listed(counts) : 'messages changed'}` };
}

function countText(count: number, type: unknown, adjective: string): string {
  const [one, many] = kindOf(type);
  return counted(count, `${adjective}${one}`, `${adjective}${many}`);
}

/** Describes one message: `SMS from +1 650 555 0199 to Avery Quinn (100): My order`. */
export function messageText(message: Members, owner: string, names: EventNames): EventText {
  const { type, direction, from, to, subject } = message;
  const isOutbound = direction === 'Outbound';
  const [kind] = kindOf(type);
  const recipients = objectsOf(to).filter((party) => Object.keys(party).length > 0);
  const sender = isOutbound ? owner : names.correspondent(membersOf(from));
  const [first] = recipients;
  const other = first === undefined ? 'unknown number' : names.correspondent(first);
  const more = recipients.length > 1 ? ` and ${recipients.length - 1} more` : '';
  const recipient = isOutbound ? `${other}${more}` : owner;
  const status = isOutbound ? wordOf(message['messageStatus']) : '';
  const head = `${sentenceStart(kind)} from ${sender} to ${recipient}${extentOf(message)}${status === '' ? '' : ` (${status})`}`;
  // The service puts no text into faxes and voicemails; their subject repeats the caller.
  const quote = ['sms', 'text', 'pager'].includes(wordOf(type).toLowerCase()) ? wordOf(subject) : '';
  return { head, quote: quote === '' ? undefined : quote };
}

/** Returns the duration of a voicemail or the page count of a fax; empty if unknown. */
function extentOf({ attachments, faxPageCount }: Members): string {
  const pages = countOf(faxPageCount);
  if (pages > 0) return `, ${counted(pages, 'page', 'pages')}`;
  const seconds = Math.max(0, ...objectsOf(attachments).map(({ vmDuration }) => countOf(vmDuration)));
  return seconds === 0
    ? ''
    : ` (${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')})`;
}

/** Returns the text with a capital first letter. */
export function sentenceStart(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
