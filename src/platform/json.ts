// Matches a string literal, or an integer that is long enough to lose digits as a double (BASE-18: IDs
// exceed 2^53).
// Does not match the digits of a fraction or an exponent. A string without an end takes the rest of the text, because a
// search that starts again at each quotation mark would take hours for 1 MB.
const stringOrLongInteger = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Matches an integer of at least 16 digits at the start of a text or after a separator. Texts without a match skip
 * the slower replacement of long integers.
 */
const longIntegerAhead = /(?:^|[\s:,[])-?\d{16}/;

/**
 * Parses JSON without losing digits: an integer that a double cannot hold becomes a string of its digits.
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseJson(text: string): unknown {
  if (!longIntegerAhead.test(text)) return JSON.parse(text);
  const exact = text.replace(stringOrLongInteger, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${token}"`,
  );
  return JSON.parse(exact);
}

/**
 * Like `parseJson`, but an integer that a double cannot hold becomes a bigint, which `stringifyJson` writes with all
 * its digits.
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseJsonExactly(text: string): unknown {
  if (!longIntegerAhead.test(text)) return JSON.parse(text);
  const { mark, whole } = unusedMark(text);
  const exact = text.replace(stringOrLongInteger, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`,
  );
  return JSON.parse(exact, (_, value: unknown) => {
    const [, digits] = (typeof value === 'string' && whole.exec(value)) || [];
    return digits === undefined ? value : BigInt(digits);
  });
}

/** A text that marks digits as an integer. It begins with a private-use character. */
interface Mark {
  readonly mark: string;
  /** Matches a text that consists of the mark and digits. */
  readonly whole: RegExp;
}

function markOf(number: string): Mark {
  const mark = `\u{10FFFD}${number}int:`;
  return { mark, whole: new RegExp(`^${mark}(-?\\d+)$`, 'u') };
}

const firstMark = markOf('');

/** Returns a mark that no text of the JSON text has, also not with escapes. */
function unusedMark(json: string): Mark {
  if (!/\u{10FFFD}|\\udffd/iu.test(json)) return firstMark;
  const plain = json.replaceAll(/\\u([\da-f]{4})/gi, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
  const used = new Set(Array.from(plain.matchAll(/\u{10FFFD}(\d*)int:/gu), ([, number]) => number));
  let number = 0;
  while (used.has(String(number))) number += 1;
  return markOf(String(number));
}

/** Like JSON.stringify, but writes a bigint as an integer with all its digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  try {
    // This check is several times as fast as a function call for each member.
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return stringifyBigInts(value, indent);
  }
}

/** JSON.stringify throws a TypeError for a bigint, and for a value that contains itself. */
function stringifyBigInts(value: unknown, indent: number | undefined, { mark } = firstMark): string {
  let marked = 0;
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (typeof item !== 'bigint') return item;
      marked += 1;
      return mark + item.toString();
    },
    indent,
  );
  // Without another text that has the mark, each mark is that of an integer.
  if (text.split(mark).length - 1 > marked) return stringifyBigInts(value, indent, unusedMark(text));
  return text.replaceAll(new RegExp(`"${mark}(-?\\d+)"`, 'gu'), '$1');
}

/** Whether a value is a JSON object, not a list or null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
