// Control, format (bidirectional overrides, zero-width, tags), lone surrogates, line separators, and noncharacters.
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2065\uFDD0-\uFDEF\u{E0000}-\u{E007F}]/gu;
const unsafeInJson = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2065\u{E0000}-\u{E007F}]/gu;
// Most text is plain; the patterns above cost milliseconds to compile and are left alone then.
const plainAscii = /^[ -~]*$/;
const plainLines = /^[\n -~]*$/;

/**
 * Makes text from anywhere harmless for a terminal: nothing in it moves the cursor, changes colours, hides or reorders text.
 * Control characters become their pictures, `⏎` and `→` stand for line breaks and tabs, the rest reads `<U+202E>`.
 */
export function safe(text: string): string {
  if (plainAscii.test(text)) return text;
  return text.replace(unsafe, visible);
}

/** As `safe`, keeping line breaks: for text of several lines that is ours. */
export function safeLines(text: string): string {
  if (plainLines.test(text)) return text;
  return text.replace(unsafe, (character) => (character === '\n' ? character : visible(character)));
}

/** As `safe`, keeping line breaks and tabs: for cells of a format that quotes them. */
export function safeQuoted(text: string): string {
  if (plainAscii.test(text)) return text;
  return text.replace(unsafe, (character) => ('\n\t\r'.includes(character) ? character : visible(character)));
}

/** Escapes, in JSON text, what JSON lets through and a terminal acts on. The parsed value stays the same. */
export function escapeJson(json: string): string {
  if (plainLines.test(json)) return json;
  return json.replace(unsafeInJson, jsonEscape);
}

/** Whether a terminal might act on something in `text` that is not a line break. */
export function hasUnsafe(text: string): boolean {
  return !plainLines.test(text) && text.search(unsafeInJson) >= 0;
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n') return '⏎';
  if (character === '\t') return '→';
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '␡';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

function jsonEscape(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
