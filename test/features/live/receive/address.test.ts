import { expect, it } from 'vitest';
import { checkPath, localHosts } from '../../../../src/features/live/receive/address.ts';

it.each([
  ['http', '127.0.0.1', 80, ['127.0.0.1', 'localhost', '[::1]', 'localhost:80']],
  ['https', '127.0.0.1', 443, ['127.0.0.1', 'localhost', '127.0.0.1:443']],
  ['https', 'Hooks.Example.com', 443, ['hooks.example.com', 'hooks.example.com:443']],
  ['http', '0:0:0:0:0:0:0:1', 3000, ['[::1]:3000']],
  ['https', 'fe80::1%eth0', 3000, ['[fe80::1%eth0]:3000', 'localhost:3000']],
  ['http', 'LOCALHOST', 3000, ['localhost:3000', '127.0.0.1:3000']],
] as const)('a receiver at %s, host %s and port %d accepts the Host headers that clients send', (...args) => {
  const [scheme, host, port, expected] = args;
  expect(localHosts(scheme, host, port)).toEqual(expect.arrayContaining([...expected]));
});

it('a receiver at another port accepts no Host header without its port', () => {
  expect(localHosts('http', '127.0.0.1', 3000).filter((host) => !host.endsWith(':3000'))).toEqual([]);
});

it.each(['/a/../b', '/./a', '/a/..', '/..'])(
  'the path %s, which clients change, is a usage error',
  (path) => {
    expect(() => checkPath(path)).toThrow(`--path: "${path}" is not a valid path`);
  },
);

it.each(['/', '/hook', '//hook', '/a.b/..c/~d/'])('the path %s is valid', (path) => {
  expect(checkPath(path)).toBe(path);
});
