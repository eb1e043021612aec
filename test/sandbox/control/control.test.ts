import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { checkSettings } from '../../../src/sandbox/world/setting-schemas.ts';
import { defaultSettings } from '../../../src/sandbox/world/settings.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { rejection, send, userClient } from '../request.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

/** Presence filters force encryption; these tests look into the notifications. */
const inClear = { webhookEncryption: 'never', webhookTimeoutMilliseconds: conditionLimit } as const;

const presence = '/account/~/extension/~/presence';

describe('who may use the control API', () => {
  test('spec:SANDBOX-20 only this machine, under the right name, and no page of a browser', async () => {
    await using sandbox = await startSandbox();
    const ask = (headers: Record<string, string>, path = '/sandbox/v1/clock') =>
      raw(sandbox.url, `GET ${path} HTTP/1.1`, { Host: new URL(sandbox.url).host, ...headers });
    expect(await ask({})).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask({ Host: 'evil.example' })).toMatch(/^HTTP\/1\.1 403 [^]*evil\.example/);
    expect(await ask({ Host: `localhost:1` })).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask({ Origin: 'https://evil.example' })).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask({ Origin: 'null' })).toMatch(/^HTTP\/1\.1 403 /);
    expect(await ask({ Origin: sandbox.url })).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask({}, '/sandbox/v1/nothing')).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('a form cannot be posted, unknown members and wrong methods are rejected', async () => {
    await using sandbox = await startSandbox();
    const url = `${sandbox.url}/sandbox/v1/reset`;
    const form = await fetch(url, { method: 'POST', body: new URLSearchParams({ fixture: 'x' }) });
    expect(form.status).toBe(415);
    await expect(sandbox.control('POST', '/faults', { kind: 'status', who: 1 })).rejects.toThrow('who');
    await expect(sandbox.control('PATCH', '/clock', {})).rejects.toMatchObject({ status: 405 });
    await expect(sandbox.control('POST', '/faults', { kind: 'sneeze' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(sandbox.control('GET', '/%ff')).rejects.toMatchObject({ status: 404 });
  });

  async function raw(url: string, line: string, headers: Record<string, string>): Promise<string> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const lines = Object.entries({ ...headers, Connection: 'close' }).map(
      ([name, value]) => `${name}: ${value}`,
    );
    socket.write(`${line}\r\n${lines.join('\r\n')}\r\n\r\n`);
    return text(socket);
  }
});

describe('state', () => {
  test('reset: as at the start', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { hash } = await sandbox.control('GET', '/state');
    await (await userClient(sandbox, '102')).put(presence, { message: 'changed' });
    await sandbox.control('POST', '/triggers/sms', { to: '102' });
    await sandbox.clock.advance(1000);
    expect((await sandbox.control('GET', '/state'))['hash']).not.toBe(hash);
    await sandbox.control('POST', '/reset', {});
    expect(sandbox.messages()).toEqual([]);
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 0, 5, 9));
    await expect(sandbox.control('POST', '/reset', { fixture: 'moon' })).rejects.toThrow('moon');
    expect((await userClient(sandbox, '102')).token).not.toBe('');
  });

  test('snapshots: save, list, load; the time comes back too', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    await user.put(presence, { message: 'before' });
    await sandbox.control('POST', '/snapshots', { name: 'calm' });
    const time = sandbox.clock.now();
    const { hash } = await sandbox.control('GET', '/state');
    await user.put(presence, { message: 'after' });
    await sandbox.control('POST', '/triggers/sms', { to: '102' });
    await sandbox.clock.advance(86_400_000);
    expect((await sandbox.control('GET', '/snapshots'))['records']).toMatchObject([{ name: 'calm' }]);
    await sandbox.control('POST', '/snapshots/calm/load', {});
    expect((await user.get(presence)).body['message']).toBe('before');
    expect(sandbox.clock.now()).toBe(time);
    expect((await sandbox.control('GET', '/state'))['hash']).toBe(hash);
    // No snapshot can have the second and the third name.
    for (const name of ['none', 'my%20state', '..%2F..%2Fcalm'])
      await expect(sandbox.control('POST', `/snapshots/${name}/load`, {})).rejects.toMatchObject({
        status: 404,
      });
    await expect(sandbox.control('POST', '/snapshots', { name: '../x' })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('settings: show, change, validate, and retain them after a reload of the world', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const changed = await sandbox.control('PATCH', '/settings', { smsSentMilliseconds: 5000 });
    expect(changed['smsSentMilliseconds']).toBe(5000);
    for (const bad of [
      { callProgression: 'zz' },
      { messageProgression: '' },
      { webhookFailureStatus: 'Active' },
      { pkce: true },
      { sessionsPerUserAndApp: 0 },
      // Reminders without an interval would fire without end.
      { reminderJobSeconds: 0 },
      { codeSeconds: -1 },
      { webhookTimeoutMilliseconds: 1e12 },
      { webhookRetries: 0.5 },
      { recordCalls: 1 },
      { smsSentMilliseconds: 1, constructor: 1 },
    ]) {
      const name = Object.keys(bad).at(-1) ?? '';
      await expect(sandbox.control('PATCH', '/settings', bad)).rejects.toThrow(name);
    }
    expect(await sandbox.control('GET', '/settings')).toEqual(changed);
    await expect(startSandbox({ listen: false, settings: { codeSeconds: 0.5 } })).rejects.toThrow(
      'codeSeconds',
    );
    expect(() => checkSettings({ ...defaultSettings })).not.toThrow();
    await expect(sandbox.control('PATCH', '/settings', { colour: 1 })).rejects.toThrow('colour');
    await expect(sandbox.control('PATCH', '/settings', { smsSentMilliseconds: 'x' })).rejects.toThrow(
      'number',
    );
  });

  test('tenants: concurrent sandboxes share no state', async () => {
    await using one = await startSandbox({ listen: false });
    await using other = await startSandbox({ listen: false });
    await one.control('POST', '/triggers/sms', { to: '102' });
    await one.clock.advance(5000);
    expect([one.messages().length, other.messages().length]).toEqual([1, 0]);
    expect(one.clock.now() - other.clock.now()).toBe(5000);
  });
});

describe('triggers and traffic', () => {
  test('spec:SANDBOX-16 triggers exist for every filter: each tells its subscriber', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await userClient(sandbox, '102');
    const own = '/restapi/v1.0/account/~/extension/~';
    const created = await user.post('/subscription', {
      eventFilters: [
        `${own}/message-store`,
        `${own}/presence`,
        '/restapi/v1.0/account/~/extension',
        '/restapi/v1.0/subscription/~?threshold=60&interval=15',
      ],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    expect(created.status).toBe(200);
    const trigger = (kind: string, input: object) => sandbox.control('POST', `/triggers/${kind}`, input);
    await trigger('sms', { to: '102', text: 'hello' });
    await trigger('presence', { extension: '102', userStatus: 'Busy' });
    await trigger('extension', { extension: '103' });
    await trigger('line', { extension: '102' });
    await trigger('reminder', { subscription: created.body.id });
    await sandbox.settled();
    const bodies = webhook.notifications().map(({ body }) => Object.keys(body as object)[0]);
    expect(bodies).toEqual(expect.arrayContaining(['accountId', 'extensionId', 'extensions', 'expiresIn']));
    expect(sandbox.messages().at(-1)).toMatchObject({ subject: 'hello', direction: 'Inbound' });
    await trigger('sms', { to: '+1 (650) 555-0112', from: '+1 (415) 555-0123' });
    await trigger('sms', { to: '102', from: '72345' });
    expect(sandbox.messages().slice(-2)).toMatchObject([
      { from: { phoneNumber: '+14155550123' }, to: [{ phoneNumber: '+16505550112' }] },
      { from: { phoneNumber: '72345' } },
    ]);
    for (const from of ['', 'abc', '650-555-0112', '+1 650'])
      await expect(trigger('call', { to: '102', from })).rejects.toMatchObject({ status: 400 });
    await expect(trigger('sms', { to: 'nobody' })).rejects.toMatchObject({ status: 404 });
    await expect(trigger('earthquake', {})).rejects.toThrow('earthquake');
  });

  test('a trigger starts a call, and another one answers its phone', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { callProgression: 'manual' } });
    await sandbox.control('POST', '/triggers/call', { to: '102' });
    expect(await sandbox.control('POST', '/phones/102/answer', {})).toMatchObject({ legStatus: 'Success' });
    expect(await sandbox.control('POST', '/phones/102/hangup', {})).toMatchObject({ callStatus: 'Success' });
    await expect(sandbox.control('POST', '/phones/102/answer', {})).rejects.toMatchObject({ status: 409 });
    await expect(sandbox.control('POST', '/phones/102/throw', {})).rejects.toMatchObject({ status: 400 });
  });

  test('traffic keeps its rate, is the same for the same seed, and ends', async () => {
    const week = async (seed: number) => {
      await using sandbox = await startSandbox({ listen: false, seed });
      await sandbox.control('POST', '/traffic', { perMinute: 60, seconds: 600 });
      await sandbox.clock.advance(1_200_000);
      const state = await sandbox.control('GET', '/traffic');
      return [state['made'], state['running'], (await sandbox.control('GET', '/state'))['hash']];
    };
    const [made, running, hash] = await week(7);
    expect(made).toBeGreaterThan(550);
    expect(made).toBeLessThan(650);
    expect(running).toBe(false);
    expect((await week(7))[2]).toBe(hash);
    expect((await week(8))[2]).not.toBe(hash);
  });

  test('traffic stops on request', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await sandbox.control('POST', '/traffic', { perMinute: 60, kinds: ['sms'] });
    await sandbox.clock.advance(10_000);
    await sandbox.control('DELETE', '/traffic');
    const { length } = sandbox.messages();
    await sandbox.clock.advance(60_000);
    expect(sandbox.messages()).toHaveLength(length);
    expect(length).toBeGreaterThan(5);
  });
});

describe('people', () => {
  test('spec:SANDBOX-16 set-password ends all sessions at once', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const one = await userClient(sandbox, '102');
    const two = await userClient(sandbox, '102');
    const other = await userClient(sandbox, '103');
    const reply = await sandbox.control('POST', '/users/102/password', { password: 'New-102' });
    expect(reply['endedSessions']).toBe(2);
    expect([rejection(await one.get(presence)), rejection(await two.get(presence))]).toEqual([
      '401 OAU-213',
      '401 OAU-213',
    ]);
    expect((await other.get(presence)).status).toBe(200);
    await expect(userClient(sandbox, '102')).rejects.toThrow('sign-in');
  });

  test('set-password rejects an extension that cannot sign in, such as a queue', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await expect(
      sandbox.control('POST', '/users/202/password', { password: 'New-202' }),
    ).rejects.toMatchObject({
      status: 409,
    });
    await expect(sandbox.control('POST', '/users/999/password', { password: 'x' })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('spec:SANDBOX-16 token revoke, by token and by user', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const one = await userClient(sandbox, '102');
    const two = await userClient(sandbox, '102');
    await sandbox.control('POST', '/tokens/revoke', { token: one.token });
    expect([(await one.get(presence)).status, (await two.get(presence)).status]).toEqual([401, 200]);
    await sandbox.control('POST', '/tokens/revoke', { user: '102' });
    expect((await two.get(presence)).status).toBe(401);
    await expect(sandbox.control('POST', '/tokens/revoke', {})).rejects.toMatchObject({ status: 400 });
    await expect(sandbox.control('POST', '/tokens/revoke', { token: 'x' })).rejects.toMatchObject({
      status: 404,
    });
  });
});

describe('what happened', () => {
  test('the request log, deliveries and a replay with the same uuid', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await userClient(sandbox, '102');
    await user.post('/subscription', {
      eventFilters: ['/restapi/v1.0/account/~/extension/~/presence'],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    await user.put(presence, { userStatus: 'Busy' });
    await sandbox.settled();
    const deliveries = await sandbox.control('GET', '/deliveries?state=delivered');
    const [first] = deliveries['records'] as { id: number; uuid: string }[];
    await sandbox.control('POST', `/deliveries/${first?.id}/replay`, {});
    await sandbox.settled();
    expect(webhook.notifications().map(({ uuid }) => uuid)).toEqual([first?.uuid, first?.uuid]);
    const log = await sandbox.control('GET', '/requests?limit=1');
    expect(log['records']).toMatchObject([{ method: 'PUT', operation: 'updatePresence', status: 200 }]);
    await expect(sandbox.control('POST', '/deliveries/99/replay', {})).rejects.toMatchObject({ status: 404 });
    for (const list of ['requests', 'deliveries', 'posts'])
      await expect(sandbox.control('GET', `/${list}?limit=0`)).rejects.toThrow('limit');
  });

  test('a change of requestLogRows limits the request log, also after a restart', async () => {
    const database = join(temporaryFolder(), 'sandbox.db');
    const ask = async (sandbox: Sandbox) => {
      for (let count = 0; count < 3; count += 1) await send(sandbox, 'GET', '/subscription');
      return ((await sandbox.control('GET', '/requests'))['records'] as object[]).length;
    };
    {
      await using sandbox = await startSandbox({ listen: false, database });
      await sandbox.control('PATCH', '/settings', { requestLogRows: 2 });
      expect(await ask(sandbox)).toBe(2);
      expect(sandbox.requestLog()).toHaveLength(2);
    }
    await using again = await startSandbox({ listen: false, database });
    expect(await ask(again)).toBe(2);
  });

  test('status lists the contents of the sandbox, and stop ends the sandbox', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await send(sandbox, 'GET', '/subscription');
    const status = await sandbox.control('GET', '/status');
    expect(status).toMatchObject({ clock: 'frozen', rateLimits: 'off', faults: 0, pendingDeliveries: 0 });
    await sandbox.control('POST', '/stop', {});
    await sandbox.stopped;
  });
});
