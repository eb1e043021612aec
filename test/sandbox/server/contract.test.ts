import { expect, test } from 'vitest';
import { createApp } from '../../../src/sandbox/server/app.ts';
import { ContractViolation } from '../../../src/sandbox/request/errors.ts';
import { smallOffice } from '../../../src/sandbox/fixtures/small-office.ts';
import { defaultSettings } from '../../../src/sandbox/world/settings.ts';
import { World } from '../../../src/sandbox/world/world.ts';

test('a reply that violates the contract fails in tests and is sent otherwise', async () => {
  const world = new World({
    database: ':memory:',
    seed: 1,
    clock: 'frozen',
    startTime: 0,
    settings: defaultSettings,
    timers: {},
  });
  world.inTransaction(() => {
    smallOffice(world, []);
    const session = world.sessions.open({
      clientId: 'sandbox-desk',
      extensionId: 171857102,
      endpointId: null,
      createdAt: 0,
    });
    world.sessions.addToken('token', 'access', session, 1000);
    world.presences.save({ ...world.presences.of(171857102), telephonyStatus: 'Humming' });
  });
  const request = () =>
    new Request('http://127.0.0.1/restapi/v1.0/account/~/extension/~/presence?access_token=token');
  await expect(createApp(world, true)(request())).rejects.toThrow(ContractViolation);
  expect((await createApp(world, false)(request())).status).toBe(200);
  world.close();
});
