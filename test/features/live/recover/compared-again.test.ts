import { expect, it } from 'vitest';
import { receivedFrom } from '../../../../src/features/live/notification/notification.ts';
import { comparedAgain } from '../../../../src/features/live/recover/compared-again.ts';
import { lookBack } from '../../../../src/features/live/recover/recovery.ts';

function notification(uuid: string, id: string) {
  const changes = [{ type: 'SMS', newCount: 1, newMessageIds: [id] }];
  const event = '/restapi/v1.0/account/1/extension/101/message-store';
  return { uuid, event, timestamp: '2026-01-05T09:00:00Z', body: { extensionId: '101', changes } };
}

it('does not store a recovered message whose notification arrived after the first comparison', async () => {
  const log = [JSON.stringify(notification('a', '4'))];
  const reads: number[] = [];
  const { since, add } = comparedAgain({
    async *read(_extensionId, after) {
      reads.push(after);
      for (const [index, raw] of log.entries()) if (index >= after) yield { position: index + 1, raw };
    },
    append({ raw }) {
      log.push(raw);
      return Promise.resolve('new');
    },
  });
  const point = { token: 't', takenAt: 0, known: [], position: lookBack };
  const compared: unknown[] = [];
  for await (const { uuid } of since('101', point)) compared.push(uuid);
  expect(compared).toEqual(['a']);
  log.push(JSON.stringify(notification('late', '6')));
  const recovered = (id: string) => receivedFrom(notification(`recovered:101:${id}`, id));
  expect(await add(recovered('5'), 'recovered')).toBe('new');
  expect(await add(recovered('6'), 'recovered')).toBe('duplicate');
  expect(await add(receivedFrom(notification('snapshot:101:1', '6')), 'gap')).toBe('new');
  expect(log.map((raw) => (JSON.parse(raw) as { uuid: string }).uuid)).toEqual([
    'a',
    'late',
    'recovered:101:5',
    'snapshot:101:1',
  ]);
  // Each event is read once.
  expect(reads).toEqual([0, 1, 2]);
});

/** A log in which an event arrives before each attempt to store a recovered message. */
function busyLog(arriving: (attempt: number) => string) {
  const log: string[] = [];
  let attempts = 0;
  const { since, add } = comparedAgain({
    async *read(_extensionId, after) {
      for (const [index, raw] of log.entries()) if (index >= after) yield { position: index + 1, raw };
    },
    last: () => Promise.resolve(log.length),
    append({ raw }, _origin, last) {
      attempts += 1;
      log.push(arriving(attempts));
      if (last !== undefined && log.length > last) return Promise.resolve('overtaken');
      log.push(raw);
      return Promise.resolve('new');
    },
  });
  const recover = async (id: string) => {
    const point = { token: 't', takenAt: 0, known: [], position: lookBack };
    for await (const one of since('101', point)) expect(one).toBeUndefined();
    return add(receivedFrom(notification(`recovered:101:${id}`, id)), 'recovered');
  };
  return { log, attempts: () => attempts, recover };
}

it('does not store a recovered message whose notification arrives between the comparison and the storage', async () => {
  const { log, attempts, recover } = busyLog(() => JSON.stringify(notification('late', '6')));
  expect(await recover('6')).toBe('duplicate');
  expect([log.length, attempts()]).toEqual([1, 1]);
});

it('stores a recovered message although other events arrive all the time', async () => {
  const { attempts, recover } = busyLog((attempt) => JSON.stringify(notification('other', `x${attempt}`)));
  expect(await recover('6')).toBe('new');
  expect(attempts()).toBe(101);
});
