import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { openOffice } from '../office.ts';

/** A service whose presences do not name their extension. */
const withoutExtension =
  (send: HttpSend): HttpSend =>
  async (request) => {
    const reply = await send(request);
    if (!request.url.pathname.endsWith('/presence')) return reply;
    return fakeReply({ status: 200, body: { presenceStatus: 'Available', telephonyStatus: 'NoCall' } });
  };

it('shows the own board if a presence does not name its extension', async () => {
  const { run, requests } = await openOffice('102', withoutExtension);
  const stop = new AbortController();
  requests();
  const { stdout } = await run('presence watch "~" --interval 6s -o ndjson', {
    signal: stop.signal,
    onStdout: () => stop.abort(new Error('enough')),
  });
  expect(stdout).toContain('"you"');
  expect(requests().filter((line) => line.includes('undefined'))).toEqual([]);
});
