import { limitTime } from '../../../../src/platform/time-limit.ts';
import { describe, expect, it } from 'vitest';
import {
  MessageLookup,
  type MessageLookupSettings,
} from '../../../../src/features/live/describe/message-lookup.ts';
import { ApiError } from '../../../../src/errors/service.ts';

const store = (count: number, ids?: readonly unknown[]) => ({
  event: '/restapi/v1.0/account/1/extension/8/message-store',
  body: {
    extensionId: '8',
    changes: [{ type: 'Voicemail', newCount: count, ...(ids && { newMessageIds: ids }) }],
  },
});
const message = (id: string, creationTime: string) => ({ id, creationTime });

type Api = Awaited<ReturnType<MessageLookupSettings['api']>>;

/** A lookup on a mailbox that answers as given, and the requests it made. */
function lookupOf(answer: () => AsyncIterable<object>, more: Partial<MessageLookupSettings> = {}) {
  const asked: unknown[] = [];
  const warnings: string[] = [];
  const stored = new Map<number, readonly unknown[]>();
  const messages = {
    async *getMany(...args: readonly unknown[]) {
      asked.push(args.slice(0, 1));
      for await (const one of answer()) yield { message: one };
    },
    async *list(...args: readonly unknown[]) {
      asked.push([args[0], args[1]]);
      yield* answer();
    },
  };
  const clock = { now: 0 };
  const lookup = new MessageLookup({
    api: () => Promise.resolve({ messages } as Partial<Api> as Api),
    store: { of: (id) => stored.get(id), set: (id, found) => void stored.set(id, found) },
    signal: new AbortController().signal,
    now: () => clock.now,
    warn: (text) => void warnings.push(text),
    limit: (signal) => limitTime(signal, 600_000),
    ...more,
  });
  return { lookup, asked, warnings, stored, clock };
}

async function* each(...all: readonly object[]): AsyncGenerator<object, void, undefined> {
  yield* all;
}
async function* never(): AsyncGenerator<object, void, undefined> {
  await new Promise(() => undefined);
  yield {};
}

describe('the lookup of the messages of an event', () => {
  it('reads the ids of the event once, newest first, and stores the messages', async () => {
    const older = message('1', '2026-01-05T09:00:00Z');
    const newer = message('2', '2026-01-05T09:00:01Z');
    const { lookup, asked, stored } = lookupOf(() => each(older, newer));
    const event = store(2, ['1', 2]);
    expect(await Promise.all([lookup.of(5, event), lookup.of(5, event)])).toEqual([
      [newer, older],
      [newer, older],
    ]);
    expect(asked).toEqual([[['1', '2']]]);
    expect(stored.get(5)).toEqual([newer, older]);
  });

  it('reads the newest messages of that type if the event has no ids', async () => {
    const { lookup, asked } = lookupOf(() => each(message('1', '')));
    await lookup.of(5, store(1));
    expect(asked).toEqual([['8', { messageType: ['VoiceMail'] }]]);
  });

  describe('of an event without ids', () => {
    const at = (id: string, seconds: number) =>
      message(id, new Date(Date.UTC(2026, 0, 5, 9, 0, seconds)).toISOString());
    const event = (count: number, seconds: number) => {
      const { event: path, body } = store(count);
      return { event: path, body: { ...body, lastUpdated: at('', seconds).creationTime } };
    };

    it('omits messages that are newer than the event, and much older ones', async () => {
      const { lookup } = lookupOf(() => each(at('3', 12), at('2', 10), at('1', -100)));
      expect(await lookup.of(1, event(2, 10))).toEqual([at('2', 10)]);
      expect(await lookup.of(2, event(1, -10))).toBeUndefined();
    });

    it('omits messages of earlier events', async () => {
      const { lookup } = lookupOf(() => each(at('2', 10), at('1', 9)));
      expect(await lookup.of(1, event(1, 10))).toEqual([at('2', 10)]);
      expect(await lookup.of(2, event(1, 10))).toEqual([at('1', 9)]);
      expect(await lookup.of(3, event(1, 10))).toBeUndefined();
    });
  });

  it.each([
    [
      'an event that only changes messages',
      { ...store(0), body: { changes: [{ type: 'SMS', updatedCount: 1 }] } },
    ],
    ['another event', { event: '/restapi/v1.0/account/1/extension/8/presence', body: {} }],
    ['an event without a body', { event: store(1).event }],
  ])('sends nothing for %s', async (_what, event) => {
    const { lookup, asked } = lookupOf(() => each());
    expect(await lookup.of(1, event)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('uses stored messages without a request', async () => {
    const { lookup, asked, stored } = lookupOf(() => each());
    stored.set(3, [{ id: '3' }]);
    expect(await lookup.of(3, store(1))).toEqual([{ id: '3' }]);
    expect(asked).toEqual([]);
  });

  it('ends without a result after its time, silently', async () => {
    const { lookup, warnings } = lookupOf(never, {
      limit: () => ({
        signal: AbortSignal.abort(new DOMException('', 'TimeoutError')),
        isOver: () => true,
        end: () => undefined,
      }),
    });
    expect(await lookup.of(1, store(1))).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('ends when the run ends', async () => {
    const end = new AbortController();
    const { lookup, warnings } = lookupOf(never, { signal: end.signal });
    const found = lookup.of(1, store(1));
    end.abort();
    expect(await found).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('reports the first failure only, and stops after a missing permission', async () => {
    const forbidden = new ApiError({
      status: 403,
      errorCode: 'CMN-408',
      message: 'no permission',
      request: { method: 'GET', path: '/x' },
    });
    const { lookup, warnings, asked } = lookupOf(() => {
      throw forbidden;
    });
    for (const id of [1, 2, 3]) expect(await lookup.of(id, store(1))).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(asked).toHaveLength(1);
  });

  it('spec:ERROR-1: continues after a 403 of another server, such as a sign-in page', async () => {
    const request = { method: 'GET', path: '/x' };
    const page = new ApiError({ status: 403, errorCode: 'HTTP-403', message: 'page', request });
    let isPage = true;
    const { lookup } = lookupOf(() => {
      if (isPage) throw page;
      return each(message('1', ''));
    });
    expect(await lookup.of(1, store(1))).toBeUndefined();
    isPage = false;
    expect(await lookup.of(2, store(1))).toHaveLength(1);
  });

  it('uses less than half of the rate limit', async () => {
    const { lookup, asked, clock } = lookupOf(() => each(message('1', '')));
    for (let id = 0; id < 30; id += 1) await lookup.of(id, store(1));
    expect(asked).toHaveLength(20);
    clock.now = 60_000;
    await lookup.of(100, store(1));
    expect(asked).toHaveLength(21);
  });
});
