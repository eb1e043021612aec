import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { createClient, type ClientOptions } from '../../src/client/index.ts';
import { Transport } from '../../src/client/transport.ts';
import { plainSettings } from '../support/fake-service.ts';
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

it('a header that is invalid in HTTP was certainly not sent, and is not retried', async () => {
  const network = createUndiciHttp();
  const waits: unknown[] = [];
  const transport = new Transport({
    ...plainSettings,
    baseUrl: new URL('http://127.0.0.1:9'),
    http: network.send,
    onWait: (wait) => waits.push(wait),
  });
  const call = { method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms', once: true } as const;
  await expect(transport.send({ ...call, body: {}, headers: { 'x-name': '\u2713' } })).rejects.toMatchObject({
    name: 'ConnectionError',
    code: 'UND_ERR_INVALID_ARG',
    reached: 'no',
  });
  expect(waits).toEqual([]);
  await network.close();
});

it.each([
  ['WebAssembly.Instance(): Out of memory', 'Error'],
  ['Invalid string length', 'OutcomeUnknownError'],
])('a request without memory (%s) ends with %s', async (message, name) => {
  const agent = {
    dispatch(_: unknown, handler: { onError?: (one: Error) => void }) {
      handler.onError?.(new RangeError(message));
      return true;
    },
    close: () => Promise.resolve(),
  } as unknown as Dispatcher;
  const proxy = { isFor: () => true, origin: 'http://proxy.test', agent: () => agent };
  const transport = new Transport({ ...plainSettings, http: createUndiciHttp({ proxy }).send });
  const call = { method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms', once: true } as const;
  await expect(transport.send({ ...call, body: {} })).rejects.toMatchObject({ name });
});

describe('createClient rejects invalid types with a message', () => {
  const baseUrl = 'https://service.test';
  const current = () => Promise.resolve('x');
  it.each<[string, unknown, RegExp]>([
    ['no options', undefined, /^baseUrl is missing; specify the address of the service, such as https/],
    ['no base URL', { token: 'x' }, /^baseUrl is missing/],
    ['no token', { baseUrl }, /^token is missing; specify a string, or an object with/],
    ['null as token', { baseUrl, token: null }, /^token is missing/],
    ['half a source of tokens', { baseUrl, token: { current } }, /functions current and renew$/],
    ['an empty token', { baseUrl, token: '' }, /^the token is empty$/],
    [
      'no connection',
      { baseUrl, token: 'x', connections: 0 },
      /^connections must be a number of at least 1$/,
    ],
    [
      'an invalid time',
      { baseUrl, token: 'x', timeoutMilliseconds: Number.NaN },
      /^timeoutMilliseconds must be a/,
    ],
    ['a string for a number', { baseUrl, token: 'x', retries: '3' }, /^retries must be a number$/],
    [
      'an unknown name of a dialect',
      { baseUrl, token: 'x', dialect: 'next' },
      /^dialect must be 'spec', 'current', or an object with the members of dialects\.spec$/,
    ],
    ['half a dialect', { baseUrl, token: 'x', dialect: { queues: 'call-queues' } }, /^dialect must be/],
    [
      'a string of hosts, of which each part would receive the token',
      { baseUrl, token: 'x', mediaHosts: 'media.example.com' },
      /^mediaHosts must be an array of hosts, such as \["media\.example\.com"\]$/,
    ],
    [
      'an address as a host',
      { baseUrl, token: 'x', mediaHosts: ['https://media.example.com/'] },
      /^"https:\/\/media\.example\.com\/" is not a valid host/,
    ],
    ['half a clock', { baseUrl, token: 'x', timing: { now: Date.now } }, /^timing must be an object/],
    [
      'one certificate as a string',
      { baseUrl, token: 'x', ca: 'PEM' },
      /^ca must be an array of certificates/,
    ],
    [
      'half a recorder',
      { baseUrl, token: 'x', recorder: { before: current } },
      /^recorder must be an object with the functions before and requireUnused$/,
    ],
    ['no callback', { baseUrl, token: 'x', onWait: 5 }, /^onWait must be a function$/],
  ])('%s', (_, options, said) => {
    expect(() => createClient(options as ClientOptions)).toThrow(said);
  });
});

it('a token that is invalid in a header is rejected at once, and is not in the message', () => {
  expect(() => createClient({ baseUrl: 'https://service.test', token: 'canary\ntoken' })).toThrow(
    /^the token contains spaces, line breaks or non-ASCII characters$/,
  );
});
