/**
 * Maximum length of a name in UTF-8 bytes, which leaves room for the suffix of the partial file on every file system.
 */
const mostBytes = 200;
/** Device names on Windows, which are reserved even with an extension. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;
// Characters that are not allowed: separators, characters that Windows forbids, control characters, and
// characters
// that reorder or hide text.
const forbidden = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Converts any text into a file name that is valid on POSIX and Windows. The name is not a device, has no hidden
 * characters, and does not start with a dot or dash. The file stays in its folder. A truncated name retains its
 * extension.
 */
export function safeName(text: string): string {
  const clean = text
    .normalize('NFC')
    .replaceAll(forbidden, '_')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[.\-~\s]+/, '')
    .replace(/[.\s]+$/, '');
  const named = clean === '' ? 'file' : clean;
  const [base = ''] = named.split('.', 1);
  return cut(devices.test(base.trim()) ? `_${named}` : named);
}

/** Converts any text into a file name as `safeName` does, and adds an extension, even if no character of the text is valid. */
export function safeNameWith(stem: string, extension: string): string {
  return cut(`${safeName(stem)}.${extension}`);
}

/** Returns a key that is equal for names that some file system treats as identical. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Returns `name.ext` with `suffix` before the extension, within the length limit. */
export function withSuffix(name: string, suffix: string): string {
  const { base, extension } = split(name);
  return cut(`${base}${suffix}${extension}`, suffix);
}

function split(name: string): { readonly base: string; readonly extension: string } {
  const [, base, extension] = /^(.+?)(\.[A-Za-z0-9]{1,8})$/.exec(name) ?? [];
  return { base: base ?? name, extension: extension ?? '' };
}

function cut(name: string, keep = ''): string {
  if (Buffer.byteLength(name) <= mostBytes) return name;
  const { base, extension } = split(name);
  const tail = keep + extension;
  const room = mostBytes - Buffer.byteLength(tail);
  const stem = keep === '' ? base : base.slice(0, -keep.length);
  let shorter = '';
  let bytes = 0;
  for (const character of stem) {
    bytes += Buffer.byteLength(character);
    if (bytes > room) break;
    shorter += character;
  }
  return shorter.replace(/[.\s]+$/, '') + tail;
}
