import { writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { isEveryAddress } from './every-address.ts';

/** Key and certificate of an HTTPS server, and the file of the authority's certificate for clients. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  readonly caFile: string;
}

const days = 365;

/**
 * Creates a local certificate authority and a certificate for `host`, the host of `publicUrl` and this machine's loopback
 * names, signed by it. The authority's certificate is written to `folder`; its key is not stored. `now` is the machine's
 * time in milliseconds since 1970.
 */
export async function makeCertificates(
  folder: string,
  now: number,
  host = 'localhost',
  publicUrl?: string,
): Promise<TlsFiles> {
  const { generate } = await import('selfsigned');
  const notAfterDate = new Date(now + days * 86_400_000);
  const common = { keyType: 'ec', algorithm: 'sha256', notAfterDate } as const;
  const authority = await generate([{ name: 'commonName', value: 'ucctl sandbox authority' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: namesOf(host, publicUrl).map((name) =>
          isIP(name) === 0 ? { type: 2, value: name } : { type: 7, ip: name },
        ),
      },
    ],
  });
  const caFile = join(folder, 'sandbox-ca.pem');
  writeFileSync(caFile, authority.cert);
  return { key: server.private, cert: server.cert, caFile };
}

/** Returns the names by which clients can reach a server that listens on `host` and has the address `publicUrl`. */
function namesOf(host: string, publicUrl: string | undefined): readonly string[] {
  const addresses = isEveryAddress(host)
    ? Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
    : [host];
  // The host name of a URL has an IPv6 address in brackets.
  const named = publicUrl === undefined ? [] : [new URL(publicUrl).hostname.replaceAll(/[[\]]/g, '')];
  return [...new Set(['localhost', '127.0.0.1', '::1', ...addresses, ...named])];
}
