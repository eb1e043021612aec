/** UTF-8 bytes of a name: room for the part file's additions on every file system. */
const mostBytes = 200;
/** Names that are devices on Windows, with any extension too. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i;
// Separators, what Windows forbids, controls, and what reorders or hides text.
const forbidden = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * A file name out of any text: one that POSIX and Windows both take, that is no device, hides nothing, starts with neither a dot nor a dash, and
 * cannot lead out of its folder. The extension survives cutting.
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

/** Two names that some file system takes for one. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** `name.ext` with `suffix` before the extension, still inside the limit. */
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
