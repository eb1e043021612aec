// Characters that can affect a terminal: control and format characters (bidirectional overrides,
// zero-width, tags),
// lone surrogates, line separators, and noncharacters.
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2065\uFDD0-\uFDEF\u{E0000}-\u{E007F}]/gu;
// U+FFFE and U+FFFF do not affect a terminal, but YAML permits them only as escapes.
const unsafeInJson = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u2065\uFFFE\uFFFF\u{E0000}-\u{E007F}]/gu;
/** Scripts whose words contain joiners. */
const joiningScripts =
  'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer';
const anyJoiner = /[\u200C\u200D]/;
// Most text is plain ASCII. This check avoids the patterns above, which take milliseconds to compile.
const plainAscii = /^[ -~]*$/;
const plainLines = /^[\n -~]*$/;

/**
 * Makes untrusted text safe for a terminal: it cannot move the cursor, change colors, or hide or reorder text. Control
 * characters become their Unicode pictures, line breaks `⏎`, tabs `→`, and other characters a code such as `<U+202E>`.
 * Joiners are omitted where people write them (docs/adr/0068-joiners-in-texts.md).
 */
export function safe(text: string): string {
  if (plainAscii.test(text)) return text;
  return withoutJoiners(text).replace(unsafe, visible);
}

/** Like `safe`, but keeps line breaks, for multi-line text of ucctl. */
export function safeLines(text: string): string {
  if (plainLines.test(text)) return text;
  return withoutJoiners(text).replace(unsafe, (character) =>
    character === '\n' ? character : visible(character),
  );
}

/** Like `safe`, but keeps line breaks, tabs and the joiners that `safe` omits, for programs that read the text back. */
export function safeQuoted(text: string): string {
  if (plainAscii.test(text)) return text;
  const shown = (character: string): string =>
    '\n\t\r'.includes(character) ? character : visible(character);
  if (!anyJoiner.test(text)) return text.replace(unsafe, shown);
  return text
    .split(writtenJoiners())
    .map((piece, at) => (at % 2 === 0 ? piece.replace(unsafe, shown) : piece))
    .join('');
}

/** Escapes characters in JSON text that JSON permits but that affect a terminal. The parsed value stays the same. */
export function escapeJson(json: string): string {
  if (plainLines.test(json)) return json;
  return json.replace(unsafeInJson, jsonEscape);
}

/** Like `escapeJson`, for YAML, which has no pairs of escapes for characters above U+FFFF. */
export function escapeYaml(yaml: string): string {
  if (plainLines.test(yaml)) return yaml;
  return yaml.replace(unsafeInJson, (character) =>
    character.length === 1
      ? jsonEscape(character)
      : `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`,
  );
}

/** Whether `text` has characters, other than line breaks, that JSON and YAML escape. */
export function hasUnsafe(text: string): boolean {
  return !plainLines.test(text) && text.search(unsafeInJson) >= 0;
}

/** Omits the joiners that people write. */
function withoutJoiners(text: string): string {
  if (!anyJoiner.test(text)) return text;
  return text.replace(writtenJoiners(), '');
}

/** Matches single joiners between emoji, and after letters of scripts that use them. */
function writtenJoiners(): RegExp {
  const letters = joiningScripts.split(' ').map((script) => String.raw`\p{Script=${script}}`);
  return new RegExp(
    String.raw`((?<=\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic})|` +
      String.raw`(?<=[${letters.join('')}])[\u200C\u200D](?![\u200C\u200D]))`,
    'gu',
  );
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
