import { percentEncodedName } from '../../../platform/percent-encoded-name.ts';
import type { Archive } from '../../../store/archive.ts';
import type { ExportMedia, ExportRow } from '../../../store/export-row.ts';
import type { MediaStore } from '../../../store/media-store.ts';
import { shortened } from './html.ts';
import { recipientsOfRow } from './parties.ts';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Formats a message as one mail of an mbox file. Bodies are base64, so none of their lines can look like a separator.
 */
export async function mboxMessage(
  row: ExportRow,
  { messages, media }: Pick<Archive, 'messages' | 'media'>,
): Promise<string> {
  const date = new Date(row.creationTime);
  const attached = row.attachments === 0 ? [] : await messages.attachments(row.pk);
  const files = await Promise.all(attached.map((one) => attachmentPart(one, media)));
  const text = part('text/plain; charset=utf-8', row.text ?? `(${row.type})`);
  const boundary = `=_${row.id}`;
  const body =
    files.length === 0
      ? text
      : `Content-Type: multipart/mixed; boundary="${boundary}"\n\n${[text, ...files].map((one) => `--${boundary}\n${one}`).join('')}--${boundary}--\n`;
  const headers = [
    `From mailbox@phone.invalid ${mboxDate(date)}`,
    `From: ${address(row.fromName, row.fromNumber ?? row.fromExtension)}`,
    `To: ${recipients(row)}`,
    `Date: ${mailDate(date)}`,
    `Subject: ${headerWords(subjectOf(row))}`,
    `Message-ID: <${row.id}.${headerToken(row.mailbox)}@phone.invalid>`,
    ...(row.conversationId === null ? [] : [`References: <thread-${row.conversationId}@phone.invalid>`]),
    `X-Message-Type: ${headerToken(row.type)}`,
    `X-Availability: ${headerToken(row.availability)}`,
    `Status: ${row.readStatus === 'Read' ? 'RO' : 'O'}`,
    'MIME-Version: 1.0',
  ];
  return `${headers.join('\n')}\n${body}\n`;
}

async function attachmentPart(
  { sha256, contentType, fileName }: ExportMedia,
  media: MediaStore,
): Promise<string> {
  const content = Buffer.from(await media.read(sha256));
  return `Content-Disposition: attachment; ${fileNameParameter(fileName ?? sha256.slice(0, 12))}\n${part(contentTypeValue(contentType ?? 'application/octet-stream'), content)}`;
}

/** A file name; a name with other characters than ASCII also in the form of RFC 2231. */
function fileNameParameter(name: string): string {
  const plain = headerToken(name);
  if (plain === name) return `filename="${plain}"`;
  return `filename="${plain}"; filename*=utf-8''${percentEncodedName(name)}`;
}

/** Matches a content type with its parameters (RFC 2045, 5.1), whose values can be quoted. */
const contentTypeForm =
  /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:\s*;\s*[\w!#$%&'*+.^`|~-]+=(?:"[^"\\]*"|[^\s;"\\]+))*$/;

function contentTypeValue(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) && contentTypeForm.test(text) ? text : headerToken(text);
}

function part(type: string, content: string | Buffer): string {
  const lines = Buffer.from(content as string)
    .toString('base64')
    .match(/.{1,76}/g) ?? [''];
  return `Content-Type: ${type}\nContent-Transfer-Encoding: base64\n\n${lines.join('\n')}\n`;
}

/** Returns the addresses of the recipients, one per line, because a line of a header has a limit (RFC 5322, 2.1.1). */
function recipients(row: ExportRow): string {
  const addresses = recipientsOfRow(row).map(({ name, number }) => address(name, number));
  return addresses.join(',\n ') || address(undefined, undefined);
}

function address(name: string | null | undefined, number: string | null | undefined): string {
  const local = headerToken(number ?? '').replaceAll(/[^\w+.-]/g, '');
  const mail = `<${local === '' ? 'unknown' : local}@phone.invalid>`;
  return name ? `${phrase(name)} ${mail}` : mail;
}

/** A name before an address. Unless it is quoted, a comma in it would end the address. */
function phrase(name: string): string {
  return plainWords.test(name) && /[.,]/.test(name) ? `"${name}"` : headerWords(name);
}

function subjectOf({ type, text }: ExportRow): string {
  const first = (text ?? '').split(/[\r\n]/)[0] ?? '';
  return first === '' ? type : shortened(first, 78);
}

/** Matches a header value that needs no encoding. */
const plainWords = /^[\w .,+-]*$/;

/** Encodes a header value as words of RFC 2047, so that it cannot end the header. */
function headerWords(text: string): string {
  if (plainWords.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > 42) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((one) => `=?utf-8?B?${Buffer.from(one).toString('base64')}?=`).join(' ');
}

function headerToken(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function clock(date: Date): string {
  return `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

function mboxDate(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2, ' ');
  return `${days[date.getUTCDay()]} ${months[date.getUTCMonth()]} ${day} ${clock(date)} ${date.getUTCFullYear()}`;
}

function mailDate(date: Date): string {
  return `${days[date.getUTCDay()]}, ${two(date.getUTCDate())} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()} ${clock(date)} +0000`;
}
