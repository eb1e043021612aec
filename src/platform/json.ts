// A string literal, or an integer long enough to lose digits as a double (BASE-18: ids exceed 2^53); no digits of a fraction or an exponent.
const stringOrLongInteger = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/** Where such an integer can be: after what separates values. Ids in strings, which are common, are not. */
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
 * As `parseJson`; such an integer becomes a bigint, so that `stringifyJson` writes what was read.
 * @throws {SyntaxError} when the text is not JSON.
 */
export function parseJsonExactly(text: string): unknown {
  const exact = text.replace(stringOrLongInteger, (token) =>
    token.startsWith('"') || Number.isSafeInteger(Number(token)) ? token : `"${mark}${token}"`,
  );
  return JSON.parse(exact, (_, value: unknown) => {
    const [, digits] = (typeof value === 'string' && markedText.exec(value)) || [];
    return digits === undefined ? value : BigInt(digits);
  });
}

// A private-use mark around digits: cannot come from JSON.stringify of anything but `markBigInts`.
const mark = '\u{10FFFD}int:';
const markedText = new RegExp(`^${mark}(-?\\d+)$`, 'u');
const markedInteger = new RegExp(`"${mark}(-?\\d+)"`, 'gu');

/** As JSON.stringify; a bigint becomes a bare integer with all its digits. */
export function stringifyJson(value: unknown, indent?: number): string {
  let marked = false;
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => {
      if (typeof item !== 'bigint') return item;
      marked = true;
      return mark + item.toString();
    },
    indent,
  );
  return marked ? text.replace(markedInteger, '$1') : text;
}

/** Whether a value is an object of JSON: no list, not null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
