import { expect, it } from 'vitest';
import { openProfile } from '../../console/profile.ts';

it('the events of a running console get the names that another command stores', async () => {
  const at = { clock: Date.UTC(2026, 0, 5, 9) };
  const { run, ask, end } = await openProfile(undefined, { now: () => at.clock });
  const event = '/restapi/v1.0/account/1/extension/171857102/presence';
  const stdin = JSON.stringify({ uuid: 'one', event, body: { presenceStatus: 'Busy' } });
  expect((await run('events import -', { stdin })).exit).toBe(0);
  const texts = async () => {
    const { lines } = (await (await ask('/api/events?text=')).json()) as { lines: { description: string }[] };
    return lines.map(({ description }) => description);
  };
  expect(await texts()).toEqual(['Extension 171857102 is busy']);
  expect((await run('agent list')).exit).toBe(0);
  at.clock += 10_000;
  expect(await texts()).toEqual(['Dana Okafor (102) is busy']);
  await end();
});
