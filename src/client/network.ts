import { readFile } from 'node:fs/promises';
import type * as Tls from 'node:tls';
import connect from 'undici/lib/api/api-connect.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';
import { isLoopback } from '../platform/base-url.ts';
import { isExempt, readProxy } from '../platform/proxy.ts';
import { createUndiciHttp, type ProxyRoute, type UndiciHttp } from './undici-http.ts';

/** A network that is not plain: through a proxy, or with certificate authorities of its own. */
export interface NetworkOptions {
  /** Address of an HTTP proxy, with user name and password where it wants them. */
  readonly proxy?: string | undefined;
  /** Hosts that are reached directly, as NO_PROXY has them. */
  readonly noProxy?: string | undefined;
  /** File of certificate authorities beside those of the system, PEM. */
  readonly caFile?: string | undefined;
  /** The file of NODE_EXTRA_CA_CERTS: authorities of `caFile` stand in place of what Node has by itself, and that with it. */
  readonly extraCaFile?: string | undefined;
}

const certificate = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** Node 22.15 and later tell all that they trust, also by `--use-system-ca`; a certificate that comes twice is trusted once. */
type TlsModule = typeof Tls & { getCACertificates?: (kind: 'default') => readonly string[] };

/** A setting that makes every request impossible, in a sentence for the user. */
export class NetworkSettingError extends RangeError {
  override readonly name = 'NetworkSettingError';
  readonly setting: 'proxy' | 'caFile';

  constructor(setting: 'proxy' | 'caFile', message: string, cause?: unknown) {
    super(message, { cause });
    this.setting = setting;
  }
}

/**
 * HTTP for such a network. This machine is always reached directly.
 * @throws {NetworkSettingError} for a proxy that is no address or a file that holds no certificate.
 */
export async function createNetwork(options: NetworkOptions): Promise<UndiciHttp> {
  const ca =
    options.caFile === undefined ? undefined : await readAuthorities(options.caFile, options.extraCaFile);
  const proxy =
    options.proxy === undefined ? undefined : routeThrough(options.proxy, options.noProxy ?? '', ca);
  return createUndiciHttp({ ca, proxy });
}

function routeThrough(address: string, noProxy: string, ca: readonly string[] | undefined): ProxyRoute {
  const url = readProxy(address);
  // The address may hold a password: it is not repeated.
  if (!url) throw new NetworkSettingError('proxy', 'the proxy is no http:// or https:// address');
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

async function readAuthorities(file: string, extraFile: string | undefined): Promise<readonly string[]> {
  const tls: TlsModule = await import('node:tls');
  const own = [
    ...(tls.getCACertificates?.('default') ?? tls.rootCertificates),
    ...(await readExtra(extraFile)),
  ];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new NetworkSettingError('caFile', `cannot read the certificate authorities in ${file}`, error);
  });
  const found = text.match(certificate);
  if (!found) throw new NetworkSettingError('caFile', `${file} holds no certificate (PEM)`);
  await requireSound(found, file);
  return [...own, ...found];
}

/** TLS passes over what it cannot read, and would then say only that nobody trusted has signed. */
async function requireSound(certificates: readonly string[], file: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  try {
    for (const text of certificates) void new X509Certificate(text);
  } catch (error) {
    throw new NetworkSettingError('caFile', `${file} holds a certificate that is damaged`, error);
  }
}

/** One that cannot be read is no error of ours: Node has said so at the start. */
async function readExtra(file: string | undefined): Promise<readonly string[]> {
  const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  return text.match(certificate) ?? [];
}
