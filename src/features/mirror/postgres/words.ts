import type { MessageColumns } from '../record.ts';

/** Words of the full text are letters and digits without diacritics, as in SQLite's tokenizer `unicode61`. */
const word = /[\p{L}\p{N}\p{Co}]+/gu;
/** PostgreSQL stores positions up to this number. */
const lastPosition = 16_383;
/** Bytes of a word in a `tsvector`, at most 2046. */
const longestWord = 500;
/** Characters of a text that are searched. */
const longestText = 400_000;
/** Bytes of a `tsvector`, at most 1 MB, up to which words of the text, the sender and the recipients are added. */
const mostBytes = { A: 700_000, B: 850_000, C: 1_000_000 } as const;
/** Bytes of a word in a `tsvector` besides its letters: alignment and number of positions; and bytes of a position. */
const [wordBytes, placeBytes] = [4, 2];

/** Returns the words of a text, in order. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.slice(0, longestText).normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return (plain.match(word) ?? []).map((one) => one.slice(0, longestWord));
}

/** Returns the mark of a mailbox in the full text. It cannot be a word, because of the colon. */
export function mailboxMark(extensionId: string): string {
  return `m:${extensionId}`;
}

/** Returns the mark of a type, direction or read status, or of an attachment, in the full text. */
export function kindMark(value: string): string {
  return `k:${value.replaceAll(/[^\w-]/g, '_')}`;
}

/** The columns whose words are searched. */
type WordColumns = Pick<
  MessageColumns,
  | 'subject'
  | 'fromNumber'
  | 'fromExtension'
  | 'fromName'
  | 'toNumbers'
  | 'toNames'
  | 'type'
  | 'direction'
  | 'readStatus'
  | 'mediaWanted'
>;

/**
 * Returns the full text of a message as a `tsvector`: the text has weight A, the sender B and the recipients C. The
 * mailbox is part of it (weight D): a search for a frequent word in one mailbox would otherwise read every message with
 * the word.
 */
export function fullText(extensionId: string, record: WordColumns): string {
  const entries = new Map<string, string[]>();
  let position = 0;
  let bytes = 0;
  const add = (text: string, weight: keyof typeof mostBytes): void => {
    // A free position separates the parts, so that no phrase spans two parts.
    position += 1;
    for (const one of wordsOf(text)) {
      if (bytes > mostBytes[weight]) break;
      position += 1;
      const known = entries.get(one);
      const places = known ?? [];
      bytes += (known ? 0 : Buffer.byteLength(one) + wordBytes) + placeBytes;
      // At most 256 positions of a word are stored.
      if (places.length < 256) places.push(`${Math.min(position, lastPosition)}${weight}`);
      entries.set(one, places);
    }
  };
  add(record.subject ?? '', 'A');
  add([record.fromNumber, record.fromExtension, record.fromName].map((one) => one ?? '').join(' '), 'B');
  add(`${record.toNumbers} ${record.toNames}`, 'C');
  const marks = [mailboxMark(extensionId), kindMark(record.type)];
  if (record.direction !== null) marks.push(kindMark(record.direction));
  if (record.readStatus !== null) marks.push(kindMark(record.readStatus));
  if (record.mediaWanted > 0) marks.push(kindMark('attachment'));
  return [
    ...[...entries].map(([one, places]) => `'${one}':${places.join(',')}`),
    ...marks.map((mark) => `'${mark}':1`),
  ].join(' ');
}
