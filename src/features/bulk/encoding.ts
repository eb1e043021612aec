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
 * @throws {RangeError} for a file that is not text; the message describes the content.
 */
export function decodeText(bytes: Uint8Array, advice = listAdvice): DecodedText {
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { text: decodeWide(bytes, wide, advice), encoding: wide };
  const utf8 = decodeFatal('utf-8', bytes);
  if (utf8 !== undefined) return { text: utf8, encoding: 'UTF-8' };
  const text = decodeWindows(bytes);
  if (!isText(text)) throw new RangeError(`the file is not a text file; ${advice}`);
  return { text: withMark(text), encoding: 'Windows-1252' };
}

/** The characters of the bytes 0x80 to 0x9F. The TextDecoder of Node 20 reads these bytes as control characters. */
const windowsCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

function decodeWindows(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/[\u0080-\u009F]/g, (byte) => windowsCharacters[byte.charCodeAt(0) - 0x80] ?? byte);
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

/**
 * Recognizes UTF-16 by its byte-order mark, or by zero bytes. Separators, digits and line ends of a list are ASCII
 * characters, which have a zero byte in UTF-16, and UTF-8 text has no zero bytes.
 */
function wideEncoding(bytes: Uint8Array): TextEncoding | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'UTF-16 (little endian)';
  if (first === 0xfe && second === 0xff) return 'UTF-16 (big endian)';
  let even = 0;
  let odd = 0;
  const sample = bytes.subarray(0, sampleBytes);
  for (const [index, byte] of sample.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  if (even + odd === 0 || Math.max(even, odd) < sample.length / 10) return undefined;
  if (even === 0) return 'UTF-16 (little endian)';
  return odd === 0 ? 'UTF-16 (big endian)' : undefined;
}
