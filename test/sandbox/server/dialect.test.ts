import { describe, expect, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { openOffice } from '../../commands/office.ts';
import { refusal, send, userClient } from '../request.ts';

const ringout = '/account/~/extension/~/ringout';
const to = { phoneNumber: '+14155550199' };

function speaking(dialect: SandboxOptions['dialect']) {
  return startSandbox({ listen: false, ...(dialect && { dialect }) });
}

describe('spec:SANDBOX-18 --dialect spec|current', () => {
  test('as the specification has it by default: its paths and values, and none of today', async () => {
    await using sandbox = await speaking(undefined);
    const admin = await userClient(sandbox, 'administrator');
    const group = sandbox.ready.groups[0]?.id;
    expect(sandbox.ready.dialect).toBe('spec');
    expect((await admin.post(ringout, { to })).status).toBe(200);
    expect((await admin.post(`/chat/groups/${group}/webhooks`)).status).toBe(200);
    const today = await send(sandbox, 'POST', `/restapi/../team-messaging/v1/groups/${group}/webhooks`, {
      token: admin.token,
    });
    expect(refusal(today)).toBe('404 AGW-404');
    expect(await sandbox.control('GET', '/settings')).toMatchObject({
      webhookTimeoutMilliseconds: 1000,
      syncDefaultSeconds: 604_800,
      subscriptionsPerUser: 20,
      smsRecipients: 1,
      webhookEncryption: 'spec',
    });
  });

  test('spec:CURRENT-1, CURRENT-2, CURRENT-6, CURRENT-11 current: the paths of today alone, and its values; a setting that is named wins', async () => {
    await using sandbox = await startSandbox({
      listen: false,
      dialect: 'current',
      settings: { subscriptionsPerUser: 7 },
    });
    const admin = await userClient(sandbox, 'administrator');
    const group = sandbox.ready.groups[0]?.id;
    const call = await admin.post('/account/~/extension/~/ring-out', { to });
    expect(call.status).toBe(200);
    expect((await admin.get(`/account/~/extension/~/ring-out/${call.body.id}`)).status).toBe(200);
    expect(refusal(await admin.post(ringout, { to }))).toBe('404 AGW-404');
    expect(refusal(await admin.post(`/chat/groups/${group}/webhooks`))).toBe('404 AGW-404');
    const chat = '/restapi/../team-messaging/v1';
    const at = (method: string, path: string) => send(sandbox, method, chat + path, { token: admin.token });
    const made = await at('POST', `/groups/${group}/webhooks`);
    expect(made.body).toMatchObject({ status: 'Active', groupIds: [group] });
    expect((await at('GET', `/webhooks/${made.body.id}`)).body.records).toMatchObject([{ id: made.body.id }]);
    expect((await at('POST', `/webhooks/${made.body.id}/suspend`)).status).toBe(200);
    expect(await sandbox.control('GET', '/settings')).toMatchObject({
      webhookTimeoutMilliseconds: 3000,
      syncDefaultSeconds: 86_400,
      subscriptionsPerUser: 7,
      smsRecipients: 10,
      webhookEncryption: 'never',
    });
  });

  test('spec:CURRENT-5 current: 30 subscriptions for a user and application', async () => {
    await using sandbox = await speaking('current');
    expect(await sandbox.control('GET', '/settings')).toMatchObject({ subscriptionsPerUser: 30 });
  });

  test('spec:CURRENT-3, SYNC-5 without dateFrom a sync reaches back as far as the dialect has it', async () => {
    for (const [dialect, found] of [
      ['spec', 1],
      ['current', 0],
    ] as const) {
      await using sandbox = await speaking(dialect);
      await sandbox.control('POST', '/triggers/sms', { to: '102' });
      await sandbox.clock.advance(2 * 86_400_000);
      const user = await userClient(sandbox, '102');
      const { records } = (await user.get('/account/~/extension/~/message-sync?syncType=FSync')).body;
      expect(records).toHaveLength(found);
    }
  });

  test('the client speaks to it in the same dialect, and not in the other', async () => {
    const office = await openOffice('administrator', undefined, undefined, { dialect: 'current' });
    const words = `ringout start --to ${to.phoneNumber} --yes -o json`;
    expect((await office.run(`${words} --dialect current`)).exit).toBe(0);
    expect((await office.run(words)).exit).not.toBe(0);
    const group = office.sandbox.ready.groups[0]?.id ?? '';
    const hook = await office.run(`webhook create --group ${group} --dialect current -o json`);
    expect(hook.exit).toBe(0);
  });
});
