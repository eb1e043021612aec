import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { type Exchange, exchange } from '../../src/client/exchange.ts';
import { collect, decodeText } from '../../src/client/reply-bounds.ts';

const request = { origin: 'http://service.test', path: '/x', method: 'GET' } as const;
const plain = { toFailure: (error: unknown) => error };

/** A connection that this test controls: `handler` gets what arrives, and `events` records what the exchange does. */
function connection(options: { readonly signal?: AbortSignal; readonly onInfo?: () => void } = {}) {
  const events: unknown[] = [];
  let handler: Exchange | undefined;
  const agent = {
    dispatch(_: unknown, given: Exchange) {
      handler = given;
      return true;
    },
  } as unknown as Dispatcher;
  const reply = exchange(agent, { ...request, ...options });
  if (!handler) throw new Error('the request was not dispatched');
  const open = handler;
  const abort = (reason?: Error): void => {
    events.push(['abort', reason]);
    open.onError(reason ?? new Error('closed'));
  };
  open.onConnect(abort);
  return {
    events,
    handler: open,
    reply,
    headers: (status = 200) =>
      open.onHeaders(status, [Buffer.from('X-Name'), Buffer.from('value')], () => events.push('resume')),
  };
}

it('returns status and headers, and yields the chunks in order', async () => {
  const { handler, headers, reply, events } = connection();
  headers();
  const opened = await reply;
  expect([opened.status, opened.headers['x-name']]).toEqual([200, 'value']);
  handler.onData(Buffer.from('a'));
  const read = collect(opened.pieces(plain));
  handler.onData(Buffer.from('b'));
  await Promise.resolve();
  handler.onData(Buffer.from('c'));
  handler.onComplete();
  expect(decodeText(await read)).toBe('abc');
  expect(events).toEqual([]);
});

it('pauses the connection at 64 KiB of unread body, and resumes it when the body is read', async () => {
  const { handler, headers, reply, events } = connection();
  headers();
  const chunks = (await reply).pieces(plain);
  expect(handler.onData(Buffer.alloc(40_000))).toBe(true);
  expect(handler.onData(Buffer.alloc(40_000))).toBe(false);
  expect(events).toEqual([]);
  await chunks.next();
  expect(events).toEqual(['resume']);
});

it('closes the connection if the reader stops early, and not after the end of the body', async () => {
  const { handler, headers, reply, events } = connection();
  headers();
  const opened = await reply;
  handler.onData(Buffer.from('a'));
  for await (const chunk of opened.pieces(plain)) {
    expect(String(chunk)).toBe('a');
    break;
  }
  expect(events).toEqual([['abort', undefined]]);
  opened.abort();
  expect(events).toHaveLength(1);
});

it('a check that throws ends the body with its error', async () => {
  const { handler, headers, reply, events } = connection();
  headers();
  handler.onData(Buffer.from('a'));
  const check = (): void => {
    throw new RangeError('too large');
  };
  const toFailure = (error: unknown): unknown => new Error('failed', { cause: error });
  const error = await (
    await reply
  )
    .pieces({ check, toFailure })
    .next()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: 'failed', cause: { message: 'too large' } });
  expect(events).toEqual([['abort', undefined]]);
});

it('an abort ends the wait for the headers, and the wait for a chunk', async () => {
  const before = new AbortController();
  const waiting = connection({ signal: before.signal });
  before.abort(new Error('Ctrl-C'));
  await expect(waiting.reply).rejects.toThrow('Ctrl-C');

  const during = new AbortController();
  const { headers, reply } = connection({ signal: during.signal });
  headers();
  const chunk = (await reply).pieces(plain).next();
  during.abort(new Error('Ctrl-C'));
  await expect(chunk).rejects.toThrow('Ctrl-C');
});

it('an abort after the end of the reply does nothing', async () => {
  const later = new AbortController();
  const { handler, headers, reply, events } = connection({ signal: later.signal });
  headers();
  await reply;
  handler.onComplete();
  later.abort();
  expect(events).toEqual([]);
});

it('interim replies are reported, and are not the reply', async () => {
  let count = 0;
  const { headers, reply } = connection({ onInfo: () => (count += 1) });
  headers(103);
  headers(204);
  expect([(await reply).status, count]).toEqual([204, 1]);
});

it('a connection that fails ends the body with its error, without the unread chunks', async () => {
  const { handler, headers, reply } = connection();
  headers();
  handler.onData(Buffer.from('a'));
  handler.onError(new Error('reset'));
  await expect((await reply).pieces(plain).next()).rejects.toThrow('reset');
});
