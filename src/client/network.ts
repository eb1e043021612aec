import { readFile } from 'node:fs/promises';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { isLoopback } from '../platform/base-url.ts';
import { createUndiciHttp, type ProxyRoute, type UndiciHttp } from './undici-http.ts';

/** A network that is not plain: through a proxy, or with certificate authorities of its own. */
export interface NetworkOptions {
  /** Address of an HTTP proxy, with user name and password where it wants them. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached directly, as NO_PROXY has them. */
  readonly noProxy?: string | undefined;
  /** File of certificate authorities beside those of the system, PEM. */
  readonly caFile?: string | undefined;
}

/**
 * HTTP for such a network. This machine is always reached directly.
 * @throws {RangeError} with a sentence for the user, for a proxy that is no address or a file that holds no certificate.
 */
export async function createNetwork(options: NetworkOptions): Promise<UndiciHttp> {
  const ca = options.caFile === undefined ? undefined : await readAuthorities(options.caFile);
  const proxy =
    options.proxy === undefined ? undefined : routeThrough(options.proxy, options.noProxy ?? '', ca);
  return createUndiciHttp({ ca, proxy });
}

function routeThrough(address: string, noProxy: string, ca: readonly string[] | undefined): ProxyRoute {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    // The address may hold a password: it is not repeated.
    throw new RangeError('the proxy is no http:// or https:// address');
  }
  const tls = ca ? { ca: [...ca] } : {};
  return {
    origin: url.origin,
    isFor: ({ hostname, port }) => !isLoopback(hostname) && !isExempt(hostname, port, noProxy),
    agent: (options) =>
      new ProxyAgent({
        ...options,
        uri: url.href,
        requestTls: tls,
        proxyTls: tls,
        // Whole undici gives every dispatcher this method; of the parts that we load only the proxy's own pool needs it.
        clientFactory: (origin, more) => Object.assign(new Pool(origin, more), { connect }),
      }),
  };
}

/** `*`, `host`, `.domain`, `*.domain`, each with `:port` or without. A bare host covers its subdomains, as curl has it. */
export function isExempt(hostname: string, port: string, noProxy: string): boolean {
  const host = hostname.toLowerCase();
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (wantedPort !== undefined && wantedPort !== (port === '' ? '443' : port)) return false;
      const domain = name.replace(/^\*?\./, '');
      return host === domain || host.endsWith(`.${domain}`);
    });
}

async function readAuthorities(file: string): Promise<readonly string[]> {
  const { rootCertificates } = await import('node:tls');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new RangeError(`cannot read the certificate authorities in ${file}`, { cause: error });
  });
  const found = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  if (!found) throw new RangeError(`${file} holds no certificate (PEM)`);
  return [...rootCertificates, ...found];
}
