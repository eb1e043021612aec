import { expect, test } from 'vitest';
import { CompleteCallLogSyncReply } from '../../../src/contract/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { userClient } from '../request.ts';

const sync = '/account/~/extension/~/call-log-sync?syncType=';
const ringout = '/account/~/extension/~/ring-out';

async function office(dialect: 'spec' | 'current' = 'current') {
  const sandbox = await startSandbox({ listen: false, dialect });
  const user = await userClient(sandbox, '102');
  /** Calls a busy number; the call is over afterwards. */
  const call = async () => {
    await user.post(ringout, { from: { phoneNumber: '+16505550142' }, to: { phoneNumber: '+12025550101' } });
    await sandbox.clock.advance(60_000);
  };
  const since = async (token: string, more = '') => {
    const answer = await user.get(`${sync}ISync&syncToken=${encodeURIComponent(token)}${more}`);
    return { ...answer, token: tokenOf(answer.body), ids: idsOf(answer.body) };
  };
  return { sandbox, user, call, since };
}

function tokenOf(body: Readonly<Record<string, unknown>>): string {
  return (body['syncInfo'] as { readonly syncToken: string } | undefined)?.syncToken ?? '';
}

function idsOf({ records = [] }: { readonly records?: readonly Readonly<Record<string, unknown>>[] }) {
  return records.map(({ id }) => id);
}

test('spec:CALL-25 a full sync returns the latest calls, an incremental one those that changed since the token', async () => {
  const { sandbox, user, call, since } = await office();
  await call();
  await call();
  const full = await user.get(`${sync}FSync&recordCount=1&view=Detailed`);
  expect(CompleteCallLogSyncReply.parse(full.body).syncInfo.syncType).toBe('FSync');
  expect(full.body.records).toMatchObject([{ action: 'RingOut Web', legs: [{}, {}] }]);
  await sandbox.clock.advance(10_000);
  const nothing = await since(tokenOf(full.body));
  expect(nothing.ids).toEqual([]);
  await call();
  const later = await since(nothing.token);
  expect(later.ids).toHaveLength(1);
  expect(later.ids).not.toEqual(idsOf(full.body));
  // Calls of the last 5 s before the token are repeated.
  expect((await since(nothing.token)).ids).toEqual(later.ids);
  await sandbox.close();
});

test('spec:CALL-26 metadataCategory selects calls with metadata, which no call of the sandbox has', async () => {
  const { sandbox, user, call, since } = await office();
  await call();
  const log = '/account/~/extension/~/call-log';
  expect((await user.get(log)).body.records).toHaveLength(1);
  expect((await user.get(`${log}?metadataCategory=support&metadataCategory=sales`)).body.records).toEqual([]);
  const full = await user.get(`${sync}FSync&metadataCategory=support`);
  expect(full.body.records).toEqual([]);
  expect((await since(tokenOf(full.body))).ids).toEqual([]);
  await sandbox.close();
});

test('spec:CALL-25 spec:ERROR-36 a token that is damaged, of another user, of another sync or too old requires a full sync', async () => {
  const { sandbox, user, since } = await office();
  const token = tokenOf((await user.get(`${sync}FSync`)).body);
  const other = await userClient(sandbox, '103');
  const rejected = [
    await since(`${token}x`),
    await other.get(`${sync}ISync&syncToken=${encodeURIComponent(token)}`),
    await since(tokenOf((await user.get('/account/~/extension/~/message-sync?syncType=FSync')).body)),
    await user.get(`${sync}ISync`),
  ];
  expect(rejected.map(({ status, body }) => [status, body.errors[0]?.errorCode])).toEqual([
    [400, 'CLG-101'],
    [400, 'CLG-101'],
    [400, 'CLG-101'],
    [400, 'CMN-101'],
  ]);
  await using elsewhere = await startSandbox({
    listen: false,
    dialect: 'current',
    startTime: Date.UTC(2026, 1),
  });
  const same = await userClient(elsewhere, '102');
  const foreign = await same.get(`${sync}ISync&syncToken=${encodeURIComponent(token)}`);
  expect([foreign.status, foreign.body.errors[0]?.errorCode]).toEqual([400, 'CLG-101']);
  await sandbox.clock.advance(400 * 86_400_000);
  const again = await userClient(sandbox, '102');
  const old = await again.get(`${sync}ISync&syncToken=${encodeURIComponent(token)}`);
  expect([old.status, old.body.errors[0]?.errorCode]).toEqual([400, 'CLG-101']);
  await sandbox.close();
});

test('spec:CALL-25 dialect spec has no sync of the call log', async () => {
  const { sandbox, user } = await office('spec');
  expect((await user.get(`${sync}FSync`)).status).toBe(404);
  await sandbox.close();
});

test('the filters of the full sync apply to the later ones', async () => {
  const { sandbox, user, call, since } = await office();
  const { body } = await user.get(`${sync}FSync&statusGroup=Missed`);
  expect(body.records.every(({ result }) => result === 'Missed')).toBe(true);
  await call();
  expect((await since(tokenOf(body))).ids).toEqual([]);
  await sandbox.close();
});
