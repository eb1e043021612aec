/** A literal text, or a placeholder of digits or texts: `0`, `#`, `?`, `@`. */
interface Part {
  readonly text: string;
  readonly isLiteral: boolean;
}
/** A section of a number format, such as the section for negative numbers. */
interface Section {
  readonly parts: readonly Part[];
  /** Whether it has only literal texts, colors and placeholders, so that `shownBy` returns what a sheet shows. */
  readonly isClear: boolean;
}

/**
 * The parts of a number format: literal texts, symbols and colors in brackets, widths, conditions, placeholders, the
 * separator of sections, and other characters, of which a sheet shows most signs unchanged.
 */
const part =
  /"(?<quoted>[^"]*)"?|\\(?<escaped>.)|\[\$(?<symbol>[^\]-]*)[^\]]*\]|(?<hidden>\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]|[_*].)|(?<placeholder>general|[0#?@])|(?<end>;)|(?<sign>[-+():!^&'~{}<>= ]|[^\w\s.,%/?#@[\]])|(?<digit>[1-9])|\[[^\]]*\]|[^;]/giu;

/** Parses a number format into its sections. */
export function sectionsOf(format: string): readonly Section[] {
  const sections: RegExpExecArray[][] = [[]];
  for (const found of format.matchAll(part)) {
    if (found.groups?.['end'] === undefined) sections.at(-1)?.push(found);
    else sections.push([]);
  }
  return sections.map(sectionOf);
}

function sectionOf(found: readonly RegExpExecArray[]): Section {
  // The digits of the denominator of a fraction belong to the value.
  const isFraction = found.some(([text]) => text === '/');
  const parts: Part[] = [];
  let isClear = true;
  for (const { groups = {} } of found) {
    const { quoted, escaped, symbol, sign, digit, placeholder, hidden } = groups;
    const literal = quoted ?? escaped ?? symbol ?? sign ?? (isFraction ? undefined : digit);
    if (literal !== undefined) parts.push({ text: literal, isLiteral: true });
    else if (placeholder !== undefined)
      parts.push({ text: placeholder.length > 1 ? '#' : placeholder, isLiteral: false });
    else if (hidden === undefined) isClear = false;
    if (digit !== undefined) isClear = false;
  }
  return { parts, isClear };
}

/** Returns the section for a value. Texts have a section of their own. */
export function sectionFor(sections: readonly Section[], value: number | string): Section | undefined {
  if (typeof value === 'string')
    return sections.find(({ parts }) => parts.some(({ text, isLiteral }) => !isLiteral && text === '@'));
  if (value < 0) return sections[1] ?? sections[0];
  return value === 0 ? (sections[2] ?? sections[0]) : sections[0];
}

/** What a section adds to the value: digits, or at most a plus sign before it; undefined for neither. */
export function addedBy({ parts }: Section): 'digits' | 'plus' | undefined {
  const first = parts.findIndex(({ isLiteral }) => !isLiteral);
  const last = parts.findLastIndex(({ isLiteral }) => !isLiteral);
  if (first < 0) return undefined;
  const literals = (from: number, to: number): string => literalsOf(parts.slice(from, to));
  // Zeros before the value are not part of a number.
  const before = prefixOf(parts);
  const after = /^[^\p{L}]*/u.exec(literals(last, parts.length))?.[0] ?? '';
  if (/[1-9]/.test(before) || /\d/.test(literals(first, last) + after)) return 'digits';
  return before.includes('+') ? 'plus' : undefined;
}

function literalsOf(parts: readonly Part[]): string {
  return parts.reduce((all, { text, isLiteral }) => all + (isLiteral ? text : ''), '');
}

/** Returns the literal texts before the value, after the last letter: letters separate the digits of a unit from the value. */
function prefixOf(parts: readonly Part[]): string {
  const first = parts.findIndex(({ isLiteral }) => !isLiteral);
  return /[^\p{L}]*$/u.exec(literalsOf(parts.slice(0, first)))?.[0] ?? '';
}

/** Returns the text that a section shows for digits, if it shows zeros before them and adds no others; otherwise undefined. */
export function zeroPaddedBy(section: Section, digits: string): string | undefined {
  if (!section.isClear || addedBy(section) !== undefined) return undefined;
  const placeholders = section.parts.filter(({ isLiteral }) => !isLiteral).map(({ text }) => text);
  const least = placeholders.length - placeholders.indexOf('0');
  const isPadded = placeholders.includes('0') && least > digits.length;
  return isPadded || prefixOf(section.parts).includes('0') ? shownBy(section, digits) : undefined;
}

/** Returns the text that a clear section shows for digits or a text: `+44 20 7946 0000`. */
export function shownBy({ parts }: Section, value: string): string {
  const first = parts.findIndex(({ isLiteral }) => !isLiteral);
  let left = value;
  let shown = '';
  for (const [index, { text, isLiteral }] of [...parts.entries()].toReversed()) {
    if (isLiteral) {
      shown = text + shown;
      continue;
    }
    // The first placeholder shows all digits that are left, and a text is shown as a whole.
    const taken = index === first || text === '@' ? left : left.slice(-1);
    shown = (taken === '' && text === '0' ? '0' : taken) + shown;
    left = left.slice(0, left.length - taken.length);
  }
  return shown;
}

/**
 * Formats a number with a fixed number of decimals. As in a sheet, its first 15 digits are rounded half away from zero,
 * so that 2.675 is 2.68, although the nearest binary fraction is smaller.
 * @param power the power of ten by which the number is multiplied, such as 2 for a percentage
 */
export function fixedText(value: number, decimals: number, power = 0): string {
  const [digits = '', exponent = ''] = Math.abs(value).toExponential(14).split('e');
  const dropped = 14 - Number(exponent) - power - decimals;
  const whole = BigInt(digits.replace('.', ''));
  const rounded =
    dropped > 0
      ? (whole + 5n * 10n ** BigInt(dropped - 1)) / 10n ** BigInt(dropped)
      : whole * 10n ** BigInt(-dropped);
  const text = String(rounded).padStart(decimals + 1, '0');
  const point = text.length - decimals;
  return `${value < 0 ? '-' : ''}${text.slice(0, point)}${decimals > 0 ? '.' : ''}${text.slice(point)}`;
}
