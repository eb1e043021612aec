import { expect, test } from 'vitest';
import { startSandbox, type SandboxSettings } from '../../../src/sandbox/index.ts';
import { userClient } from '../request.ts';
import { good, startWebhook } from '../webhook.ts';

/** Presence filters force encryption; these tests look into the notifications. */
/** No limit of a second for the webhook of a test: the machine may be busy. */
const inClear = { webhookEncryption: 'never', webhookTimeoutMilliseconds: 30_000 } as const;

const presence = '/restapi/v1.0/account/~/extension/~/presence';
const minute = 60_000;

/** A webhook that can be broken and repaired, with a subscription. */
async function setUp(settings: Partial<SandboxSettings> = {}) {
  const state = { broken: false };
  const webhook = await startWebhook((received, response) => {
    if (state.broken) response.writeHead(503).end();
    else good(received, response);
  });
  const sandbox = await startSandbox({ listen: false, settings: { ...inClear, ...settings } });
  const user = await userClient(sandbox, '102');
  const { id } = (
    await user.post('/subscription', {
      eventFilters: [presence],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    })
  ).body;
  let count = 0;
  const change = async () => {
    count += 1;
    await user.put('/account/~/extension/~/presence', { message: `${count}` });
    await sandbox.settled();
  };
  return {
    state,
    webhook,
    sandbox,
    user,
    change,
    read: async () => (await user.get(`/subscription/${id}`)).body,
    renew: async () => (await user.post(`/subscription/${id}/renew`)).body,
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await webhook[Symbol.asyncDispose]();
    },
  };
}

test('spec:WEBHOOK-5, SUBSCRIPTION-19 ten minutes of failures: Blacklisted, with the reason; nothing more is sent', async () => {
  await using office = await setUp({ webhookReconciliationSeconds: 0 });
  office.state.broken = true;
  await office.change();
  await office.sandbox.clock.advance(10 * minute - 1);
  await office.change();
  expect((await office.read())['status']).toBe('Active');
  await office.sandbox.clock.advance(1);
  await office.change();
  expect(await office.read()).toMatchObject({
    status: 'Blacklisted',
    blacklistedData: { blacklistedAt: '2026-01-05T09:10:00.000Z', reason: 'HTTP 503' },
  });
  const sent = office.webhook.received.length;
  office.state.broken = false;
  await office.change();
  await office.sandbox.clock.advance(20 * minute);
  expect(office.webhook.received).toHaveLength(sent);
  expect((await office.renew())['status']).toBe('Blacklisted');
});

test('no delivery is replayed to a disabled webhook or an expired subscription', async () => {
  await using office = await setUp({ webhookFailingSeconds: 0 });
  const { sandbox, change, read } = office;
  await change();
  const replay = () => sandbox.control('POST', '/deliveries/1/replay', {});
  await replay();
  office.state.broken = true;
  await change();
  const id = String((await read()).id);
  expect((await read())['status']).toBe('Blacklisted');
  await expect(replay()).rejects.toMatchObject({
    status: 409,
    message: `subscription ${id} is Blacklisted and gets no notifications`,
  });
  await sandbox.clock.advance(8 * 24 * 60 * minute);
  await expect(replay()).rejects.toThrow(`subscription ${id} has expired`);
  expect(await sandbox.control('GET', '/status')).toMatchObject({ pendingDeliveries: 0 });
  expect(sandbox.deliveries().filter(({ state }) => state === 'pending')).toEqual([]);
});

test('a success restarts the count of failures', async () => {
  await using office = await setUp();
  for (const broken of [true, false, true]) {
    office.state.broken = broken;
    await office.change();
    await office.sandbox.clock.advance(9 * minute);
  }
  expect((await office.read())['status']).toBe('Active');
});

test('spec:WEBHOOK-5 reconciliation every 15 minutes makes it Active again when the address answers', async () => {
  await using office = await setUp({ webhookFailingSeconds: 0 });
  office.state.broken = true;
  await office.change();
  expect((await office.read())['status']).toBe('Blacklisted');
  await office.sandbox.clock.advance(15 * minute);
  await office.sandbox.settled();
  expect((await office.read())['status']).toBe('Blacklisted');
  office.state.broken = false;
  await office.sandbox.clock.advance(15 * minute);
  await office.sandbox.settled();
  expect(office.webhook.received.at(-1)?.headers).toHaveProperty('validation-token');
  const body = await office.read();
  expect(body['status']).toBe('Active');
  expect(body).not.toHaveProperty('blacklistedData');
  await office.change();
  expect(office.webhook.notifications().at(-1)).toMatchObject({ body: { sequence: 2 } });
});

test('spec:SUBSCRIPTION-16 a setting makes it Suspended instead', async () => {
  await using office = await setUp({ webhookFailingSeconds: 0, webhookFailureStatus: 'Suspended' });
  office.state.broken = true;
  await office.change();
  const body = await office.read();
  expect(body['status']).toBe('Suspended');
  expect(body).not.toHaveProperty('blacklistedData');
});

test('retries are a setting; they come before the next notification', async () => {
  await using office = await setUp({ webhookRetries: 2 });
  office.state.broken = true;
  await office.change();
  office.state.broken = false;
  await office.change();
  const sequences = office.webhook.notifications().map(({ body }) => (body as { sequence: number }).sequence);
  expect(sequences).toEqual([1, 1, 1, 2]);
});
