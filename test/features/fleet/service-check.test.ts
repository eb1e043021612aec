import { expect, it } from 'vitest';
import { ServiceCheck } from '../../../src/features/fleet/service-check.ts';
import type { FleetSession } from '../../../src/runtime/fleet-session.ts';

/** A check of a service that replies after some milliseconds. */
function checked(service: { after: number }) {
  let now = 0;
  const timeouts: number[] = [];
  const check = new ServiceCheck(
    () => now,
    () => undefined,
  );
  const session = {
    profile: 'default',
    origin: 'http://127.0.0.1',
    reaches(milliseconds: number) {
      timeouts.push(milliseconds);
      now += Math.min(milliseconds, service.after);
      return Promise.resolve(service.after <= milliseconds);
    },
  } as FleetSession;
  return { check, session, timeouts, rest: (milliseconds: number) => (now += milliseconds) };
}

it('gives a slow service the time that it needed for its last reply', async () => {
  const { check, session, timeouts, rest } = checked({ after: 5000 });
  check.failed();
  rest(check.rest);
  expect(await check.usable([session])).toEqual([]);
  rest(check.rest);
  expect(await check.usable([session])).toEqual([session]);
  expect(await check.replies(session)).toBe(true);
  expect(timeouts).toEqual([4000, 8000, 10_000]);
});

it('has a short timeout again after a reply, even if no task has succeeded since', async () => {
  const service = { after: Number.POSITIVE_INFINITY };
  const { check, session, timeouts, rest } = checked(service);
  check.failed();
  for (const expected of [4000, 8000, 16_000]) {
    rest(check.rest);
    await check.usable([session]);
    expect(timeouts.at(-1)).toBe(expected);
  }
  service.after = 1;
  rest(check.rest);
  expect(await check.usable([session])).toEqual([session]);
  service.after = Number.POSITIVE_INFINITY;
  expect(await check.replies(session)).toBe(false);
  expect(timeouts.at(-1)).toBe(2000);
});
