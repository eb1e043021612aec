import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import {
  Inbox,
  secretPath,
  shownEvent,
  startListener,
  type Listener,
} from '../../../../src/features/live/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const open: Listener[] = [];
const inboxes: Inbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.close(0)));
  for (const inbox of inboxes.splice(0)) inbox.close();
});

async function start(verificationToken?: string, hosts?: ReadonlySet<string>, maxConnections?: number) {
  const inbox = Inbox.open(temporaryFolder(), 'test', () => 1);
  inboxes.push(inbox);
  const path = secretPath();
  let handshakes = 0;
  const listener = await startListener({
    host: '127.0.0.1',
    port: 0,
    path,
    intake: {
      accept: (received) => inbox.accept(received, 'test', 'webhook'),
      reject: () => undefined,
    },
    verificationToken,
    hosts,
    warn: () => undefined,
    ...(maxConnections !== undefined && { maxConnections }),
    onHandshake: () => {
      handshakes += 1;
    },
  });
  open.push(listener);
  const url = `http://127.0.0.1:${listener.port}${path}`;
  return { inbox, path, listener, url, handshakes: () => handshakes };
}

function post(url: string, body: string, headers: Record<string, string> = {}) {
  return fetch(url, { method: 'POST', body, headers });
}

/** Sends bytes as they are and gives the whole reply. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let reply = '';
  socket.on('data', (part: Buffer) => {
    reply += part.toString('latin1');
  });
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return reply;
}

const notification = (uuid: string) =>
  JSON.stringify({
    uuid,
    event: '/restapi/v1.0/account/1/extension/2/message-store',
    timestamp: 'x',
    body: {},
  });

function accepted(inbox: Inbox) {
  return inbox.after('test', 0).map((stored) => ({ key: stored.key, notification: shownEvent(stored) }));
}

describe('handshake', () => {
  it('gets the token back in an empty JSON response under 1024 bytes', async () => {
    const { listener, path, handshakes } = await start();
    const token = 'x'.repeat(512);
    const reply = await raw(
      listener.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nValidation-Token: ${token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 /);
    expect(reply.toLowerCase()).toContain(`validation-token: ${token}\r\n`);
    expect(reply.toLowerCase()).toContain('content-type: application/json\r\n');
    expect(reply.length).toBeLessThanOrEqual(1024);
    expect(reply).toMatch(/\r\n\r\n$/);
    expect(handshakes()).toBe(1);
  });

  it.each([
    ['no token', ''],
    ['an empty token', 'Validation-Token: \r\n'],
    ['two tokens', 'Validation-Token: a\r\nValidation-Token: b\r\n'],
    ['a token with a space', 'Validation-Token: a b\r\n'],
    ['a token beyond ASCII', 'Validation-Token: caf\u00e9\r\n'],
    ['a tab in it', 'Validation-Token: a\tb\r\n'],
    ['a token too long', `Validation-Token: ${'x'.repeat(513)}\r\n`],
    ['a line break smuggled in', 'Validation-Token: a\rSet-Cookie: b\r\n'],
    ['a line feed smuggled in', 'Validation-Token: a\n Set-Cookie: b\r\n'],
    ['a zero byte in it', 'Validation-Token: a\u0000b\r\n'],
    ['a folded line', 'Validation-Token: a\r\n b\r\n'],
    ['a body of two lengths', 'Validation-Token: a\r\nTransfer-Encoding: chunked\r\n'],
    ['a header larger than any', `Validation-Token: ${'x'.repeat(20_000)}\r\n`],
  ])('is rejected with %s', async (_, header) => {
    const { listener, path, handshakes } = await start();
    const reply = await raw(
      listener.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\n${header}Content-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(reply.toLowerCase()).not.toContain('validation-token');
    expect(handshakes()).toBe(0);
  });
});

describe('notifications', () => {
  it('are stored once, in order, and get 200', async () => {
    const { inbox, url } = await start();
    for (const uuid of ['a', 'b', 'a', 'c', 'a'])
      expect((await post(url, notification(uuid))).status).toBe(200);
    expect(accepted(inbox).map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });

  it('without a uuid are identified by their text, and long ids keep all digits', async () => {
    const { inbox, url } = await start();
    const odd = '{"event":"/x","ownerId":8031152018338945839}';
    for (const text of [odd, odd, '{"event":"/x"}']) await post(url, text);
    const all = accepted(inbox);
    expect(all).toHaveLength(2);
    expect(all[0]?.notification.ownerId).toBe('8031152018338945839');
  });

  it('spec:CLIENT-3 are recognized by their body, also with a Validation-Token', async () => {
    const { inbox, url, handshakes } = await start();
    await post(url, notification('a'), { 'validation-token': 'something' });
    expect(handshakes()).toBe(0);
    expect(accepted(inbox)).toHaveLength(1);
  });

  it('spec:CLIENT-3 are not stored if they are handshakes with an empty object', async () => {
    const { inbox, url, handshakes } = await start();
    const reply = await post(url, '{}', { 'validation-token': 'something' });
    expect([reply.status, reply.headers.get('validation-token')]).toEqual([200, 'something']);
    expect([handshakes(), accepted(inbox)]).toEqual([1, []]);
  });

  it('must have the verification token if one is configured', async () => {
    const { inbox, url } = await start('agreed');
    const statuses = [];
    for (const headers of [
      {} as Record<string, string>,
      { 'verification-token': 'wrong' },
      { 'verification-token': 'agreed', 'validation-token': 'wrong' },
      { 'verification-token': 'agreed' },
      { 'validation-token': 'agreed' },
    ]) {
      statuses.push((await post(url, notification(String(statuses.length)), headers)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 200, 200]);
    expect(accepted(inbox).map(({ key }) => key)).toEqual(['3', '4']);
  });

  it.each(['not json', '[1]', '"text"', 'null', '{"uuid":"no event"}', '{"event":'])(
    'are rejected if the body is %s',
    async (body) => {
      const { inbox, url } = await start();
      expect((await post(url, body)).status).toBe(400);
      expect(accepted(inbox)).toEqual([]);
    },
  );

  it('may have at most 1 MiB', async () => {
    const { inbox, listener, path, url } = await start();
    const filler = (size: number) => `{"event":"/x","body":{"x":"${'y'.repeat(size - 30)}"}}`;
    expect((await post(url, filler(1024 * 1024))).status).toBe(200);
    const declared = await raw(
      listener.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2097152\r\n\r\n`,
    );
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `10000\r\n${'z'.repeat(65_536)}\r\n`.repeat(20);
    const streamed = await raw(
      listener.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    );
    expect(streamed).toMatch(/^HTTP\/1\.1 413 /);
    expect(accepted(inbox)).toHaveLength(1);
  });

  it('that are compressed are rejected without decompression', async () => {
    const { url, inbox } = await start();
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const before = process.memoryUsage.rss();
    for (const encoding of ['gzip', 'GZIP', 'gzip, identity', 'br']) {
      const reply = await fetch(url, {
        method: 'POST',
        body: bomb,
        headers: { 'content-encoding': encoding },
      });
      expect(reply.status).toBe(415);
    }
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 * 1024 * 1024);
    expect(accepted(inbox)).toEqual([]);
  });
});

describe('other requests', () => {
  it('get a response without content', async () => {
    const { listener, url } = await start();
    const root = `http://127.0.0.1:${listener.port}`;
    const replies = [await fetch(root), await post(`${root}/hook/${'A'.repeat(22)}`, '{}'), await fetch(url)];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 405]);
    expect(await Promise.all(replies.map((reply) => reply.text()))).toEqual(['', '', '']);
  });

  it.each([
    ['no Host header', ''],
    ['an empty Host header', 'Host: \r\n'],
    ['the Host of another site', 'Host: evil.test\r\n'],
    ['a Host that begins like ours', 'Host: 127.0.0.1.evil.test\r\n'],
  ])('with %s are rejected', async (_, host) => {
    const { listener, path, handshakes } = await start(undefined, new Set(['127.0.0.1:1']));
    const reply = await raw(
      listener.port,
      `POST ${path} HTTP/1.1\r\n${host}Validation-Token: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 40[03] /);
    expect(handshakes()).toBe(0);
  });

  it('with two Host headers are rejected', async () => {
    const { listener, path } = await start();
    const reply = await raw(
      listener.port,
      `POST ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nValidation-Token: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('on many idle connections do not keep the service out', async () => {
    const { listener, path } = await start(undefined, undefined, 2);
    const connected = (): Socket => connect(listener.port, '127.0.0.1').on('error', () => {});
    const replyTo = async (socket: Socket, request: string): Promise<string> => {
      socket.write(`${request} HTTP/1.1\r\nHost: a\r\nValidation-Token: x\r\nContent-Length: 0\r\n\r\n`);
      const [reply] = (await once(socket, 'data')) as [Buffer];
      return reply.toString('latin1').slice(9, 12);
    };
    const idle = [connected(), connected()] as const;
    for (const socket of idle) expect(await replyTo(socket, 'GET /other')).toBe('404');
    const closed = once(idle[0], 'close');
    const service = connected();
    expect(await replyTo(service, `POST ${path}`)).toBe('200');
    await closed;
    const later = [connected(), connected()] as const;
    await once(later[0], 'close');
    expect(await replyTo(later[1], 'GET /other')).toBe('404');
    expect(await replyTo(service, `POST ${path}`)).toBe('200');
    for (const socket of [idle[1], later[1], service]) socket.destroy();
  });

  it('that never finish do not prevent the listener from closing', async () => {
    const { listener, path } = await start();
    const socket = connect(listener.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab`);
    await once(socket, 'connect');
    await listener.close(20);
    expect(open.pop()).toBe(listener);
  });
});

it('secret paths are random', () => {
  const paths = new Set(Array.from({ length: 50 }, secretPath));
  expect(paths.size).toBe(50);
  for (const path of paths) expect(path).toMatch(/^\/hook\/[0-9A-Za-z]{22}$/);
});
