import { maskUserInfo } from './user-info.ts';

/**
 * Parses the base URL of the service: https (BASE-10), or http for this machine, where the sandbox runs. Unusual
 * spellings of loopback addresses, such as `0x7f.1`, are rejected.
 * @throws {RangeError} with a message for the user.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    const meant = withScheme(text);
    const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
    throw new RangeError(`"${maskUserInfo(text)}" is not a valid https:// address${hint}`);
  }
  if (url.username || url.password)
    throw new RangeError('the base URL must not contain a user name or password');
  if (url.search || url.hash) throw new RangeError('the base URL must not contain a query or a fragment');
  if (url.protocol === 'http:' && !isPlainLoopback(text)) {
    throw new RangeError(
      `"${text}" uses http://, which ucctl allows only for this machine (127.0.0.1, [::1], localhost)`,
    );
  }
  const [apiPath] = /\/restapi(\/v1\.0)?\/*$/.exec(url.pathname) ?? [];
  if (apiPath !== undefined) {
    const base = url.href.slice(0, -apiPath.length);
    throw new RangeError(`"${text}" must not contain the path ${apiPath}, which ucctl adds; use ${base}`);
  }
  return url;
}

/** Returns the address that a host without a scheme means: `https://service.example` for `service.example`. */
function withScheme(text: string): string | undefined {
  if (!/^([a-z0-9-]+(\.[a-z0-9-]+)+|localhost)(:\d+)?\/?$/i.test(text)) return undefined;
  return isPlainLoopback(`http://${text}`) ? `http://${text}` : `https://${text}`;
}

function isPlainLoopback(text: string): boolean {
  return /^http:\/\/(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)(:\d+)?(\/|$)/i.test(text);
}

/** Whether a host name, with or without brackets, is a loopback address. Plain http is allowed only there. */
export function isLoopback(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|::1|localhost)$/i.test(hostname);
}

/** Whether a text is the http or https address of a server without path, query and user. A trailing slash is allowed. */
export function isServerAddress(text: string): boolean {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

/**
 * Whether ucctl accepts the address of a server as a base URL, and requests content from it: https, or plain http on this
 * machine.
 */
export function isSafeAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Returns the problem of a content address that `isSafeAddress` rejects, without its path, which can contain a secret. */
export function unsafeContentProblem({ origin }: URL): string {
  return `ucctl requests content only over https, or over http from this machine, and not from ${origin}`;
}

/**
 * Returns a base URL normalized for comparison: spellings of loopback names, default ports and trailing slashes do not
 * matter.
 */
export function canonicalBaseUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (isLoopback(url.hostname)) url.hostname = '127.0.0.1';
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
