import { dialectPaths, dialects, type DialectName } from '../../../src/contract/dialects.ts';
import { operationsOf, pathsOf } from '../../../src/contract/operations.ts';
import { openApi } from '../../../src/sandbox/control/openapi.ts';
import { describe, expect, test } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { openOffice } from '../../commands/office.ts';
import { rejection, send, userClient } from '../request.ts';

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
    const today = await send(sandbox, 'POST', `/team-messaging/v1/groups/${group}/webhooks`, {
      token: admin.token,
    });
    expect(rejection(today)).toBe('404 AGW-404');
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
    expect(rejection(await admin.post(ringout, { to }))).toBe('404 AGW-404');
    expect(rejection(await admin.post(`/chat/groups/${group}/webhooks`))).toBe('404 AGW-404');
    const chat = '/team-messaging/v1';
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

  test.each([
    ['spec', true],
    ['current', false],
  ] as const)(
    'spec:OPERATION-35 spec:OPERATION-37 dialect %s names the mailbox in the reply to a send: %s',
    async (dialect, isShown) => {
      await using sandbox = await speaking(dialect);
      const admin = await userClient(sandbox, 'administrator');
      const text = {
        from: { phoneNumber: '+16505550110' },
        to: [{ phoneNumber: '+14155550100' }],
        text: 'hi',
      };
      const sent = await admin.post('/account/~/extension/~/sms', text);
      expect('extensionId' in sent.body).toBe(isShown);
      const page = { from: { extensionNumber: '100' }, to: [{ extensionNumber: '102' }], text: 'hi' };
      expect('extensionId' in (await admin.post('/account/~/extension/~/company-pager', page)).body).toBe(
        isShown,
      );
      const stored = await admin.get(`/account/~/extension/~/message-store/${sent.body.id}`);
      expect(stored.body).toHaveProperty('extensionId');
    },
  );

  test('spec:OPERATION-54 current: only the reply for one extension has the reason of its status', async () => {
    await using sandbox = await speaking('current');
    const admin = await userClient(sandbox, 'administrator');
    await admin.post('/account/~/extension-bulk-update', {
      records: [{ id: '171857103', status: 'Disabled', statusInfo: { reason: 'Voluntarily' } }],
    });
    await sandbox.clock.advance(10_000);
    const { records } = (await admin.get('/account/~/extension?extensionNumber=103')).body;
    expect(records.map((one) => 'statusInfo' in one)).toEqual([false]);
    expect((await admin.get('/account/~/extension/171857103')).body).toMatchObject({
      statusInfo: { reason: 'Voluntarily' },
    });
  });

  test('spec:CURRENT-10 current: ids of RingOut calls are strings, and every address in a reply can be read', async () => {
    for (const dialect of ['spec', 'current'] as const) {
      await using sandbox = await speaking(dialect);
      const admin = await userClient(sandbox, 'administrator');
      const { ringoutPath, chatPath } = dialects[dialect];
      const call = await admin.post(`/account/~/extension/~/${ringoutPath}`, { to });
      expect(typeof call.body.id).toBe(dialect === 'current' ? 'string' : 'number');
      const token = admin.token;
      const group = sandbox.ready.groups[0]?.id;
      await send(sandbox, 'POST', `${chatPath}/groups/${group}/webhooks`, { token });
      const lists = [`${chatPath}/webhooks`, `${chatPath}/groups/${group}/webhooks`];
      const replies = await Promise.all(lists.map((path) => send(sandbox, 'GET', path, { token })));
      for (const { body } of [call, ...replies]) {
        const again = await send(sandbox, 'GET', new URL(body.uri).pathname, { token });
        expect(again).toMatchObject({ status: 200, body: { uri: body.uri } });
      }
    }
  });

  test('spec:ERROR-39 current: filters of team messaging are rejected with a message of the sandbox', async () => {
    await using sandbox = await speaking('current');
    const admin = await userClient(sandbox, 'administrator');
    const deliveryMode = { transportType: 'WebHook', address: 'http://127.0.0.1:1/' };
    const subscribe = async (filter: string) =>
      (await admin.post('/subscription', { eventFilters: [filter], deliveryMode })).body['message'];
    expect(await subscribe('/team-messaging/v1/posts')).toBe(
      'The sandbox has no team messaging events: [/team-messaging/v1/posts]',
    );
    expect(await subscribe('/team-messaging')).toBe('Event filter is invalid: [/team-messaging]');
  });

  test('spec:PERMISSION-30 the permission of an operation depends on the dialect', async () => {
    const missing = async (dialect: DialectName) => {
      await using sandbox = await speaking(dialect);
      const { token, post } = await userClient(sandbox, 'administrator', 'sandbox-reader');
      const webhooks = await send(sandbox, 'GET', `${dialects[dialect].chatPath}/webhooks`, { token });
      const assigned = await post('/account/~/department/bulk-assign', { items: [] });
      return [webhooks, assigned].map(({ body }) => (body as { permissionName?: unknown }).permissionName);
    };
    expect(await missing('spec')).toEqual([undefined, 'EditExtensions']);
    expect(await missing('current')).toEqual(['TeamMessaging', 'EditAccounts']);
  });

  test('the OpenAPI document describes the operations of the dialect', () => {
    const current = Object.keys((openApi('http://127.0.0.1', 'current') as { paths: object }).paths);
    expect(current).toContain('/team-messaging/v1/webhooks');
    expect(current.filter((path) => /\/ringout|\/v1.0\/chat/.test(path))).toEqual([]);
  });

  test('spec:CURRENT-13 current: the type SMS of calls is rejected, by the sandbox and by the command', async () => {
    const office = await openOffice('administrator', undefined, undefined, { dialect: 'current' });
    const admin = await userClient(office.sandbox, 'administrator');
    expect((await admin.get('/account/~/call-log?type=Voice&type=Fax')).status).toBe(200);
    for (const list of ['call-log', 'active-calls', 'extension/~/active-calls']) {
      expect(rejection(await admin.get(`/account/~/${list}?type=SMS`))).toBe('400 CMN-101');
    }
    office.requests();
    const list = await office.run('calllog list --type sms,SMS --dialect current');
    expect(list.exit).toBe(2);
    expect(list.stderr).toContain(
      '"SMS" is not a valid call type in dialect current; this dialect has the types Voice and Fax',
    );
    expect(list.stderr).toContain('ucctl sms list');
    const stats = await office.run('calllog stats --type SMS --dialect current');
    expect([stats.exit, stats.stderr.includes('in dialect current; this dialect has the types')]).toEqual([
      2,
      true,
    ]);
    expect(office.requests()).toEqual([]);
  });

  test('a path that the service does not have is reported with the dialect, not as a missing id', async () => {
    const office = await openOffice('administrator', undefined, undefined, { dialect: 'current' });
    const base = '/restapi/v1.0/account/~/extension/~';
    for (const [line, text, hint] of [
      ['webhook list', '/restapi/v1.0/chat/webhooks', 'use --dialect current'],
      [`api ${base}/ringout/5`, 'Resource not found', 'use --dialect current'],
      [
        'api /restapi/v1.0/chat/webhooks --dialect current',
        'Resource not found',
        'only dialect spec has such paths, and this run has dialect current',
      ],
    ] as const) {
      const { exit, stderr } = await office.run(line);
      expect([line, exit]).toEqual([line, 3]);
      expect(stderr).toContain(text);
      expect(stderr).toContain(hint);
      expect(stderr).not.toContain('check the ID');
      expect(stderr).not.toContain('config set');
    }
    const unknown = await office.run(`api ${base}/blah`);
    const { hint } = (JSON.parse(unknown.stderr) as { readonly error: { readonly hint: string } }).error;
    expect([unknown.exit, hint]).toEqual([
      3,
      'check the path, because the service does not have it; to check the base URL: ucctl config list --show-origin',
    ]);
  });

  test('the patterns of paths with one dialect match the operations', () => {
    const [spec, current] = (['spec', 'current'] as const).map(
      (name) => new Set([...operationsOf(name).values()].flatMap(pathsOf)),
    );
    for (const path of new Set([...(spec ?? []), ...(current ?? [])])) {
      const matched = [dialectPaths.spec.test(path), dialectPaths.current.test(path)];
      expect([path, ...matched]).toEqual([path, !current?.has(path), !spec?.has(path)]);
    }
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
