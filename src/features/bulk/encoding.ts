/** The encodings of lists and texts that are recognized. */
export type TextEncoding = 'UTF-8' | 'UTF-16 (little endian)' | 'UTF-16 (big endian)' | 'Windows-1252';

/** A decoded list or text. */
export interface DecodedText {
  /** The text. It begins with a byte-order mark if the file has one, or if its encoding is not UTF-8. */
  readonly text: string;
  readonly encoding: TextEncoding;
}

/** Number of bytes at the beginning of a file that decide whether it is UTF-16. */
const sampleBytes = 4096;

/** What to do with a list that is not text. */
const listAdvice = 'save the list as .xlsx or as CSV';

/**
 * Decodes a list or a text. Text that is neither UTF-8 nor UTF-16 is read as Windows-1252, the 8-bit encoding of
 * spreadsheets. The text then begins with a byte-order mark, so that a results file, which is UTF-8, is recognized by a spreadsheet.
 * @param advice what to do with a file that is not text
 * @throws {RangeError} for a file that is not text or has two encodings; the message describes the content.
 */
export function decodeText(bytes: Uint8Array, advice = listAdvice): DecodedText {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: decodeWide(bytes, wide, advice), encoding: wide };
  const utf8 = decodeFatal('utf-8', bytes);
  if (utf8 !== undefined) return { text: utf8, encoding: 'UTF-8' };
  const text = decodeWindows(bytes);
  if (!isText(text)) throw new RangeError(`the file is not a text file; ${advice}`);
  requireOneEncoding(Buffer.from(bytes).toString('latin1'));
  return { text: withMark(text), encoding: 'Windows-1252' };
}

/** Returns the note about the encoding of a file; undefined for UTF-8. @param doubt when a guessed encoding is wrong */
export function encodingNote(name: string, encoding: TextEncoding, doubt: string): string | undefined {
  if (encoding === 'UTF-8') return undefined;
  const advice = encoding === 'Windows-1252' ? `; ${doubt}, save the file as UTF-8` : '';
  return `ucctl reads ${name} as ${encoding}${advice}.`;
}

/** The characters of the bytes 0x80 to 0x9F. The TextDecoder of Node 20 reads these bytes as control characters. */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

function decodeWindows(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009F]/g, (byte) => windowsCharacters[byte.charCodeAt(0) - 0x80] ?? byte);
}

/** A character of UTF-8 that is not ASCII. Here and below, a byte is a character of Latin-1. */
const utf8Character = /[\xC2-\xDF][\x80-\xBF]|[\xE0-\xEF][\x80-\xBF]{2}|[\xF0-\xF4][\x80-\xBF]{3}/g;

/**
 * Bytes that are plausible only as UTF-8. As Windows-1252, they are a letter that is followed by a sign. After a capital
 * letter, punctuation, spaces, trademark signs and raised digits are plausible in Windows-1252.
 */
const surelyUtf8 = new RegExp(
  [
    // A byte-order mark.
    /^\xEF\xBB\xBF/,
    // An accented letter; in Windows-1252, a word would begin with Ã, or Ã would follow a small letter.
    /(?<![A-Z\xC0-\xDE])\xC3[\x80-\xBF]/,
    // A European letter; in Windows-1252, a capital letter would follow a small letter.
    /(?<=[a-z])[\xC4\xC5\xCE-\xD1][\x80-\xBF]/,
    // A European letter; in Windows-1252, a sign would follow that is not plausible.
    /[\xC3-\xC5\xCE-\xD1](?![\x82\x84-\x87\x8B\x91-\x97\x99\x9B\xA0\xA9\xAB\xAE\xB2-\xB4\xB9\xBB])[\x80-\xBF]/,
    // A quotation mark, a dash or €; in Windows-1252, â€ or â‚¬.
    /\xE2(?:\x80[\x80-\xBF]|\x82\xAC)/,
    // Two Asian letters.
    /(?:[\xE3-\xED][\x80-\xBF]{2}){2}/,
    // An emoji; in Windows-1252, ðŸ.
    /\xF0\x9F[\x80-\xBF]{2}/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/**
 * Rejects a file whose parts have different encodings, such as two exports in one file: as Windows-1252, its UTF-8 text would
 * be garbled.
 * @throws {RangeError}
 */
function requireOneEncoding(raw: string): void {
  const utf8 = raw.search(surelyUtf8);
  if (utf8 < 0) return;
  const other = raw.replaceAll(utf8Character, (bytes) => '_'.repeat(bytes.length)).search(/[\x80-\xFF]/);
  if (other < 0) return;
  throw new RangeError(
    `the file has two encodings: UTF-8 in line ${lineAt(raw, utf8)}, and another encoding in line ${lineAt(raw, other)}; convert all lines to UTF-8`,
  );
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split(/\r\n?|\n/).length;
}

function decodeWide(bytes: Uint8Array, encoding: TextEncoding, advice: string): string {
  const label = encoding === 'UTF-16 (big endian)' ? 'utf-16be' : 'utf-16le';
  const text = decodeFatal(label, bytes);
  if (text === undefined || !isText(text)) {
    throw new RangeError(`the file is not valid ${encoding} text; ${advice}`);
  }
  return withMark(text);
}

function decodeFatal(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function withMark(text: string): string {
  return text.startsWith('\uFEFF') ? text : `\uFEFF${text}`;
}

/**
 * Whether a text has no control characters except white space, and the characters that Windows-1252 leaves undefined.
 */
function isText(text: string): boolean {
  return !/[^\P{Cc}\s\u0080-\u009F]/u.test(text);
}

/** Recognizes UTF-16 by its byte-order mark, or by its ASCII characters. */
function wideEncoding(bytes: Uint8Array): TextEncoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16 (little endian)';
  if (first === 0xfe && second === 0xff) return 'UTF-16 (big endian)';
  return unmarkedWideEncoding(bytes.subarray(0, sampleBytes));
}

/**
 * Recognizes UTF-16 by its ASCII characters, which have a zero byte: separators, digits and line ends of a list. In the
 * wrong byte order, few characters look like ASCII. UTF-8 text has no zero bytes.
 */
function unmarkedWideEncoding(sample: Uint8Array): TextEncoding | undefined {
  let little = 0;
  let big = 0;
  for (let at = 0; at + 1 < sample.length; at += 2) {
    const [one = 0, other = 0] = sample.subarray(at, at + 2);
    if (one === 0 && other === 0) return undefined;
    if (other === 0 && one < 0x80) little += 1;
    if (one === 0 && other < 0x80) big += 1;
  }
  if (little === big || Math.max(little, big) < sample.length / 10) return undefined;
  return little > big ? 'UTF-16 (little endian)' : 'UTF-16 (big endian)';
}
