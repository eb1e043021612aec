import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { checkOrigin } from '../../../src/sandbox/control/guard.ts';

/** A request over a connection to an address and port that tests cannot listen on. */
function check(
  origin: string,
  localPort: number,
  host = new URL(origin).host,
  [remoteAddress, localAddress]: readonly string[] = ['127.0.0.1', '127.0.0.1'],
): void {
  const socket = {
    remoteAddress,
    localAddress,
    localPort,
    ...(origin.startsWith('https:') && { encrypted: true }),
  };
  const incoming = { headers: { host }, socket } as unknown as IncomingMessage;
  checkOrigin(new Request('http://localhost/', { headers: { origin } }), incoming);
}

test('browsers omit the default port of the scheme from Host and Origin', () => {
  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    expect(() => check(`http://${name}`, 80)).not.toThrow();
    expect(() => check(`https://${name}`, 443)).not.toThrow();
  }
  expect(() => check('http://localhost', 80, 'localhost:80')).not.toThrow();
  expect(() => check('http://localhost', 443, 'localhost:443')).toThrow('not allowed');
  expect(() => check('https://localhost', 80, 'localhost:80')).toThrow('not allowed');
  expect(() => check('http://localhost', 8080)).toThrow('not the address');
  expect(() => check('http://evil.example', 80, 'localhost')).toThrow('not allowed');
});

test('accepts requests of this machine to another address of the machine (--host)', () => {
  const own = ['192.0.2.7', '192.0.2.7'];
  expect(() => check('http://192.0.2.7:8080', 8080, undefined, own)).not.toThrow();
  expect(() =>
    check('http://192.0.2.7:8080', 8080, undefined, ['::ffff:192.0.2.7', '::ffff:192.0.2.7']),
  ).not.toThrow();
  expect(() =>
    check('http://[2001:db8::7]:8080', 8080, undefined, ['2001:db8::7', '2001:db8::7']),
  ).not.toThrow();
  expect(() => check('http://192.0.2.7:8080', 8080, undefined, ['192.0.2.8', '192.0.2.7'])).toThrow(
    'this machine',
  );
  expect(() => check('http://192.0.2.8:8080', 8080, undefined, own)).toThrow('not the address');
  expect(() => check('http://rebound.example:8080', 8080, undefined, own)).toThrow('not the address');
  expect(() => check('http://192.0.2.8:8080', 8080, '192.0.2.7:8080', own)).toThrow('not allowed');
});
