import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { createServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { toFailure } from '../../src/cli/to-failure.ts';
import { ConnectionError } from '../../src/client/index.ts';
import { createNetwork } from '../../src/client/network.ts';
import { isExempt, readProxy } from '../../src/platform/proxy.ts';
import { makeCertificate } from '../support/certificate.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { hintText } from '../../src/errors/hint.ts';

/** A service that only the proxy knows by its name, with a certificate of its own making. */
async function serviceBehindProxy(status = 200, tls: TlsOptions = {}) {
  const pair = await makeCertificate('service.test', 'localhost');
  const service = createServer({ ...pair, ...tls }, (request, response) => {
    response.end(`token ${request.headers.authorization}`);
  });
  const proxied: string[] = [];
  const proxy = createProxy().on('connect', (request, client) => {
    proxied.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect((service.address() as AddressInfo).port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  service.listen(0, '127.0.0.1');
  proxy.listen(0, '127.0.0.1');
  await Promise.all([once(service, 'listening'), once(proxy, 'listening')]);
  onTestFinished(() => {
    service.closeAllConnections();
    service.close();
    proxy.close();
  });
  const caFile = join(temporaryFolder(), 'ca.pem');
  writeFileSync(caFile, pair.cert);
  const addressOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { caFile, proxied, proxy: `http://${addressOf(proxy)}`, service: `https://${addressOf(service)}` };
}

const request = {
  method: 'GET',
  url: new URL('https://service.test/x'),
  headers: { authorization: 'Bearer canary' },
  timeoutMilliseconds: 60_000,
} as const;

it('rel:22 a proxy sees the host, and no token', async () => {
  const { caFile, proxied, proxy } = await serviceBehindProxy();
  const network = await createNetwork({ proxy, caFile });
  expect(await (await network.send(request)).text()).toBe('token Bearer canary');
  expect(proxied).toEqual([expect.stringContaining('CONNECT service.test:443')]);
  expect(proxied.join()).not.toContain('canary');
  await network.close();
});

it.each([
  ['user:secret', 'user:secret'],
  ['user', 'user:'],
  [':secret', ':secret'],
  ['us%65r:p%C3%A4ss%3A', 'user:p\u00E4ss:'],
  ['us%er:50%', 'us%er:50%'],
])('the proxy receives the user name and the password of %s', async (user, sent) => {
  const { caFile, proxied, proxy } = await serviceBehindProxy();
  const network = await createNetwork({ proxy: proxy.replace('//', `//${user}@`), caFile });
  await (await network.send(request)).text();
  expect(proxied.join()).toContain(`"proxy-authorization":"Basic ${Buffer.from(sent).toString('base64')}"`);
  await network.close();
});

it('a certificate of an unknown authority is rejected without --ca-file', async () => {
  const { proxy } = await serviceBehindProxy();
  const network = await createNetwork({ proxy });
  await expect(network.send(request)).rejects.toMatchObject({ isCertificateFault: true, reached: 'no' });
  await network.close();
});

it('--ca-file excludes NODE_EXTRA_CA_CERTS, which Node reads only into its own list', async () => {
  const { caFile: extraCaFile, proxy } = await serviceBehindProxy();
  const other = join(temporaryFolder(), 'other.pem');
  writeFileSync(other, (await makeCertificate('other.test')).cert);
  const network = await createNetwork({ proxy, caFile: other, extraCaFile });
  expect(await (await network.send(request)).text()).toBe('token Bearer canary');
  await network.close();
  // Node warns of one that cannot be read, and goes on.
  const without = await createNetwork({ proxy, caFile: extraCaFile, extraCaFile: `${other}.gone` });
  expect((await without.send(request)).status).toBe(200);
  await without.close();
});

it('the certificate of a proxy is not reported as that of the service', async () => {
  const { caFile: trusted, service: proxy } = await serviceBehindProxy();
  for (const [code, caFile] of [
    ['DEPTH_ZERO_SELF_SIGNED_CERT', undefined],
    // The certificate is for another host name than that of the proxy.
    ['ERR_TLS_CERT_ALTNAME_INVALID', trusted],
  ] as const) {
    const network = await createNetwork({ proxy, caFile });
    await expect(network.send(request)).rejects.toMatchObject({
      message: `no reply from the proxy ${proxy} (${code})`,
      reached: 'no',
      proxy,
      isCertificateFault: true,
    });
    await network.close();
  }
});

it('a proxy that rejects the request is named', async () => {
  const { proxy } = await serviceBehindProxy(407);
  const network = await createNetwork({ proxy });
  await expect(network.send(request)).rejects.toMatchObject({ code: 'PROXY_407', reached: 'no' });
  await network.close();
});

it.each([
  ['service.test', '', '*', true],
  ['service.test', '', 'service.test', true],
  ['a.service.test', '', '.service.test', true],
  ['a.service.test', '', 'service.test', true],
  ['aservice.test', '', 'service.test', false],
  ['service.test', '', 'other, service.test:443', true],
  ['service.test', '8443', 'service.test:443', false],
  ['service.test', '', '', false],
  ['[2001:db8::5]', '', '2001:db8::5', true],
  ['[2001:db8::5]', '', '[2001:0db8:0::5]:443', true],
  ['[2001:db8::5]', '8443', '[2001:db8::5]:443', false],
  ['[2001:db8::5]', '', '2001:db8::6', false],
])('%s:%s under NO_PROXY=%j', (host, port, noProxy, exempt) => {
  expect(isExempt(host, port, noProxy)).toBe(exempt);
});

it.each([
  ['proxy.test:3128', 'http://proxy.test:3128/'],
  ['localhost:3128/', 'http://localhost:3128/'],
  ['user:pass@proxy.test:3128', 'http://user:pass@proxy.test:3128/'],
  ['[::1]:3128', 'http://[::1]:3128/'],
  ['https://proxy.test', 'https://proxy.test/'],
  ['proxy.test', undefined],
  ['socks5://proxy.test:1080', undefined],
  ['ftp:21x', undefined],
])('the proxy %s is %s', (text, href) => {
  expect(readProxy(text)?.href).toBe(href);
});

it('bad settings are named without their secrets', async () => {
  await expect(createNetwork({ proxy: 'secret' })).rejects.toThrow(/^the proxy is not a valid http/);
  await expect(createNetwork({ caFile: '/nonexistent/ca.pem' })).rejects.toThrow(
    'cannot read the certificate',
  );
  const cut = join(temporaryFolder(), 'cut.pem');
  writeFileSync(cut, '-----BEGIN CERTIFICATE-----\nMIIcut\n-----END CERTIFICATE-----\n');
  await expect(createNetwork({ caFile: cut })).rejects.toThrow(/invalid certificate in .*cut\.pem$/);
});

it.each(['directly', 'through a proxy'])(
  'a server that requires a client certificate is named, and no outcome is unknown: %s',
  async (way) => {
    const { caFile, proxy, service } = await serviceBehindProxy(200, { requestCert: true });
    const network = await createNetwork({ caFile, ...(way === 'through a proxy' && { proxy }) });
    const url = new URL(way === 'directly' ? `${service.replace('127.0.0.1', 'localhost')}/x` : request.url);
    const error: unknown = await network.send({ ...request, url }).catch((one: unknown) => one);
    const text = 'the server requires a client certificate, which ucctl does not support';
    expect(toFailure(error)).toMatchObject({
      message: `cannot connect to ${url.origin}: ${text} (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED)`,
      retryable: false,
    });
    await network.close();
  },
);

it('a proxy that does not answer is named, without its password', async () => {
  const gone = await freePort();
  const network = await createNetwork({ proxy: `http://user:secret@127.0.0.1:${gone}` });
  const error: unknown = await network.send(request).catch((one: unknown) => one);
  const { message, hint } = toFailure(error);
  expect(message).toBe(
    `cannot connect to the proxy http://127.0.0.1:${gone}: connection refused (ECONNREFUSED)`,
  );
  expect(hintText(hint ?? '')).toContain('check the proxy');
  await network.close();
});

it.each<[string, 'no' | 'unknown', string]>([
  ['ECONNREFUSED', 'no', 'cannot connect to https://service.test: connection refused (ECONNREFUSED)'],
  [
    'TIMEOUT',
    'unknown',
    'no complete reply received from https://service.test: timeout; use --timeout to wait longer (TIMEOUT)',
  ],
  [
    'ECONNRESET',
    'unknown',
    'no complete reply received from https://service.test: the connection was closed (ECONNRESET)',
  ],
  [
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'no',
    'cannot connect to https://service.test: the TLS handshake failed (ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE)',
  ],
  [
    'WEBSOCKET',
    'no',
    'cannot connect to https://service.test: the reply to the WebSocket handshake is not valid (WEBSOCKET)',
  ],
  [
    'HTTPParserError',
    'unknown',
    'no complete reply received from https://service.test: the reply is not valid HTTP (HTTPParserError)',
  ],
])('%s (request sent: %s): the message says whether there was a connection', (code, reached, message) => {
  expect(toFailure(new ConnectionError(code, reached, 'https://service.test', undefined)).message).toBe(
    message,
  );
});

it.each([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'check the proxy http://proxy.test, the base URL and the network'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'if the proxy http://proxy.test inspects TLS, trust its certificate authority',
  ],
])('the hint for %s behind a proxy names the proxy', (code, hint) => {
  const via = 'http://proxy.test';
  const failure = toFailure(new ConnectionError(code, 'no', 'https://service.test', undefined, { via }));
  expect(hintText(failure.hint ?? '')).toContain(hint);
});

it.each([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'host name'],
  ['CERT_HAS_EXPIRED', 'clock'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', '--ca-file'],
])('the hint for %s is what helps', (code, hint) => {
  const failure = toFailure(new ConnectionError(code, 'no', 'https://service.test', undefined));
  const shown = hintText(failure.hint ?? '');
  expect(shown).toContain(hint);
  expect(shown.includes('--ca-file')).toBe(hint === '--ca-file');
});
