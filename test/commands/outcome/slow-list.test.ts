import { expect, it } from 'vitest';
import type { HttpReply } from '../../../src/client/index.ts';
import { ConnectionError } from '../../../src/client/index.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

it('a list of messages that arrives slowly does not change the comparison of the clocks', async () => {
  const office = await openOffice('administrator', (inner) => async (request) => {
    const reply = await inner(request);
    if (request.method === 'POST') {
      await reply.discard();
      throw new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined);
    }
    return slow(reply);
  });
  const slow = (reply: HttpReply): HttpReply => ({
    ...reply,
    async text() {
      await office.sandbox.clock.advance(4000);
      return reply.text();
    },
  });
  const options = { paths: temporaryPaths(), now: () => office.sandbox.clock.now() };
  const sent = await office.run('sms send --to +16505550112 hello --yes', options);
  expect(sent.exit).toBe(14);
  await office.sandbox.clock.advance(60_000);
  const resolved = await office.run('outcome resolve --all --sole-sender -o json', options);
  expect([resolved.exit, JSON.parse(resolved.stdout)]).toEqual([
    0,
    [expect.objectContaining({ state: 'sent' })],
  ]);
});
