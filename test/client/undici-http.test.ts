import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { createUndiciHttp } from '../../src/client/undici-http.ts';

/** HTTP whose every request fails with an error of the system. */
function failing(code: string, syscall: string) {
  const error = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  const agent = {
    dispatch(_: unknown, handler: { onError?: (one: Error) => void }) {
      handler.onError?.(error);
      return true;
    },
    close: () => Promise.resolve(),
  } as unknown as Dispatcher;
  return createUndiciHttp({
    proxy: { isFor: () => true, origin: 'http://proxy.test', agent: () => agent },
  });
}

const request = {
  method: 'POST',
  url: new URL('https://service.test/x'),
  headers: {},
  timeoutMilliseconds: 1000,
} as const;

it.each([
  ['ECONNREFUSED', 'connect', 'no'],
  ['ENOTFOUND', 'getaddrinfo', 'no'],
  ['EHOSTUNREACH', 'connect', 'no'],
  ['EHOSTUNREACH', 'read', 'unknown'],
  ['ENETUNREACH', 'write', 'unknown'],
  ['ECONNREFUSED', 'read', 'unknown'],
])('rel:23 %s of %s: the request reached the service: %s', async (code, syscall, reached) => {
  await expect(failing(code, syscall).send(request)).rejects.toMatchObject({ code, reached });
});
