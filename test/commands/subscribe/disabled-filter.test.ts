import { expect, it } from 'vitest';
import { userClient } from '../../sandbox/request.ts';
import { openOffice } from '../office.ts';

const own = '/restapi/v1.0/account/~/extension/~/message-store';

/** A subscription with a presence that its user may no longer read, so that the service has disabled the filter. */
async function openDisabled() {
  const { run, sandbox } = await openOffice('102');
  const [user, other] = [await userClient(sandbox, '102'), await userClient(sandbox, '103')];
  const presence = `/restapi/v1.0/account/${sandbox.ready.accountId}/extension/171857103/presence`;
  const show = (allowSeeMyPresence: boolean) =>
    other.put('/account/~/extension/~/presence', { allowSeeMyPresence });
  const body = { eventFilters: [presence, own], deliveryMode: { transportType: 'PubNub' } };
  const { id } = (await user.post('/subscription', body)).body;
  await show(false);
  const { body: renewed } = await user.post(`/subscription/${id}/renew`);
  return { run, id: String(id), presence, show, renewed };
}

it('the service lists a disabled filter separately', async () => {
  const { renewed, presence } = await openDisabled();
  expect(renewed['eventFilters']).toHaveLength(1);
  expect(renewed['eventFilters']).not.toContain(presence);
  expect(renewed['disabledFilters']).toMatchObject([{ filter: presence }]);
});

it('a new lifetime restores a disabled filter that the user may read again', async () => {
  const { run, id, presence, show } = await openDisabled();
  await show(true);
  const { exit, stdout, stderr } = await run(`subscribe update ${id} --expires-in 3600 -o json`);
  expect([exit, stderr]).toEqual([0, '']);
  const changed = JSON.parse(stdout) as Record<string, unknown>;
  expect(changed['eventFilters']).toEqual(expect.arrayContaining([presence]));
  expect(changed).not.toHaveProperty('disabledFilters');
});

it('a new lifetime that the service rejects because of a disabled filter names the filter', async () => {
  const { run, id, presence } = await openDisabled();
  const { exit, stderr } = await run(`subscribe update ${id} --expires-in 3600`);
  expect(exit).not.toBe(0);
  expect(stderr).toContain(`the service has disabled ${presence}`);
  expect(stderr).toContain(`ucctl subscribe update ${id} --events EVENTS`);
});

it('a renewal names a disabled filter once', async () => {
  const { run, id, presence } = await openDisabled();
  const { exit, stderr } = await run(`subscribe update ${id}`);
  expect([exit, stderr.split(presence)]).toEqual([0, expect.objectContaining({ length: 2 })]);
});
