import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { send, userClient } from '../request.ts';
import { loseConnection, messages, socketUser, startCurrent } from '../sockets/client.ts';

interface Shown {
  readonly id: number;
  readonly transport: string;
  readonly state: string;
  readonly address: string;
  readonly error?: string;
}

/** The deliveries that the page shows, oldest first. */
async function shown(sandbox: Sandbox, query = ''): Promise<readonly Shown[]> {
  const { records } = (await sandbox.control('GET', `/events${query}`)) as { records: readonly Shown[] };
  return records.toReversed();
}

async function states(sandbox: Sandbox): Promise<readonly string[]> {
  return (await shown(sandbox)).map(({ state }) => state);
}

async function connected() {
  const sandbox = await startCurrent();
  const user = await socketUser(sandbox);
  const socket = await user.connect();
  await socket.subscribe();
  return { sandbox, user, socket };
}

describe('deliveries over a WebSocket', () => {
  test('are delivered on a connection, pending without one, and recovered by the next connection', async () => {
    const { sandbox, user, socket } = await connected();
    await user.text('one');
    await socket.expect('ServerNotification', 1);
    await eventually(async () => expect(await states(sandbox)).toEqual(['delivered']));
    await loseConnection(sandbox, socket);
    await user.text('two');
    expect(await states(sandbox)).toEqual(['delivered', 'pending']);
    const again = await user.connect(socket.position);
    await again.expect('ServerNotification', 1);
    await eventually(async () => expect(await states(sandbox)).toEqual(['delivered', 'recovered']));
    await user.text('three');
    await eventually(async () =>
      expect(await states(sandbox)).toEqual(['delivered', 'recovered', 'delivered']),
    );
    const all = await shown(sandbox);
    expect(all.map(({ transport }) => transport)).toEqual(['WebSocket', 'WebSocket', 'WebSocket']);
    expect(all[0]?.address).toBe('WebSocket of Dana Okafor (102)');
    expect(await shown(sandbox, '?state=recovered')).toMatchObject([{ id: all[1]?.id }]);
    // The key of a session is the secret part of its recovery tokens.
    const [key = ''] = socket.position.split('.');
    for (const path of ['/events', `/events/${all[0]?.id}`, '/subscribers'])
      expect(JSON.stringify(await sandbox.control('GET', path))).not.toContain(key);
  });

  test('are lost when the session ends, and when more events are missed than a session retains', async () => {
    const { sandbox, user, socket } = await connected();
    await loseConnection(sandbox, socket);
    for (let count = 0; count < 103; count += 1) await user.text(`${count}`);
    const overflow = await shown(sandbox, '?limit=200');
    expect(overflow.map(({ state }) => state).lastIndexOf('lost')).toBe(2);
    expect(overflow[0]?.error).toBe('the session retains only the newest 100 events');
    await sandbox.clock.advance(181_000);
    const ended = await shown(sandbox, '?limit=200&state=lost');
    // The texts were also sent and delivered before the session ended.
    expect(ended.length).toBeGreaterThanOrEqual(103);
    expect(ended.at(-1)?.error).toBe('the subscription ended');
    expect(await shown(sandbox, '?state=pending')).toEqual([]);
  });

  test('can be sent again while the subscription exists', async () => {
    const { sandbox, user, socket } = await connected();
    await user.text('one');
    await socket.expect('ServerNotification', 1);
    const [first] = await shown(sandbox);
    await sandbox.control('POST', `/deliveries/${first?.id}/replay`, {});
    await socket.expect('ServerNotification', 2);
    expect(new Set(socket.events).size).toBe(1);
    await eventually(async () => expect(await states(sandbox)).toEqual(['delivered', 'delivered']));
    socket.socket.close(1000);
    await socket.end();
    await eventually(async () =>
      expect(await sandbox.control('GET', '/subscribers')).toEqual({ records: [] }),
    );
    await expect(sandbox.control('POST', `/deliveries/${first?.id}/replay`, {})).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('deliveries over the hosted channel', () => {
  async function channel() {
    const sandbox = await startSandbox({ listen: false, settings: { channelHoldMilliseconds: 40 } });
    onTestFinished(() => sandbox.close());
    const user = await userClient(sandbox, '102');
    const reply = await user.post('/subscription', {
      eventFilters: [messages],
      deliveryMode: { transportType: 'ChannelService' },
    });
    const { address, subscriberKey } = reply.body['deliveryMode'] as Record<string, string>;
    const read = async (tt: string) =>
      (await send(sandbox, 'GET', `/v2/subscribe/${subscriberKey}/${address}/0?tt=${tt}`))
        .body as unknown as {
        readonly t: { readonly t: string };
        readonly m: readonly object[];
      };
    const text = (value: string) =>
      user.post('/account/~/extension/~/sms', {
        from: { phoneNumber: '+16505550112' },
        to: [{ phoneNumber: '+16505550113' }],
        text: value,
      });
    return { sandbox, user, id: String(reply.body['id']), read, text };
  }

  test('are pending until a client has read them, and lost when the subscription ends', async () => {
    const { sandbox, user, id, read, text } = await channel();
    const start = await read('0');
    await text('one');
    expect(await states(sandbox)).toEqual(['pending']);
    expect((await read(start.t.t)).m).toHaveLength(1);
    await eventually(async () => expect(await states(sandbox)).toEqual(['delivered']));
    await text('two');
    const [first] = await shown(sandbox);
    expect(first).toMatchObject({
      transport: 'ChannelService',
      address: 'Hosted channel of Dana Okafor (102)',
    });
    await sandbox.control('POST', `/deliveries/${first?.id}/replay`, {});
    expect(await states(sandbox)).toEqual(['delivered', 'pending', 'pending']);
    expect((await user.delete(`/subscription/${id}`)).status).toBe(204);
    expect(await shown(sandbox)).toMatchObject([
      { state: 'delivered', address: 'deleted subscription' },
      { state: 'lost', error: 'the subscription ended' },
      { state: 'lost' },
    ]);
    expect(await sandbox.control('GET', '/deliveries?state=lost')).toMatchObject({
      records: [{ transport: 'ChannelService' }, { transport: 'ChannelService' }],
    });
    expect(await sandbox.control('GET', '/status')).toMatchObject({ pendingDeliveries: 0 });
  });

  test('are lost when nobody reads the newest 100', async () => {
    const { sandbox, text } = await channel();
    for (let count = 0; count < 102; count += 1) await text(`${count}`);
    const lostOnes = await shown(sandbox, '?limit=200&state=lost');
    expect(lostOnes.map(({ error }) => error)).toEqual([
      'the channel retains only the newest 100 events',
      'the channel retains only the newest 100 events',
    ]);
  });
});
