import { expect, it } from 'vitest';
import { buildClient } from '../../src/client/index.ts';
import { fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

it('a call and its legs have a duration in seconds if the service sends only milliseconds', async () => {
  const records = [
    { id: 'a', durationMs: 61_900, legs: [{ durationMs: 1500 }, { duration: 3, durationMs: 4000 }, {}] },
    { id: 'b', duration: 5, durationMs: 9000 },
    { id: 'c', legs: [] },
  ];
  const { http } = fakeService([{ status: 200, body: { records } }]);
  const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
  const found: unknown[] = [];
  for await (const { id, duration, legs } of api.callLog.list('account'))
    found.push([id, duration, (legs ?? []).map((leg) => leg.duration)]);
  expect(found).toEqual([
    ['a', 61, [1, 3, undefined]],
    ['b', 5, []],
    ['c', undefined, []],
  ]);
});
