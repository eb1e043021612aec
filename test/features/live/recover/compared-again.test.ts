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
  const { since, add } = comparedAgain(
    async function* read(_extensionId, after) {
      reads.push(after);
      for (const [index, raw] of log.entries()) if (index >= after) yield { position: index + 1, raw };
    },
    ({ raw }) => {
      log.push(raw);
      return Promise.resolve('new');
    },
  );
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
