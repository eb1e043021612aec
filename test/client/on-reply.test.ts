import { describe, expect, it } from 'vitest';
import { buildClient, type RequestOptions } from '../../src/client/index.ts';
import { fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

describe('onReply gets the headers of each successful reply', () => {
  const headers = { 'x-request-id': 'r-1', date: 'Mon, 05 Jan 2026 09:00:00 GMT' };
  const timing = fakeTiming();
  const { messages, media, transport } = buildClient({
    ...plainSettings,
    timing,
    http: fakeService([{ status: 200, body: { id: 7 }, headers }]).http,
  });
  it.each<[string, (options: RequestOptions) => Promise<unknown>]>([
    ['of send', (options) => messages.get(7, '~', options)],
    ['of sendForText', (options) => transport.sendForText({ method: 'GET', path: '/x' }, options)],
    ['of an opened message', (options) => messages.open(7, '~', options)],
    ['of an opened file', (options) => media.open('https://service.example/file', options)],
  ])('%s', async (_name, request) => {
    const seen: unknown[] = [];
    await request({ onReply: (facts) => seen.push(facts) });
    expect(seen).toEqual([{ requestId: 'r-1', date: headers.date, receivedAt: timing.now() }]);
  });
});
