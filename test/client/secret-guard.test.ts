import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { buildClient } from '../../src/client/index.ts';
import type { ErrorStatusReply } from '../../src/client/call.ts';
import { fakeService, plainSettings, type FakeAnswer } from '../support/fake-service.ts';

const secret = 'canary-of-the-access-token';
const tokens = { current: async () => secret, renew: async () => secret };

/** Sends a read whose reply is `answer`. */
async function read(answer: FakeAnswer) {
  const replies: ErrorStatusReply[] = [];
  const { http } = fakeService([answer]);
  const { transport } = buildClient({ ...plainSettings, tokens, http, retries: 0 });
  const options = { onErrorStatus: (reply: ErrorStatusReply) => void replies.push(reply) };
  const result = await transport
    .send({ method: 'GET', path: '/x' }, options)
    .catch((error: unknown) => error as Error);
  return { result, replies };
}

describe('the token of a library user that an error repeats', () => {
  const body = { errorCode: 'CMN-101', message: `the header was Bearer ${secret}` };
  it.each([
    ['HTTP 400', { status: 400, body }],
    ['HTTP 502', { status: 502, body }],
    [
      'a compressed body',
      {
        status: 400,
        body: gzipSync(JSON.stringify(body)),
        headers: { 'content-encoding': 'gzip' },
      },
    ],
  ] satisfies readonly [string, FakeAnswer][])('is masked (%s)', async (_, answer) => {
    const { result, replies } = await read(answer);
    expect(result).toMatchObject({ name: 'ApiError', message: 'the header was Bearer ***' });
    expect(replies.map(({ text }) => text).join('')).not.toContain(secret);
  });

  it('is masked in headers', async () => {
    const { result, replies } = await read({ status: 400, body: {}, headers: { 'x-request-id': secret } });
    expect(result).toMatchObject({ requestId: '***' });
    expect(replies[0]?.reply.headers).toEqual({ 'x-request-id': '***' });
  });

  it('is not searched for in a body of more than a megabyte, which is not shown', async () => {
    const { replies } = await read({ status: 400, body: `${'x'.repeat(1024 * 1024)}${secret}` });
    expect(replies[0]?.text).toMatch(/^\(\d+ characters\)$/);
  });
});

it('data stays unchanged, although it repeats the token', async () => {
  expect((await read({ status: 200, body: { text: secret } })).result).toEqual({ text: secret });
});
