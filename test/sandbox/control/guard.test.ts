import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { checkOrigin } from '../../../src/sandbox/control/guard.ts';

/** A request over a loopback connection to a port, which tests cannot listen on. */
function check(origin: string, localPort: number, host = new URL(origin).host): void {
  const socket = {
    remoteAddress: '127.0.0.1',
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
