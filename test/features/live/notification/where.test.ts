import { expect, it } from 'vitest';
import { compileWhere } from '../../../../src/features/live/index.ts';
import type { ShownEvent } from '../../../../src/features/live/notification/shown-event.ts';

const event = (uuid: string, body: ShownEvent['body']): ShownEvent => ({
  uuid,
  event: '/restapi/v1.0/account/1/extension/1/message-store',
  timestamp: '2026-01-05T09:00:00.000Z',
  subscriptionId: 's',
  body,
});

async function warned(expression: string) {
  const warnings: string[] = [];
  const clock = { now: 0 };
  const where = await compileWhere(expression, {
    now: () => clock.now,
    warn: (text) => warnings.push(text),
  });
  return { where, warnings, clock };
}

it('--where warns of the first failure, and counts the other events every minute and on exit', async () => {
  const { where, warnings, clock } = await warned('.changes[0].newCount.x');
  // The output and each delivery check the same event.
  const check = (key: string): void => {
    for (let reader = 0; reader < 2; reader += 1)
      expect(where.matches(event(key, { changes: [{ newCount: 1 }] }), key)).toBe(false);
  };
  const first = expect.stringMatching(
    /^--where failed for event a, so the event is neither shown nor delivered: .*Cannot index number/,
  ) as string;
  for (const key of ['a', 'b', 'c']) check(key);
  expect(warnings).toEqual([first]);
  clock.now = 60_000;
  check('d');
  const more = (count: string): string => `--where failed for ${count}, neither shown nor delivered`;
  expect(warnings).toEqual([first, more('3 more events')]);
  check('e');
  where.end();
  where.end();
  expect(warnings).toEqual([first, more('3 more events'), more('1 more event')]);
});

it('--where that selects an event, or not, needs no warning', async () => {
  const { where, warnings } = await warned('.changes');
  const matches = (key: string, body: ShownEvent['body']): boolean => where.matches(event(key, body), key);
  expect([matches('a', { changes: [] }), matches('b', undefined)]).toEqual([true, false]);
  where.end();
  expect(warnings).toEqual([]);
});
