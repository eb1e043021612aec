import { createDecipheriv } from 'node:crypto';
import { expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';

const messages = '/restapi/v1.0/account/~/extension/~/message-store';
const presence = '/restapi/v1.0/account/~/extension/~/presence';

interface Mode {
  readonly transportType: string;
  readonly address: string;
  readonly subscriberKey: string;
  readonly encryptionKey?: string;
}
interface ChannelBody {
  readonly t: { readonly t: string };
  readonly m: readonly { readonly c: string; readonly d: unknown; readonly p: { readonly t: string } }[];
}

async function subscribe(sandbox: Sandbox, eventFilters: readonly string[], more: object = {}) {
  const user = await userClient(sandbox, '102');
  const mode = { transportType: 'ChannelService', ...more };
  const answer = await user.post('/subscription', { eventFilters, deliveryMode: mode });
  const { address, subscriberKey, encryptionKey = '' } = answer.body['deliveryMode'] as Mode;
  const read = async (tt: string) => {
    const reply = await send(sandbox, 'GET', `/v2/subscribe/${subscriberKey}/${address}/0?tt=${tt}`);
    return reply.body as unknown as ChannelBody;
  };
  const text = (value: string) =>
    user.post('/account/~/extension/~/sms', {
      from: { phoneNumber: '+16505550112' },
      to: [{ phoneNumber: '+16505550113' }],
      text: value,
    });
  return { user, answer, address, subscriberKey, encryptionKey, read, text };
}

const quick = { listen: false, settings: { channelHoldMilliseconds: 40 } } as const;

test('spec:CHANNEL-1 the hosted channel: a token at once, then what was published since', async () => {
  await using sandbox = await startSandbox(quick);
  const { read, text, address } = await subscribe(sandbox, [messages]);
  const start = await read('0');
  expect(start).toEqual({ t: { t: expect.stringMatching(/^\d{17}$/) as string, r: 1 }, m: [] });
  await text('one');
  const next = await read(start.t.t);
  expect(next.m).toMatchObject([
    { c: address, d: { event: expect.stringContaining('/message-store') as string } },
  ]);
  expect(next.m[0]?.p.t).toBe(next.t.t);
  // The same token gives the same again: nothing is lost between two polls.
  expect(await read(start.t.t)).toEqual(next);
  expect(await read(next.t.t)).toEqual({ t: { t: next.t.t, r: 1 }, m: [] });
});

test('spec:CHANNEL-2 a poll waits until something comes', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { read, text } = await subscribe(sandbox, [messages]);
  const start = await read('0');
  const waiting = read(start.t.t);
  await text('hello');
  expect((await waiting).m).toHaveLength(1);
});

test('a sandbox that closes answers the waiting clients', async () => {
  const sandbox = await startSandbox({ listen: false });
  const { read } = await subscribe(sandbox, [messages]);
  const start = await read('0');
  const waiting = read(start.t.t);
  await sandbox.close();
  expect(await waiting).toEqual(start);
});

test('spec:EVENT-28, CHANNEL-3 a presence filter forces AES on all notifications of the channel', async () => {
  await using sandbox = await startSandbox(quick);
  const { read, text, user, encryptionKey } = await subscribe(sandbox, [messages, presence]);
  const start = await read('0');
  await text('secret');
  await user.put('/account/~/extension/~/presence', { userStatus: 'Busy' });
  const { m } = await read(start.t.t);
  const clear = m.map(({ d }) => {
    const decipher = createDecipheriv('aes-128-ecb', Buffer.from(encryptionKey, 'base64'), null);
    const json = decipher.update(String(d), 'base64', 'utf8') + decipher.final('utf8');
    return (JSON.parse(json) as { event: string }).event.split('/').at(-1);
  });
  expect(clear).toEqual(['message-store', 'presence']);
});

test('spec:EVENT-28, SUBSCRIPTION-17 encryption is forced by a later PUT, and may be asked for', async () => {
  await using sandbox = await startSandbox(quick);
  const plain = await subscribe(sandbox, [messages]);
  const changed = await plain.user.put(`/subscription/${plain.answer.body.id}`, { eventFilters: [presence] });
  expect(changed.body['deliveryMode']).toMatchObject({ encryption: true, encryptionAlgorithm: 'AES' });
  const asked = await subscribe(sandbox, [messages], { encryption: true });
  expect(asked.answer.body['deliveryMode']).toMatchObject({ encryption: true, encryptionAlgorithm: 'AES' });
});

test('spec:CHANNEL-4 the transport may be called PubNub', async () => {
  await using sandbox = await startSandbox(quick);
  const { answer, read } = await subscribe(sandbox, [messages], { transportType: 'PubNub' });
  expect(answer.body['deliveryMode']).toMatchObject({ transportType: 'PubNub', encryption: false });
  expect((await read('0')).m).toEqual([]);
});

test('spec:CHANNEL-5 the time is the newest token, as an exact number from which a client can continue', async () => {
  await using sandbox = await startSandbox(quick);
  const { read, text } = await subscribe(sandbox, [messages]);
  for (const value of ['one', 'two', 'three']) {
    const time = (await send(sandbox, 'GET', '/time/0')).body as unknown as readonly [string];
    // A client without large integers reads the same token.
    expect(time).toEqual([String(Number(time[0]))]);
    await text(value);
    const later = await read(time[0]);
    expect(later.m.length).toBeGreaterThan(0);
    expect(later.t).toEqual((await read('0')).t);
  }
});

test('spec:CHANNEL-6 a client may leave a channel, also after its subscription ended', async () => {
  await using sandbox = await startSandbox(quick);
  const { address, subscriberKey, answer, user } = await subscribe(sandbox, [messages]);
  await user.delete(`/subscription/${answer.body.id}`);
  const left = await send(sandbox, 'GET', `/v2/presence/sub-key/${subscriberKey}/channel/${address}/leave`);
  expect(left).toMatchObject({
    status: 200,
    body: { status: 200, message: 'OK', action: 'leave', service: 'Presence' },
  });
});

test('an unknown key, a wrong token, and a channel that was deleted are rejected', async () => {
  await using sandbox = await startSandbox(quick);
  const { address, subscriberKey, answer, user } = await subscribe(sandbox, [messages]);
  const get = (path: string) => send(sandbox, 'GET', `/v2/subscribe/${path}`);
  expect(rejection(await get(`sub-c-x/${address}/0?tt=0`))).toBe('400 CMN-101');
  expect(rejection(await get(`${subscriberKey}/x/0?tt=0`))).toBe('400 CMN-101');
  expect(rejection(await get(`${subscriberKey}/${address}/0?tt=soon`))).toBe('400 CMN-101');
  await user.delete(`/subscription/${answer.body.id}`);
  expect(rejection(await get(`${subscriberKey}/${address}/0?tt=0`))).toBe('400 CMN-101');
});

test('the channel retains the last hundred notifications', async () => {
  await using sandbox = await startSandbox(quick);
  const { read, user } = await subscribe(sandbox, [presence]);
  const start = await read('0');
  for (let count = 1; count <= 105; count += 1)
    await user.put('/account/~/extension/~/presence', { message: `${count}` });
  expect((await read(start.t.t)).m).toHaveLength(100);
});
