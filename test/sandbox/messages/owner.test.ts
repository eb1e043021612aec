import { expect, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { rejection, userClient } from '../request.ts';

const sync = '/account/~/extension/~/message-sync?dateFrom=2000-01-01T00:00:00Z&syncType=';

/** A sandbox in which queue 201 and its agent 102 have a voicemail each, and the syncs of the agent. */
async function office(dialect: SandboxOptions['dialect']) {
  const sandbox = await startSandbox({ listen: false, ...(dialect && { dialect }) });
  const trigger = (to: string) => sandbox.control('POST', '/triggers/voicemail', { to });
  const agent = await userClient(sandbox, '102');
  const owners = async (query: string) =>
    ((await agent.get(sync + query)).body.records as unknown as { extensionId: unknown }[])
      .map(({ extensionId }) => Number(extensionId) % 1000)
      .toSorted((a, b) => a - b);
  return { sandbox, agent, owners, trigger };
}

test.each([
  ['current', '', [102]],
  ['current', '&owner=Personal', [102]],
  ['current', '&owner=Shared', [201]],
  ['current', '&owner=Any', [102, 201]],
  ['current', '&owner=Any&voicemailOwner=Personal', [102]],
  ['current', '&owner=Personal&voicemailOwner=Any', [102, 201]],
  ['current', '&voicemailOwner=Shared', [201]],
  ['current', '&owner=171857201', [201]],
  ['current', '&owner=171857102&owner=171857201', [102, 201]],
  // A queue of other users.
  ['current', '&owner=171857203', []],
  ['current', '&owner=Any&ownerExtensionType=Department', [201]],
  ['current', '&ownerExtensionType=Department', []],
  ['current', '&voicemailOwner=Any&ownerExtensionType=User', [102]],
  ['spec', '&owner=Any', [102]],
  ['spec', '&owner=Any&voicemailOwner=Any', [102]],
] as const)(
  'spec:CURRENT-17 spec:CURRENT-19 spec:CURRENT-20 in dialect %s a sync with "%s" returns the messages of %j',
  async (dialect, owner, expected) => {
    const { sandbox, owners, trigger } = await office(dialect);
    await trigger('102');
    await trigger('201');
    expect(await owners(`FSync${owner}`)).toEqual(expected);
    await sandbox.close();
  },
);

test.each([
  ['current', '', [102]],
  ['current', '?owner=Shared', [201]],
  ['current', '?owner=Any', [102, 201]],
  ['current', '?owner=171857201', [201]],
  ['current', '?voicemailOwner=171857201', [201]],
  ['current', '?owner=Any&ownerExtensionType=Department', [201]],
  ['current', '?ownerExtensionType=Voicemail,Department', []],
  ['spec', '?owner=Any', [102]],
] as const)(
  'spec:CURRENT-17 spec:CURRENT-19 spec:CURRENT-20 in dialect %s a list with "%s" has the messages of %j',
  async (dialect, query, expected) => {
    const { sandbox, agent, trigger } = await office(dialect);
    await trigger('102');
    await trigger('201');
    const { records, uri } = (await agent.get(`/account/~/extension/~/message-store${query}`)).body;
    // The address contains the filters in effect, in the same way as the next page does.
    const sent = new URLSearchParams(query);
    expect(new URL(uri).searchParams.getAll('owner').length).toBe(
      dialect === 'spec' ? 0 : sent.getAll('owner').length,
    );
    const owners = records.map(({ extensionId }) => Number(extensionId) % 1000);
    expect(owners.toSorted((a, b) => a - b)).toEqual(expected);
    await sandbox.close();
  },
);

test('spec:CURRENT-17 a deletion by filter deletes shared messages only for administrators', async () => {
  const { sandbox, agent, owners, trigger } = await office('current');
  await trigger('102');
  await trigger('201');
  const path = '/account/~/extension/171857102/message-store';
  expect(rejection(await agent.delete(`${path}?owner=Shared`))).toBe('403 CMN-408');
  expect(await owners('FSync&owner=Any')).toEqual([102, 201]);
  const admin = await userClient(sandbox, 'administrator');
  expect((await admin.delete(`${path}?owner=Shared`)).status).toBe(204);
  expect(await owners('FSync&owner=Any')).toEqual([102]);
  await sandbox.close();
});

test('spec:CURRENT-20 an incremental sync selects the owners of the token by their type', async () => {
  const { sandbox, agent, owners, trigger } = await office('current');
  const { body } = await agent.get(`${sync}FSync&owner=Any`);
  await trigger('102');
  await trigger('201');
  const token = encodeURIComponent((body['syncInfo'] as { readonly syncToken: string }).syncToken);
  expect(await owners(`ISync&syncToken=${token}`)).toEqual([102, 201]);
  expect(await owners(`ISync&syncToken=${token}&ownerExtensionType=Department`)).toEqual([201]);
  await sandbox.close();
});

test('spec:CURRENT-17 an incremental sync continues with the owners of the token', async () => {
  const { sandbox, agent, owners, trigger } = await office('current');
  await trigger('102');
  await sandbox.clock.advance(600_000);
  const { body } = await agent.get(`${sync}FSync&owner=Any`);
  await trigger('201');
  const token = encodeURIComponent((body['syncInfo'] as { readonly syncToken: string }).syncToken);
  expect(await owners(`ISync&syncToken=${token}`)).toEqual([201]);
  await sandbox.close();
});

test('spec:CURRENT-17 an incremental sync omits the messages of a queue that the user has left', async () => {
  const { sandbox, agent, owners, trigger } = await office('current');
  const token = async (query: string) => {
    const { body } = await agent.get(sync + query);
    return encodeURIComponent((body['syncInfo'] as { readonly syncToken: string }).syncToken);
  };
  const [all, shared] = [await token('FSync&owner=Any'), await token('FSync&owner=Shared')];
  const admin = await userClient(sandbox, 'administrator');
  const members = '/account/~/call-queues/171857201/bulk-assign';
  expect((await admin.post(members, { removedExtensionIds: ['171857102'] })).status).toBe(204);
  await trigger('102');
  await trigger('201');
  expect(await owners(`ISync&syncToken=${all}`)).toEqual([102]);
  expect(await owners(`ISync&syncToken=${shared}`)).toEqual([]);
  await sandbox.close();
});

test.each([
  ['current', '102', 200],
  ['current', '105', 403],
  ['spec', '102', 403],
] as const)(
  'spec:CURRENT-17 in dialect %s user %s reads a message of queue 201 and its content with %i',
  async (dialect, user, status) => {
    const { sandbox, trigger } = await office(dialect);
    await trigger('201');
    const queue = '/account/~/extension/171857201/message-store';
    const { body } = await (await userClient(sandbox, '100')).get(`${queue}?dateFrom=2000-01-01T00:00:00Z`);
    const [message] = body.records as unknown as { id: number; attachments: { id: number }[] }[];
    const client = await userClient(sandbox, user);
    const path = `${queue}/${message?.id}`;
    expect((await client.get(path)).status).toBe(status);
    expect((await client.get(`${path}/content/${message?.attachments[0]?.id}`)).status).toBe(status);
    await sandbox.close();
  },
);

test.each([
  ['current', 200, 'FSync'],
  ['spec', 400, undefined],
] as const)('spec:SYNC-1 a sync without a type in dialect %s ends with %i', async (dialect, ...expected) => {
  const { sandbox, agent } = await office(dialect);
  const { status, body } = await agent.get('/account/~/extension/~/message-sync');
  const { syncType } = (body['syncInfo'] ?? {}) as { readonly syncType?: string };
  expect([status, syncType]).toEqual(expected);
  await sandbox.close();
});
