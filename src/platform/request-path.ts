/** Characters that are equal with and without percent-encoding (RFC 3986, 2.3). */
const unreserved = /^[A-Za-z0-9._~-]$/;
const plainPath = /^(?:\/[A-Za-z0-9_~,:-][A-Za-z0-9._~,:-]*)*$/;

/** Matches the paths of the interface, also below a prefix of the deployment. */
const interfacePath = /\/(?:restapi|team-messaging\/v\d+)\//;

/**
 * Whether a path belongs to the interface of the service. Its segments are words and IDs. A segment of another path, such
 * as that of a chat webhook, can be a credential.
 */
export function isInterfacePath(path: string): boolean {
  return interfacePath.test(path);
}

/**
 * Normalizes a path for sending: removes unneeded percent-encoding, and parts that a URL parser would change, such as
 * `\` or `..`. Decisions about a request use this path or `comparablePath`.
 */
export function normalPath(text: string): string {
  if (plainPath.test(text)) return text;
  const { pathname, search } = new URL(`http://service.invalid${text}`);
  return unescaped(pathname) + search;
}

/**
 * Normalizes a path for deciding what a request does, never for sending. All spellings that a service could treat as
 * equal result in the same text. Percent-encoding of any depth, case, repeated and trailing slashes and `;parameters` are
 * removed.
 */
export function comparablePath(text: string): string {
  if (plainPath.test(text)) return text.toLowerCase();
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

/** Decodes only ASCII characters, because the compared words have no others. */
function decoded(path: string): string {
  return path.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
}
