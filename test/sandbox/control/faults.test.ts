import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';
import { eventually } from '../../support/eventually.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

/** Presence filters force encryption; these tests look into the notifications. */
const inClear = { webhookEncryption: 'never', webhookTimeoutMilliseconds: conditionLimit } as const;

const presence = '/account/~/extension/~/presence';
const add = (sandbox: Sandbox, fault: object) => sandbox.control('POST', '/faults', fault);

describe('spec:SANDBOX-2 a renewal may change parameters', () => {
  test.each(['renewSubscription', 'updateSubscription'] as const)('%s', async (operation) => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const created = (
      await user.post('/subscription', {
        eventFilters: [`/restapi/v1.0${presence}`],
        deliveryMode: { transportType: 'ChannelService' },
      })
    ).body;
    await add(sandbox, { kind: 'renew-changes', operation });
    const path = `/subscription/${created.id}`;
    const renew = async () =>
      (operation === 'renewSubscription' ? await user.post(`${path}/renew`) : await user.put(path)).body;
    const changed = await renew();
    expect(changed).toMatchObject({ id: created.id, eventFilters: created['eventFilters'], expiresIn: 450 });
    const names = ['address', 'subscriberKey', 'secretKey', 'encryptionKey'] as const;
    const mode = (body: Readonly<Record<string, unknown>>) => body['deliveryMode'] as Record<string, string>;
    for (const name of names) expect(mode(changed)[name]).not.toBe(mode(created)[name]);
    // What comes next goes to the new channel alone, and one renewal was hit.
    await user.put(presence, { message: 'moved' });
    await sandbox.settled();
    const { address, subscriberKey } = mode(changed);
    const news = await user.get(`/v2/subscribe/${subscriberKey}/${address}/0?tt=10000000000000000`);
    expect(news.body['m']).toHaveLength(1);
    const old = mode(created);
    const gone = await user.get(`/v2/subscribe/${old['subscriberKey']}/${old['address']}/0?tt=0`);
    expect(rejection(gone)).toBe('400 CMN-101');
    expect(mode(await renew())['address']).toBe(address);
  });
});

describe('spec:SANDBOX-2 faults of requests', () => {
  test('a status, by operation, after a number of requests, a limited number of times', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    await add(sandbox, { kind: 'status', status: 503, operation: 'readPresence', after: 1, times: 2 });
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await user.get(presence)).status);
    expect(statuses).toEqual([200, 503, 503, 200, 200]);
    expect((await user.get('/account/~/extension')).status).toBe(200);
    const { records } = await sandbox.control('GET', '/faults');
    expect(records).toMatchObject([{ seen: 5, hits: 2 }]);
  });

  test.each(['102', 'id'])('only for one extension (%s), by ID or as the user of the token', async (who) => {
    await using sandbox = await startSandbox({ listen: false });
    const [own, other] = [await userClient(sandbox, '102'), await userClient(sandbox, '103')];
    const admin = await userClient(sandbox, '100');
    const idOf = (number: string) =>
      sandbox.ready.users.find(({ extension }) => extension === number)?.extensionId ?? '';
    const extension = who === 'id' ? idOf('102') : who;
    expect(await add(sandbox, { kind: 'status', extension, times: 0 })).toMatchObject({ extension: '102' });
    const ofId = (id: string) => presence.replace('extension/~', `extension/${id}`);
    const statuses = [
      await own.get(presence),
      await admin.get(ofId(idOf('102'))),
      await admin.get(ofId(`${idOf('103')},${idOf('102')}`)),
      await other.get(presence),
      await admin.get(ofId(idOf('103'))),
      await own.get('/account/~/extension'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 503, 200, 200, 200]);
    expect((await send(sandbox, 'GET', presence, {})).status).toBe(401);
    expect(await sandbox.control('GET', '/faults')).toMatchObject({ records: [{ seen: 3, hits: 3 }] });
  });

  test('an extension needs requests whose path has one', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const fault = { kind: 'status', extension: '102' };
    await expect(add(sandbox, { ...fault, extension: '999' })).rejects.toThrow('extension 999 not found');
    await expect(add(sandbox, { ...fault, operation: 'listExtensions' })).rejects.toThrow(
      'the path of listExtensions has no extension',
    );
    await expect(add(sandbox, { ...fault, kind: 'webhook-drop' })).rejects.toThrow(
      'webhook-drop does not use extension',
    );
    await expect(add(sandbox, { ...fault, operation: 'readPresence' })).resolves.toBeDefined();
  });

  test('by chance, the same for the same seed', async () => {
    const hits = async (seed: number) => {
      await using sandbox = await startSandbox({ listen: false, seed });
      const user = await userClient(sandbox, '102');
      await add(sandbox, { kind: 'status', status: 500, times: 0, probability: 0.5 });
      const statuses: number[] = [];
      for (let count = 0; count < 30; count += 1) statuses.push((await user.get(presence)).status);
      return statuses.join(' ');
    };
    const first = await hits(1);
    expect(first).toContain('200');
    expect(first).toContain('500');
    expect(await hits(1)).toBe(first);
    expect(await hits(2)).not.toBe(first);
  });

  test('an expired token, a request rate, each in the service words', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const answers = [];
    const statuses = [400, 401, 403, 404, 409, 429, 500, 501, 502, 503];
    for (const fault of [
      { kind: 'expired-token' },
      ...statuses.map((status) => ({ kind: 'status', status })),
    ]) {
      await add(sandbox, fault);
      answers.push(rejection(await user.get(presence)));
    }
    expect(answers).toEqual([
      '401 OAU-128',
      '400 CMN-101',
      '401 OAU-128',
      '403 CMN-408',
      '404 CMN-102',
      '409 CMN-204',
      '429 CMN-301',
      '500 CMN-203',
      '501 CMN-202',
      '502 CMN-201',
      '503 CMN-201',
    ]);
    expect((await user.get(presence)).status).toBe(200);
  });

  test('a status with the header Retry-After, by default for 429', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const wait = async (fault: object) => {
      await add(sandbox, { kind: 'status', ...fault });
      return (await user.get(presence)).headers.get('retry-after');
    };
    expect(await wait({ status: 429 })).toBe('60');
    expect(await wait({ status: 429, retryAfter: 1 })).toBe('1');
    expect(await wait({ status: 503 })).toBeNull();
    expect(await wait({ status: 503, retryAfter: 2 })).toBe('2');
  });

  test.each([
    [{ kind: 'latency', status: 500 }, 'status', 'status, socket-reject'],
    [{ kind: 'status', milliseconds: 5 }, 'milliseconds', 'latency, webhook-delay'],
    [{ kind: 'webhook-drop', operation: 'sendSms' }, 'operation', 'status, latency'],
    [{ kind: 'socket-reject', retryAfter: 1 }, 'retryAfter', 'status'],
  ])('rejects %j, because the member would have no effect', async (fault, name, kinds) => {
    await using sandbox = await startSandbox({ listen: false });
    const message = `${fault.kind} does not use ${name}, which applies only to ${kinds}`;
    await expect(add(sandbox, fault)).rejects.toThrow(message);
    expect((await sandbox.control('GET', '/faults'))['records']).toEqual([]);
  });

  test('an invalid sync token: only what carries one is hit, in the service words', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const sync = (query: string) => user.get(`/account/~/extension/~/message-sync?syncType=${query}`);
    await add(sandbox, { kind: 'invalid-sync-token', times: 0 });
    expect((await user.get(presence)).status).toBe(200);
    expect((await user.get(`${presence}?syncToken=nonsense`)).status).toBe(200);
    const full = await sync('FSync');
    expect(full.status).toBe(200);
    const { syncToken } = full.body['syncInfo'] as { syncToken: string };
    const [good, damaged] = [
      await sync(`ISync&syncToken=${syncToken}`),
      await sync('ISync&syncToken=nonsense'),
    ];
    expect(rejection(good)).toBe('400 MSG-333');
    await sandbox.control('DELETE', '/faults');
    expect((await sync(`ISync&syncToken=${syncToken}`)).status).toBe(200);
    // The words are those of the route itself.
    expect(good.body).toEqual((await sync('ISync&syncToken=nonsense')).body);
    expect(damaged.body).toEqual(good.body);
  });

  test.each([
    ['invalid-sync-token', 'readPresence', 'syncMessages'],
    ['renew-changes', 'syncMessages', 'renewSubscription, updateSubscription'],
  ])('%s is rejected for %s, with the operations that it applies to', async (kind, operation, able) => {
    await using sandbox = await startSandbox({ listen: false });
    await expect(add(sandbox, { kind, operation })).rejects.toThrow(`${kind} applies only to ${able}`);
  });

  test('a reset before processing changes nothing, and a reset after it loses only the reply', async () => {
    await using sandbox = await startSandbox();
    const user = await userClient(sandbox, '102');
    const put = (message: string) =>
      fetch(`${sandbox.url}/restapi/v1.0${presence}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ message }),
      });
    await add(sandbox, { kind: 'reset-before' });
    await expect(put('lost')).rejects.toThrow('fetch failed');
    expect((await user.get(presence)).body['message']).toBeUndefined();
    await add(sandbox, { kind: 'reset-after' });
    await expect(put('done')).rejects.toThrow('fetch failed');
    expect((await user.get(presence)).body['message']).toBe('done');
  });

  test('a cut body, bad JSON and latency', async () => {
    await using sandbox = await startSandbox();
    const { token } = await userClient(sandbox, '102');
    const get = (signal?: AbortSignal) =>
      fetch(`${sandbox.url}/restapi/v1.0${presence}`, {
        headers: { authorization: `Bearer ${token}` },
        ...(signal && { signal }),
      });
    await add(sandbox, { kind: 'cut-body' });
    const cut = await get();
    expect(cut.status).toBe(200);
    await expect(cut.text()).rejects.toThrow('terminated');
    await add(sandbox, { kind: 'bad-json' });
    await expect((await get()).json()).rejects.toThrow(SyntaxError);
    await add(sandbox, { kind: 'latency', milliseconds: 60 });
    expect((await get()).status).toBe(200);
    // One that waits ten minutes is still waiting when the next request has its answer.
    const { id } = await add(sandbox, { kind: 'latency', milliseconds: 600_000 });
    const stop = new AbortController();
    let isAnswered = false;
    const slow = get(stop.signal).finally(() => (isAnswered = true));
    const hit = expect.objectContaining({ id, hits: 1 }) as unknown;
    await eventually(async () =>
      expect((await sandbox.control('GET', '/faults'))['records']).toContainEqual(hit),
    );
    expect([(await get()).status, isAnswered]).toEqual([200, false]);
    stop.abort();
    await expect(slow).rejects.toThrow('aborted');
    await sandbox.control('DELETE', '/faults');
    expect((await sandbox.control('GET', '/faults'))['records']).toEqual([]);
  });
});

describe('spec:SANDBOX-2 faults of notifications', () => {
  async function watchPresence(sandbox: Sandbox, address: string) {
    const user = await userClient(sandbox, '102');
    await user.post('/subscription', {
      eventFilters: ['/restapi/v1.0/account/~/extension/~/presence'],
      deliveryMode: { transportType: 'WebHook', address },
    });
    return user;
  }

  async function deliver(faults: readonly object[], changes: number) {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await watchPresence(sandbox, webhook.address);
    for (const fault of faults) await add(sandbox, fault);
    for (let count = 0; count < changes; count += 1) {
      await user.put(presence, { userStatus: count % 2 === 0 ? 'Busy' : 'Available' });
    }
    await sandbox.settled();
    const sequences = webhook.notifications().map(({ body }) => (body as { sequence: number }).sequence);
    return { sequences, states: sandbox.deliveries().map(({ state }) => state) };
  }

  test('twice with one uuid, never, late', async () => {
    const twice = await deliver([{ kind: 'webhook-duplicate' }], 2);
    const [first = 0, second, third = 0] = twice.sequences;
    expect([second, third]).toEqual([first, first + 1]);
    const never = await deliver([{ kind: 'webhook-drop' }], 2);
    expect(never.sequences).toHaveLength(1);
    expect(never.states).toEqual(['failed', 'delivered']);
    expect((await deliver([{ kind: 'webhook-delay', milliseconds: 30 }], 1)).sequences).toHaveLength(1);
  });

  test('out of order: the next one of the subscription overtakes it, whenever that comes', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await watchPresence(sandbox, webhook.address);
    const change = (userStatus: string) => user.put(presence, { userStatus });
    const sequences = () =>
      webhook.notifications().map(({ body }) => (body as { sequence: number }).sequence);
    await change('Busy');
    await sandbox.settled();
    await add(sandbox, { kind: 'webhook-reorder', milliseconds: 60_000 });
    await change('Available');
    // Another subscription's notifications would have been sent by now; this one waits for its successor.
    await new Promise((resolve) => setImmediate(resolve));
    expect(sequences()).toEqual([1]);
    await change('Busy');
    await change('Available');
    await sandbox.settled();
    expect(sequences()).toEqual([1, 3, 2, 4]);
  });

  test('permanently out of order: pairs are swapped, and a last notification is sent after a delay', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings: inClear });
    const user = await watchPresence(sandbox, webhook.address);
    await add(sandbox, { kind: 'webhook-reorder', times: 0, milliseconds: 60_000 });
    for (const userStatus of ['Busy', 'Available', 'Busy', 'Available'])
      await user.put(presence, { userStatus });
    await sandbox.settled();
    // The delay of the last notification ends; one as short could end between the notifications of a pair.
    await sandbox.control('DELETE', '/faults');
    await add(sandbox, { kind: 'webhook-reorder', times: 0, milliseconds: 1 });
    await user.put(presence, { userStatus: 'Busy' });
    await sandbox.settled();
    const sequences = webhook.notifications().map(({ body }) => (body as { sequence: number }).sequence);
    expect(sequences).toEqual([2, 1, 4, 3, 5]);
    const states = sandbox.deliveries().map(({ state }) => state);
    expect(states).toEqual(Array.from({ length: 5 }, () => 'delivered'));
  });
});
