import { expect, test } from 'vitest';
import { permissionIncludes } from '../../src/contract/enums.ts';
import { renewBeforeExpirySeconds } from '../../src/contract/limits.ts';
import { operations, type Operation } from '../../src/contract/operations.ts';
import { CompletePresence } from '../../src/contract/presence.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { smallOffice } from '../../src/sandbox/fixtures/small-office.ts';
import { defaultSettings } from '../../src/sandbox/world/settings.ts';
import { World } from '../../src/sandbox/world/world.ts';
import { userClient } from './request.ts';

/** The table of permissions, transcribed: name, and what it includes. "the service" is called RingOut here. */
const table = `
  Accounts: EditAccounts; Contacts: ReadContacts; DirectRingOut; EditAccounts: ReadAccounts EditExtensions; EditCallLog: ReadCallLog;
  EditCustomData; EditExtensions; EditMessages: ReadMessages; EditPaymentInfo; EditPresence: ReadPresence; EditReportingSettings;
  Faxes: ReadMessages; InternalMessages: ReadMessages; Interoperability; Meetings; NumberLookup; ReadAccounts; ReadCallLog;
  ReadCallRecording: ReadCallLog; ReadClientInfo; ReadContacts; ReadMessages; ReadPresence; RingOut; RoleManagement; SMS: ReadMessages;
  VoipCalling`
  .split(';')
  .map((line) => line.trim().split(/:? +/))
  .map(([name = '', ...included]) => [name, included] as const);

test('spec:PERMISSION-3 to PERMISSION-29 the table of the contract is that of the specification', () => {
  expect(Object.entries(permissionIncludes)).toEqual(table);
});

test('spec:PERMISSION-3 to PERMISSION-29, PERMISSION-2 what a permission includes is granted with it, transitively', () => {
  const world = new World({
    database: ':memory:',
    seed: 1,
    clock: 'frozen',
    startTime: 0,
    settings: defaultSettings,
    timers: {},
  });
  smallOffice(world, []);
  const includes = new Map(table);
  const closure = (name: string): readonly string[] => [name, ...(includes.get(name) ?? []).flatMap(closure)];
  for (const [name] of table) {
    const app = world.apps.byId('sandbox-reader');
    if (!app) throw new Error('the fixture has no reader');
    world.apps.save({ ...app, permissions: [name as keyof typeof permissionIncludes] });
    expect([...(world.apps.byId('sandbox-reader')?.granted ?? [])].sort()).toEqual(
      [...new Set(closure(name))].sort(),
    );
  }
  world.close();
});

test('spec:PRESENCE-6 to PRESENCE-15 every field of a presence', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const { body } = await user.put('/account/~/extension/~/presence', { message: 'Back at ten' });
  expect(CompletePresence.parse(body)).toMatchObject({
    uri: expect.stringMatching(/\/presence$/) as string,
    extension: { id: 171_857_102, extensionNumber: '102' },
    presenceStatus: 'Available',
    telephonyStatus: 'NoCall',
    userStatus: 'Available',
    dndStatus: 'TakeAllCalls',
    message: 'Back at ten',
    allowSeeMyPresence: true,
    ringOnMonitoredCall: false,
    pickUpCallsOnHold: false,
  });
});

test('spec:PRESENCE-1 to PRESENCE-3 the queue-agent mode is the dndStatus', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const path = '/account/~/extension/~/presence';
  await user.put(path, { dndStatus: 'DoNotAcceptDepartmentCalls' });
  expect((await user.get(path)).body['dndStatus']).toBe('DoNotAcceptDepartmentCalls');
});

test('spec:QUEUE-5 no operation creates a queue', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const admin = await userClient(sandbox, 'administrator');
  expect((await admin.post('/account/~/extension', { type: 'Department' })).status).toBe(404);
  expect((await admin.post('/account/~/department', {})).status).toBe(404);
});

test('spec:EXT-11 people are Enabled, Disabled or Frozen', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const user = await userClient(sandbox, '102');
  const { records } = (await user.get('/account/~/extension')).body;
  expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['Enabled', 'Disabled', 'Frozen']));
});

test('spec:BASE-12, BASE-13 v1.0 in every path, but not in those of tokens', () => {
  const paths = Object.values(operations).map((operation: Operation) => operation.path);
  const other = paths.filter((path) => path.startsWith('/restapi') && !path.startsWith('/restapi/v1.0/'));
  expect(other).toEqual([
    '/restapi/oauth/wstoken',
    '/restapi',
    '/restapi/oauth/authorize',
    '/restapi/oauth/token',
    '/restapi/oauth/revoke',
  ]);
});

test('spec:SUBSCRIPTION-23 a renewal is due one to two minutes before the end', () => {
  expect(renewBeforeExpirySeconds).toBeGreaterThanOrEqual(60);
  expect(renewBeforeExpirySeconds).toBeLessThanOrEqual(120);
});
