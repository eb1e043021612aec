import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../../src/client/index.ts';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import { ChannelReceiver } from '../../../../src/features/live/receive/channel-receiver.ts';
import { fakeReply } from '../../../support/fake-service.ts';
import { eventually } from '../../../support/eventually.ts';

/** Channels that answer their first request at once and hold every other one. */
function channels() {
  const asked: string[] = [];
  const tokens: (string | null)[] = [];
  const http: HttpSend = ({ url, signal }) => {
    asked.push(url.pathname);
    tokens.push(url.searchParams.get('tt'));
    const isFirst = url.searchParams.get('tt') === '0';
    if (isFirst) return Promise.resolve(fakeReply({ status: 200, body: { t: { t: '1' }, m: [] } }));
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    });
  };
  return { asked, tokens, http };
}

const copy = (address: string, subscriberKey: string): Subscription =>
  ({ id: 's1', deliveryMode: { transportType: 'ChannelService', address, subscriberKey } }) as Subscription;

function receiverOf(http: HttpSend, signal: AbortSignal, clock: { readonly now: number }): ChannelReceiver {
  return new ChannelReceiver({
    origin: new URL('https://channel.example'),
    http,
    signal,
    sleep: () => Promise.resolve(),
    now: () => clock.now,
    warn: () => undefined,
    transportType: 'ChannelService',
  });
}

async function following() {
  const end = new AbortController();
  const { asked, tokens, http } = channels();
  const losses: (readonly [string, number])[] = [];
  const clock = { now: 1000 };
  const transport = receiverOf(http, end.signal, clock);
  await transport.open({ accept: () => Promise.resolve(), reject: () => undefined, keys: () => [] });
  await transport.follow(copy('a', 'k1'));
  await transport.begin(copy('a', 'k1'), (reason, from) => losses.push([reason, from]));
  onTestFinished(async () => {
    end.abort();
    await transport.close();
  });
  return { asked, clock, losses, tokens, transport };
}

describe('spec:CLIENT-26 a subscription after a renewal', () => {
  it.each([
    ['address', copy('b', 'k1'), '/v2/subscribe/k1/b/0'],
    ['key', copy('a', 'k2'), '/v2/subscribe/k2/a/0'],
  ])('with a new %s is received there, and a gap is reported', async (_, next, path) => {
    const { asked, clock, losses, transport } = await following();
    clock.now = 2000;
    await transport.follow(copy('a', 'k1'));
    clock.now = 3000;
    await transport.follow(next);
    await eventually(() => expect(asked.at(-1)).toBe(path));
    const before = asked.length;
    expect(asked.slice(asked.indexOf(path)).every((one) => one === path)).toBe(true);
    // The channel was at its earlier address at 2000.
    expect(losses).toEqual([['the service moved the channel to another address', 2000]]);
    await transport.follow(next);
    expect(asked).toHaveLength(before);
    expect(losses).toHaveLength(1);
  });

  it('that changes twice at the same time reads only the last channel', async () => {
    const { asked, clock, losses, transport } = await following();
    const before = asked.length;
    clock.now = 2000;
    const first = transport.follow(copy('b', 'k1'));
    clock.now = 3000;
    await Promise.all([first, transport.follow(copy('c', 'k1'))]);
    expect(losses).toEqual([['the service moved the channel to another address', 1000]]);
    await eventually(() => expect(asked.length).toBeGreaterThan(before + 1));
    expect(asked.slice(before).every((path) => path === '/v2/subscribe/k1/c/0')).toBe(true);
  });
});

it('spec:CHANNEL-2 a poll whose connection may be dead is sent again with the same time token', async () => {
  const { asked, losses, tokens, transport } = await following();
  await eventually(() => expect(tokens).toEqual(['0', '1']));
  transport.reconnect();
  await eventually(() => expect(tokens).toEqual(['0', '1', '1']));
  transport.reconnect();
  await eventually(() => expect(tokens).toEqual(['0', '1', '1', '1']));
  expect(new Set(asked)).toEqual(new Set(['/v2/subscribe/k1/a/0']));
  expect(losses).toEqual([]);
});

describe('a message without a payload', () => {
  it.each([
    ['null', null],
    ['a text', 'x'],
    ['an object', {}],
  ])('%s is rejected once, and later messages are stored', async (_, broken) => {
    const end = new AbortController();
    const notification = { uuid: 'u1', event: '/restapi/v1.0/account/1/extension/2/message-store', body: {} };
    const asked: (string | null)[] = [];
    const http: HttpSend = ({ url, signal }) => {
      const position = url.searchParams.get('tt');
      asked.push(position);
      if (position === '0')
        return Promise.resolve(fakeReply({ status: 200, body: { t: { t: '1' }, m: [] } }));
      const body = { t: { t: '2' }, m: [broken, { d: notification }] };
      if (position === '1') return Promise.resolve(fakeReply({ status: 200, body }));
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('ended')));
      });
    };
    const warnings: string[] = [];
    const accepted: string[] = [];
    const rejected: string[] = [];
    const transport = new ChannelReceiver({
      origin: new URL('https://channel.example'),
      http,
      signal: end.signal,
      sleep: () => Promise.resolve(),
      now: () => 0,
      warn: (text) => warnings.push(text),
      transportType: 'ChannelService',
    });
    await transport.open({
      accept: ({ key }) => Promise.resolve(accepted.push(key)),
      reject: (reason) => rejected.push(reason),
      keys: () => [],
    });
    onTestFinished(async () => {
      end.abort();
      await transport.close();
    });
    await transport.follow(copy('a', 'k1'));
    await eventually(() => expect(asked.at(-1)).toBe('2'));
    expect(accepted).toEqual(['u1']);
    expect(rejected).toEqual(['not a notification']);
    expect(warnings).toEqual([]);
    expect(asked).toEqual(['0', '1', '2']);
  });
});

it.each([
  ['has no messages', { t: { t: '2' }, m: [] }],
  ['is always the same', { t: { t: '1' }, m: [{ c: 'a', d: { uuid: '1' } }] }],
])('spec:CHANNEL-2 a reply that arrives at once and %s is not requested again at once', async (_, body) => {
  const end = new AbortController();
  const slept: number[] = [];
  let polls = 0;
  const http: HttpSend = async ({ url }) => {
    await new Promise((resolve) => setImmediate(resolve));
    polls += 1;
    const isFirst = url.searchParams.get('tt') === '0';
    return fakeReply({ status: 200, body: isFirst ? { t: { t: '1' }, m: [] } : body });
  };
  const transport = new ChannelReceiver({
    origin: new URL('https://channel.example'),
    http,
    signal: end.signal,
    sleep: (milliseconds, signal) => {
      slept.push(milliseconds);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('ended')));
      });
    },
    now: () => 0,
    warn: () => undefined,
    transportType: 'ChannelService',
  });
  onTestFinished(async () => {
    end.abort();
    await transport.close();
  });
  await transport.open({ accept: () => Promise.resolve(), reject: () => undefined, keys: () => [] });
  await transport.follow(copy('a', 'k1'));
  await eventually(() => expect(slept).toHaveLength(1));
  expect(polls).toBe(2);
});

it('a loss begins at the last reply, even if its messages were stored later', async () => {
  const end = new AbortController();
  const clock = { now: 1000 };
  const event = '/restapi/v1.0/account/1/extension/2/message-store';
  const messages = (count: number, reply: string) =>
    Array.from({ length: count }, (_, index) => ({ d: { uuid: `${reply}-${index}`, event, body: {} } }));
  const replies = [messages(0, 'a'), messages(1, 'b'), messages(100, 'c')];
  const http: HttpSend = ({ signal }) => {
    const m = replies.shift();
    if (m) return Promise.resolve(fakeReply({ status: 200, body: { t: { t: `${3 - replies.length}` }, m } }));
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('ended')));
    });
  };
  const transport = receiverOf(http, end.signal, clock);
  onTestFinished(async () => {
    end.abort();
    await transport.close();
  });
  const slowly = (): Promise<void> => {
    clock.now += 5000;
    return Promise.resolve();
  };
  await transport.open({ accept: slowly, reject: () => undefined, keys: () => [] });
  const froms: number[] = [];
  await transport.begin(copy('a', 'k1'), (_, from) => froms.push(from));
  await transport.follow(copy('a', 'k1'));
  await eventually(() => expect(froms).toEqual([1000]));
});
