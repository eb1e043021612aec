/** Letters, digits and marks that mean the same with and without an escape (RFC 3986, 2.3). */
const unreserved = /^[A-Za-z0-9._~-]$/;
const plainPath = /^(?:\/[A-Za-z0-9_~,:-][A-Za-z0-9._~,:-]*)*$/;

/**
 * A path as it goes out: what needs no escape has none, and nothing is left that an address would turn into something else, such as `\` or `..`.
 * Whatever looks at a path to decide about a request looks at this one or at `comparablePath`.
 */
export function normalPath(text: string): string {
  if (plainPath.test(text)) return text;
  const { pathname, search } = new URL(`http://service.invalid${text}`);
  return unescaped(pathname) + search;
}

/**
 * A path for telling what a request does, never for sending: every spelling that a service could take for the same one gives the same text. Escapes
 * of any depth, case, doubled and final slashes and `;parameters` are gone.
 */
export function comparablePath(text: string): string {
  let path = text;
  for (let before = ''; path !== before;) {
    before = path;
    path = decoded(path);
  }
  return path
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(/;[^/]*/g, '')
    .replaceAll(/\s+/g, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '');
}

function unescaped(path: string): string {
  return path.replaceAll(/%[0-9a-f]{2}/gi, (escape) => {
    const letter = String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
    return unreserved.test(letter) ? letter : escape.toUpperCase();
  });
}

/** Bytes that are no ASCII stay as they are: no guarded word has them. */
function decoded(path: string): string {
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
