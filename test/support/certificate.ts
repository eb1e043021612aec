import { isIP } from 'node:net';
import { generate } from 'selfsigned';

/** A private key and its certificate, as PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/**
 * Makes a certificate for host names and addresses that is its own authority. Its key is on an elliptic curve: to make an
 * RSA key takes a hundred times the processor time.
 */
export async function makeCertificate(first: string, ...more: readonly string[]): Promise<Certificate> {
  const altNames = [first, ...more].map((name) =>
    isIP(name) === 0 ? ({ type: 2, value: name } as const) : ({ type: 7, ip: name } as const),
  );
  const pair = await generate([{ name: 'commonName', value: first }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames }],
  });
  return { key: pair.private, cert: pair.cert };
}
