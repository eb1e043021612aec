import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { eventually } from '../support/eventually.ts';
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
