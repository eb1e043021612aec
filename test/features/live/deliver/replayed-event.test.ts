import { expect, it } from 'vitest';
import { replayedEvent } from '../../../../src/features/live/index.ts';
import { StoredEvent } from '../../../../src/features/live/store/stored-event.ts';

const text = JSON.stringify({
  event: '/restapi/v1.0/account/1/extension/1/message-store',
  body: { sequence: 1 },
});
const storedAs = (origin: 'webhook' | 'gap') =>
  new StoredEvent(
    { id: 1, receiver: 'listen', key: 'sha256:stored', receivedAt: 0, origin, encrypted: 0, raw: text },
    undefined,
  );

it('a replayed event has its stored ID, and the mark of a recovered event', () => {
  expect(replayedEvent(storedAs('webhook'), text)).toEqual({
    ...(JSON.parse(text) as object),
    key: 'sha256:stored',
  });
  expect(replayedEvent(storedAs('gap'), text)).toMatchObject({ key: 'sha256:stored', recovered: true });
});

it('an edited event has the ID of its text', () => {
  const edited = (body: object): string => JSON.stringify({ ...(JSON.parse(text) as object), ...body });
  expect(replayedEvent(storedAs('gap'), edited({ uuid: 'new' }))).toMatchObject({
    key: 'new',
    recovered: true,
  });
  const { key } = replayedEvent(storedAs('webhook'), edited({ body: {} })) ?? {};
  expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(replayedEvent(storedAs('webhook'), '[]')).toBeUndefined();
});
