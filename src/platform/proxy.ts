import { isIPv6 } from 'node:net';

const hostAndPort = /^(?:[^/\s@]*@)?(?:[^/\s@:[\]]+|\[[\da-f:.]+\]):\d+\/?$/i;

/** Address of an HTTP proxy; `host:port` is one too, as other tools read these variables. Undefined for anything else. */
export function readProxy(text: string): URL | undefined {
  const address = hostAndPort.test(text) ? `http://${text}` : text;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}

/** `*`, `host`, `.domain`, `*.domain`, each with `:port` or without; IPv6 addresses bare or in brackets. A bare host covers its subdomains, as curl has it. */
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

/** URLs have IPv6 addresses in brackets and in their shortest form. */
function bare(name: string): string {
  const address = name.replace(/^\[(.*)\]$/, '$1');
  return isIPv6(address) ? new URL(`http://[${address}]`).hostname : name;
}
