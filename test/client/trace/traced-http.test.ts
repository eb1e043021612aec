import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/client/http.ts';
import { tracedHttp, type Exchange } from '../../../src/client/trace/traced-http.ts';
import { ConnectionError } from '../../../src/errors/service.ts';
import { SentSecrets } from '../../../src/platform/sent-secrets.ts';

const record = JSON.stringify({ id: 1, access_token: 'secret-value-of-the-token' });
const url = new URL('https://service.example/restapi/v1.0/account/~');
const gzipped = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

function replyOf(
  status: number,
  headers: Readonly<Record<string, string>>,
  bytes: () => AsyncIterable<Uint8Array>,
): HttpReply {
  return {
    status,
    header: (name) => headers[name],
    headers,
    text: () => Promise.reject(new Error('the bytes are read')),
    bytes,
    discard: () => Promise.resolve(),
  };
}

async function* pieces(...all: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* all;
}

/** Sends a request with a trace, and reads the bytes of its reply. */
async function traced(
  reply: HttpReply,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
  isWhole?: boolean,
) {
  const exchanges: Exchange[] = [];
  const send = tracedHttp(() => Promise.resolve(reply), {
    now: () => 0,
    elapsed: () => 0,
    sent: new SentSecrets(),
    sinks: [(exchange) => exchanges.push(exchange)],
  });
  await read((await send({ method: 'GET', url, headers: {}, timeoutMilliseconds: 1000 })).bytes(isWhole));
  return exchanges;
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of bytes) void piece;
}

describe('the trace of a reply', () => {
  it.each([200, 400])('shows a compressed body that is read as a whole, with status %i', async (status) => {
    const body = gzipSync(record);
    const halves = () => pieces(body.subarray(0, 10), body.subarray(10));
    const [exchange] = await traced(replyOf(status, gzipped, halves), drain, true);
    expect(exchange?.responseBody).toContain('"id":1');
    expect(exchange?.responseBody).not.toContain('secret-value');
    expect(exchange).toMatchObject({ responseBytes: record.length, failure: undefined });
  });

  it('states the size of a compressed body that is damaged or a download', async () => {
    const damaged = await traced(
      replyOf(200, gzipped, () => pieces(Buffer.from('damaged'))),
      drain,
      true,
    );
    expect(damaged).toMatchObject([{ responseBody: '(7 bytes)', responseBytes: 7 }]);
    const body = gzipSync(record);
    const file = await traced(
      replyOf(200, gzipped, () => pieces(body)),
      drain,
    );
    expect(file).toMatchObject([{ responseBody: `(${body.length} bytes)`, responseBytes: body.length }]);
  });

  it('shows that a download was interrupted', async () => {
    const broken = async function* () {
      yield Buffer.alloc(500);
      throw new ConnectionError('ECONNRESET', 'unknown', url.origin, undefined);
    };
    const exchanges = await traced(replyOf(200, {}, broken), (bytes) =>
      expect(drain(bytes)).rejects.toThrow('ECONNRESET'),
    );
    expect(exchanges).toMatchObject([
      { status: 200, responseBody: '(500 bytes)', failure: 'ConnectionError ECONNRESET' },
    ]);
  });

  it('shows no failure if the reader stops early', async () => {
    const exchanges = await traced(
      replyOf(200, {}, () => pieces(Buffer.alloc(3), Buffer.alloc(3))),
      async (bytes) => {
        for await (const piece of bytes) {
          void piece;
          break;
        }
      },
    );
    expect(exchanges).toMatchObject([{ responseBody: '(3 bytes)', failure: undefined }]);
  });
});
