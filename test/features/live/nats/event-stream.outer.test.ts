import { describe, expect, it, onTestFinished } from 'vitest';
import { openEventStream, streamRecovery, storeInStream } from '../../../../src/features/live/index.ts';
import { lookBack } from '../../../../src/features/live/recover/recovery.ts';
import { readNotification, type Received } from '../../../../src/features/live/notification/notification.ts';
import type { Context } from '../../../../src/runtime/context.ts';
import { SentSecrets } from '../../../../src/platform/sent-secrets.ts';
import { natsMissing, testNats } from '../../../support/nats.ts';

const receiver = 'listen';

function announcement(uuid: string, id: string): Received {
  const event = '/restapi/v1.0/account/1/extension/7/message-store';
  const body = { extensionId: '7', changes: [{ type: 'SMS', newCount: 1, newMessageIds: [id] }] };
  const received = readNotification(JSON.stringify({ uuid, event, body }));
  if (!received) throw new Error('no notification');
  return received;
}

async function testStream() {
  const { url } = await testNats();
  const ctx = {
    env: {},
    sentSecrets: new SentSecrets(),
    out: { note: () => undefined },
  } as unknown as Context;
  const stream = await openEventStream(ctx, '--sink', `${url}/EVENTS`);
  onTestFinished(() => stream.close());
  return stream;
}

describe.skipIf(natsMissing())('a stream', () => {
  it('does not store an event after a later one, and knows which events it has', async () => {
    const stream = await testStream();
    const event = (key: string) => ({ key, lane: '7', text: '{}' });
    expect(await stream.has('7', 'a')).toBe(false);
    expect(await stream.publish(event('a'), await stream.last())).toBe('new');
    expect(await stream.publish(event('b'), 0)).toBe('overtaken');
    expect(await stream.publish(event('b'), 1)).toBe('new');
    expect(await stream.publish(event('a'), 0)).toBe('duplicate');
    expect([await stream.has('7', 'b'), await stream.has('8', 'b')]).toEqual([true, false]);
    expect(await stream.last()).toBe(2);
  });

  it('has a message once if its notification arrives after the comparison of the recovery', async () => {
    const stream = await testStream();
    const toEvent = ({ key, raw, notification }: Received, origin: string) => {
      return { receiver, key, raw, origin, encrypted: false, notification };
    };
    const late = announcement('late', '5');
    let attempts = 0;
    const recovery = streamRecovery(
      { point: () => undefined, savePoint: () => Promise.resolve() },
      stream,
      async (received, origin, last) => {
        attempts += 1;
        await storeInStream(stream, toEvent(late, 'webhook'));
        return storeInStream(stream, toEvent(received, origin), { last });
      },
    );
    const point = { token: 't', takenAt: 0, known: [], position: lookBack };
    for await (const one of recovery.since('7', point)) expect(one).toBeUndefined();
    expect(await recovery.add(announcement('recovered:7:5', '5'), 'recovered')).toBe('duplicate');
    expect(attempts).toBe(1);
    expect(await stream.last()).toBe(1);
  });
});
