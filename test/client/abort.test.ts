import { describe, expect, it, onTestFinished } from 'vitest';
import { ConnectionError, createClient } from '../../src/client/index.ts';
import { Transport } from '../../src/client/transport.ts';
import { eventually } from '../support/eventually.ts';
import { fakeService, fakeTiming, plainSettings, type FakeAnswer } from '../support/fake-service.ts';
import { serveHttp } from '../support/serve-http.ts';
import { slowTokens } from '../support/slow-tokens.ts';

it('an abort ends a request that waits for the token', async () => {
  const { tokens, asked } = slowTokens();
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: tokens });
  const stop = new AbortController();
  const read = client.presence.get('~', {}, { signal: stop.signal }).catch((error: unknown) => error);
  await asked.current.promise;
  const reason = new Error('enough');
  stop.abort(reason);
  expect(await read).toBe(reason);
});

it('an abort ends the wait for a newer token, but not the renewal that another request shares', async () => {
  const { url } = await serveHttp(({ headers }, response) =>
    headers.authorization === 'Bearer newer'
      ? response.end('{"id":7,"presenceStatus":"Available"}')
      : response.writeHead(401).end(),
  );
  const { tokens, asked, first, newer, renewals } = slowTokens();
  first.resolve('first');
  const client = createClient({ baseUrl: url, token: tokens });
  const stop = new AbortController();
  const aborted = client.presence.get('~', {}, { signal: stop.signal }).catch((error: unknown) => error);
  const other = client.presence.get('~');
  await asked.renew.promise;
  const reason = new Error('enough');
  stop.abort(reason);
  expect(await aborted).toBe(reason);
  newer.resolve('newer');
  expect(await other).toMatchObject({ presenceStatus: 'Available' });
  expect([renewals(), reason.cause]).toEqual([1, undefined]);
  await client.close();
});

it('many requests can share one signal without a warning of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const waiting: (() => void)[] = [];
  const { url } = await serveHttp((_request, response) => {
    waiting.push(() => response.end('{"id":7,"presenceStatus":"Available"}'));
  });
  const client = createClient({ baseUrl: url, token: 'token', connections: 20 });
  const { signal } = new AbortController();
  const reads = Array.from({ length: 12 }, () => client.presence.get('~', {}, { signal }));
  await eventually(() => expect(waiting).toHaveLength(12));
  for (const reply of waiting) reply();
  await Promise.all(reads);
  await client.close();
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});

describe('with its own signal, an attempt', () => {
  const creation = { method: 'POST', path: '/restapi/v1.0/subscription', once: true } as const;

  /** Aborts `signal` while the first attempt is in progress, which `answer` then ends. */
  async function abortedAttempt(answer: FakeAnswer) {
    const stop = new AbortController();
    const { http, asked } = fakeService([answer]);
    const transport = new Transport({
      ...plainSettings,
      timing: fakeTiming(),
      tokens: { ...plainSettings.tokens, renew: () => Promise.reject(new Error('renewed')) },
      http: (request) => {
        stop.abort(new Error('enough'));
        return http(request);
      },
    });
    const attemptSignal = new AbortController().signal;
    const result = await transport.send(creation, { signal: stop.signal, attemptSignal }).catch(String);
    return { result, sent: asked.length, isOwn: asked[0]?.signal === attemptSignal };
  }

  it('finishes after the abort', async () => {
    expect(await abortedAttempt({ status: 200, body: { id: 7 } })).toEqual({
      result: { id: 7 },
      sent: 1,
      isOwn: true,
    });
  });

  it.each([
    ['a rate limit', { status: 429, headers: { 'retry-after': '4' } }, 'Error: enough'],
    ['an expired token', { status: 401 }, 'Error: enough'],
    ['a failed connection', new ConnectionError('ECONNREFUSED', 'no', 'x', undefined), 'Error: enough'],
    ['a rejection', { status: 400, body: { errorCode: 'A-1', message: 'no' } }, /^ApiError: /],
    ['a lost reply', new ConnectionError('ECONNRESET', 'unknown', 'x', undefined), /^OutcomeUnknownError: /],
  ])('is not repeated after the abort: %s', async (_what, answer, expected) => {
    const { result, sent } = await abortedAttempt(answer);
    expect(result).toMatch(expected);
    expect(sent).toBe(1);
  });

  it('is not sent if the abort comes while its record is confirmed', async () => {
    const { http, asked } = fakeService([
      { status: 429, headers: { 'retry-after': '10' } },
      { status: 200, body: { id: 7 } },
    ]);
    const stop = new AbortController();
    const confirm = (): Promise<void> => Promise.resolve(stop.abort(new Error('enough')));
    const transport = new Transport({
      ...plainSettings,
      http,
      timing: fakeTiming(),
      recorder: {
        before: () => Promise.resolve({ confirm, settle: () => Promise.resolve() }),
        requireUnused: () => Promise.resolve(),
      },
    });
    const options = { signal: stop.signal, attemptSignal: new AbortController().signal };
    expect(await transport.send(creation, options).catch(String)).toBe('Error: enough');
    expect(asked).toHaveLength(1);
  });
});
