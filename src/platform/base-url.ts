/**
 * Reads a base address of the service. Access is over HTTPS only (BASE-10); plain HTTP is accepted to this machine, where
 * the sandbox is. The host must be written plainly: `0x7f.1` and the like are refused although a browser would read them as loopback.
 * @throws {RangeError} with a sentence for the user.
 */
export function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new RangeError(`"${text}" is not an https:// address`);
  }
  if (url.username || url.password)
    throw new RangeError('the base URL must not contain a user name or password');
  if (url.search || url.hash) throw new RangeError('the base URL must not contain a query or a fragment');
  if (url.protocol === 'http:' && !isPlainLoopback(text)) {
    throw new RangeError(
      `"${text}" is plain http; only addresses of this machine may be (127.0.0.1, [::1], localhost)`,
    );
  }
  return url;
}

function isPlainLoopback(text: string): boolean {
  return /^http:\/\/(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\]|localhost)(:\d+)?(\/|$)/i.test(text);
}

/** Whether a host name, with or without the brackets of a URL, means this machine. Plain http is for this machine only. */
export function isLoopback(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|::1|localhost)$/i.test(hostname);
}

/** One spelling for every spelling of the same service: host names of this machine, default ports and slashes at the end do not matter. */
export function canonicalBaseUrl(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  if (isLoopback(url.hostname)) url.hostname = '127.0.0.1';
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}
