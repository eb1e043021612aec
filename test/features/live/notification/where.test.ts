import { expect, it } from 'vitest';
import { compileWhere } from '../../../../src/features/live/index.ts';

const event = (uuid: string, body: unknown) => ({
  uuid,
  event: '/restapi/v1.0/account/1/extension/1/message-store',
  timestamp: '2026-01-05T09:00:00.000Z',
  subscriptionId: 's',
  body,
});

it('--where warns once if the expression fails on events', async () => {
  const warnings: string[] = [];
  const where = await compileWhere('.changes[0].newCount.x', (text) => warnings.push(text));
  for (const uuid of ['a', 'b'])
    expect(where(event(uuid, { changes: [{ newCount: 1 }] }) as never)).toBe(false);
  expect(warnings).toEqual([
    expect.stringMatching(/^--where failed for event a, so the event is not shown: .*Cannot index number/),
  ]);
});

it('--where that selects an event, or not, needs no warning', async () => {
  const warnings: string[] = [];
  const where = await compileWhere('.changes', (text) => warnings.push(text));
  expect([where(event('a', { changes: [] }) as never), where(event('b', undefined) as never)]).toEqual([
    true,
    false,
  ]);
  expect(warnings).toEqual([]);
});
