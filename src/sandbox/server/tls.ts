import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Key and certificate of an HTTPS server, and the file of the authority's certificate for clients. */
export interface TlsFiles {
  readonly key: string;
  readonly cert: string;
  readonly caFile: string;
}

const days = 365;

/**
 * Creates a local certificate authority and a certificate for localhost, 127.0.0.1 and ::1, signed by it. The authority's
 * certificate is written to `folder`; its key is not stored. `now` is the machine's time in milliseconds since 1970.
 */
export async function makeCertificates(folder: string, now: number): Promise<TlsFiles> {
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
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  const caFile = join(folder, 'sandbox-ca.pem');
  writeFileSync(caFile, authority.cert);
  return { key: server.private, cert: server.cert, caFile };
}
