import { isIPv6 } from 'node:net';

const hostAndPort = /^(?:[^/\s@]*@)?(?:[^/\s@:[\]]+|\[[\da-f:.]+\]):\d+\/?$/i;

/** Parses the address of an HTTP proxy; `host:port` is accepted, as in other tools. Undefined for any other text. */
export function readProxy(text: string): URL | undefined {
  const address = hostAndPort.test(text) ? `http://${text}` : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** Returns the host name of a URL without the brackets of an IPv6 address. */
export function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether NO_PROXY lists a host: `*`, `host`, `.domain` or `*.domain`, with or without `:port`; IPv6 with or without brackets. As in curl, a host covers its subdomains. */
export function isExempt(hostname: string, port: string, noProxy: string): boolean {
  const host = bare(hostname.toLowerCase());
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, wantedPort] = isIPv6(entry) ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? []);
      if (wantedPort !== undefined && wantedPort !== (port === '' ? '443' : port)) return false;
      const domain = bare(name.replace(/^\*?\./, ''));
      return host === domain || host.endsWith(`.${domain}`);
    });
}

/** Returns a host name without brackets; IPv6 in its shortest form, as in URLs. */
function bare(name: string): string {
  const address = withoutBrackets(name);
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname : name;
}
