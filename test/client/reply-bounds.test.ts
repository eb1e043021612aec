import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { requestToken } from '../../src/auth/token-endpoint.ts';
import type { HttpReply } from '../../src/client/index.ts';
import { Transport } from '../../src/client/transport.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { plainSettings } from '../support/fake-service.ts';

const mebibyte = 1024 * 1024;
/** Longest time without a byte, in milliseconds; the whole of a reply gets ten times as long. */
const timeoutMilliseconds = 150;

/** Registers work for the end of a test. Concurrent tests have one each. */
type OnFinished = TestContext['onTestFinished'];

/** A server on loopback that answers every connection as the test says. */
async function rawServer(onFinished: OnFinished, answer: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
}

/** Sends `head`, then `piece` again and again until the connection ends, or `count` times and then the end. */
function dripping(head: string, piece: string | Uint8Array, count = Number.POSITIVE_INFINITY) {
  return (socket: Socket): void => {
    socket.write(head);
    let sent = 0;
    const timer = setInterval(() => {
      if (sent === count) {
        clearInterval(timer);
        socket.end();
      } else socket.write(piece);
      sent += 1;
    }, timeoutMilliseconds / 5);
    socket.on('close', () => clearInterval(timer));
  };
}

/** Where time is not what the test is about, on a machine that may be busy. */
const ample = 60_000;

function transportTo(onFinished: OnFinished, baseUrl: URL, limit = timeoutMilliseconds): Transport {
  const http = createUndiciHttp();
  onFinished(() => void http.close().catch(() => undefined));
  return new Transport({
    ...plainSettings,
    baseUrl,
    http: http.send,
    timeoutMilliseconds: limit,
    retries: 0,
  });
}

const get = { method: 'GET', path: '/x' } as const;
const json = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const tooSlow = { name: 'ConnectionError', code: 'TIMEOUT', reached: 'unknown' };

describe.concurrent('a reply that never ends is aborted', () => {
  it.for<[string, string, string | Uint8Array]>([
    ['a body that drips', `${json}content-length: 100000\r\n\r\n{`, ' '],
    ['a body in chunks that drips', `${json}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    [
      'a gzip body that arrives byte by byte',
      `${json}content-encoding: gzip\r\ncontent-length: 100000\r\n\r\n`,
      'x',
    ],
    ['a body that stops', `${json}content-length: 100000\r\n\r\n{`, ''],
    ['interim replies', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['early hints', '', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
    ['headers that drip', json, 'x'],
    ['a trailer that drips', `${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nx-end: `, 'x'],
    ['many trailers', `${json}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`, 'x-end: 1\r\n'],
    ['a chunk extension that drips', `${json}transfer-encoding: chunked\r\n\r\n2;`, 'x'],
  ])('%s', async ([, head, piece], { expect, onTestFinished }) => {
    const baseUrl = await rawServer(onTestFinished, dripping(head, piece));
    await expect(transportTo(onTestFinished, baseUrl).send(get)).rejects.toMatchObject(tooSlow);
  });

  it('a text with a slow endless reply has an unknown outcome', async ({ expect, onTestFinished }) => {
    const baseUrl = await rawServer(onTestFinished, dripping(`${json}content-length: 100000\r\n\r\n{`, ' '));
    const call = { method: 'POST', path: '/x/sms', body: {}, once: true } as const;
    await expect(transportTo(onTestFinished, baseUrl).send(call)).rejects.toMatchObject({
      name: 'OutcomeUnknownError',
    });
  });

  it('an error with a slow endless body is the error of its status', async ({ expect, onTestFinished }) => {
    const head = 'HTTP/1.1 403 Forbidden\r\ncontent-length: 100000\r\n\r\n';
    const baseUrl = await rawServer(onTestFinished, dripping(head, ' '));
    await expect(transportTo(onTestFinished, baseUrl).send(get)).rejects.toMatchObject({
      name: 'ApiError',
      status: 403,
    });
  });

  it('a redirect with a slow endless body is not waited for', async ({ expect, onTestFinished }) => {
    const head = 'HTTP/1.1 302 Found\r\nlocation: ftp://x/\r\ncontent-length: 60000\r\n\r\n';
    const baseUrl = await rawServer(onTestFinished, dripping(head, ' '));
    await expect(transportTo(onTestFinished, baseUrl).send(get)).rejects.toMatchObject({
      name: 'ReplyError',
      status: 302,
    });
  });

  it('a slow endless reply of the token endpoint', async ({ expect, onTestFinished }) => {
    const baseUrl = await rawServer(onTestFinished, dripping(`${json}content-length: 100000\r\n\r\n{`, ' '));
    const network = createUndiciHttp();
    onTestFinished(() => void network.close().catch(() => undefined));
    const endpoint = {
      baseUrl,
      clientId: 'c',
      clientSecret: 's',
      http: network.send,
      now: Date.now,
      timeoutMilliseconds,
    };
    const asked = requestToken(endpoint, { type: 'refresh_token', refreshToken: 'r' });
    await expect(asked).rejects.toMatchObject(tooSlow);
  });
});

/** Bytes of a streamed reply. */
async function sizeOf(reply: HttpReply): Promise<number> {
  let size = 0;
  for await (const piece of reply.bytes()) size += piece.length;
  return size;
}

describe('a streamed reply', () => {
  it('may take longer than ten times the limit, as long as bytes arrive', async () => {
    const pieces = 60;
    const baseUrl = await rawServer(
      onTestFinished,
      dripping(`${json}content-length: ${pieces}\r\n\r\n`, 'x', pieces),
    );
    expect(await sizeOf(await transportTo(onTestFinished, baseUrl).open(get))).toBe(pieces);
  });

  it('is aborted when no byte arrives', async () => {
    const baseUrl = await rawServer(onTestFinished, dripping(`${json}content-length: 100\r\n\r\nx`, ''));
    await expect(sizeOf(await transportTo(onTestFinished, baseUrl).open(get))).rejects.toMatchObject(tooSlow);
  });

  it('may be larger than the limit of a reply that is read whole', async () => {
    const content = Buffer.alloc(65 * mebibyte, ' ');
    const baseUrl = await rawServer(onTestFinished, (socket) => {
      socket.write(`${json}content-length: ${content.length}\r\n\r\n`);
      socket.end(content);
    });
    expect(await sizeOf(await transportTo(onTestFinished, baseUrl, ample).open(get))).toBe(content.length);
  });
});

describe('a reply that is read whole has at most 64 MiB', () => {
  const plain = Buffer.alloc(65 * mebibyte, ' ');
  const bodies: readonly (readonly [string, string, Uint8Array])[] = [
    ['plain', '', plain],
    ['packed', 'content-encoding: gzip\r\n', gzipSync(plain)],
  ];
  const serving = (status: string, headers: string, body: Uint8Array) =>
    rawServer(onTestFinished, (socket) => {
      socket.write(
        `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\n${headers}content-length: ${body.length}\r\n\r\n`,
      );
      socket.end(body);
    });

  it.each([
    ['GET', '/x', expect.objectContaining({ hint: expect.anything() as unknown })],
    ['POST', '/restapi/oauth/token', expect.objectContaining({ hint: undefined })],
  ] as const)('%s %s: only a read suggests to request less', async (method, path, error) => {
    const transport = transportTo(onTestFinished, await serving('200 OK', '', plain), ample);
    await expect(transport.send({ method, path })).rejects.toEqual(error);
  });

  it.each(bodies)('%s', async (_, headers, body) => {
    const transport = transportTo(onTestFinished, await serving('200 OK', headers, body), ample);
    await expect(transport.send(get)).rejects.toMatchObject({
      name: 'ReplyError',
      status: 200,
      message: 'GET /x returned HTTP 200 with more than 64 MiB, the maximum size of a reply',
    });
  });

  it.each(bodies)('%s, after a text: its outcome is unknown', async (_, headers, body) => {
    const transport = transportTo(onTestFinished, await serving('200 OK', headers, body), ample);
    const call = { method: 'POST', path: '/x/sms', body: {}, once: true } as const;
    await expect(transport.send(call)).rejects.toMatchObject({ name: 'OutcomeUnknownError' });
  });

  it.each(bodies)('%s, of an error: its status counts', async (_, headers, body) => {
    const transport = transportTo(onTestFinished, await serving('403 Forbidden', headers, body), ample);
    await expect(transport.send(get)).rejects.toMatchObject({ name: 'ApiError', status: 403 });
  });

  it.each(['', '\u{feff}'])('up to that size it is read, also with the mark %j before it', async (mark) => {
    const value = { text: 'é'.repeat(15 * mebibyte) };
    const transport = transportTo(
      onTestFinished,
      await serving('200 OK', '', Buffer.from(mark + JSON.stringify(value))),
      ample,
    );
    expect(await transport.send(get)).toEqual(value);
  });
});
