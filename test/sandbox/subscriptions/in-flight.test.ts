import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { conditionLimit } from '../../support/limits.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection, userClient } from '../request.ts';
import { good, startWebhook } from '../webhook.ts';

/** Presence filters force encryption; these tests look into the notifications. */
const settings = { webhookEncryption: 'never' } as const;
const presence = '/account/~/extension/~/presence';

function subscription(address: string) {
  return {
    eventFilters: [`/restapi/v1.0${presence}`],
    deliveryMode: { transportType: 'WebHook', address },
  };
}

/** A subscription with a notification that a fault delays. */
async function delayed(sandbox: Sandbox, address: string) {
  const user = await userClient(sandbox, '102');
  const { body } = await user.post('/subscription', subscription(address));
  await sandbox.control('POST', '/faults', { kind: 'webhook-delay', milliseconds: 300 });
  await user.put(presence, { userStatus: 'Busy' });
  await eventually(async () =>
    expect((await sandbox.control('GET', '/faults'))['records']).toMatchObject([{ hits: 1 }]),
  );
  return { user, path: `/subscription/${body.id}` };
}

describe('a notification that a fault delays', () => {
  test('is not sent after its subscription was deleted', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings });
    const { user, path } = await delayed(sandbox, webhook.address);
    expect((await user.delete(path)).status).toBe(204);
    await sandbox.settled();
    expect(webhook.notifications()).toEqual([]);
  });

  test('is not sent after a reset, which does not delay the notifications of new subscriptions', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings });
    await delayed(sandbox, webhook.address);
    await sandbox.control('POST', '/reset', {});
    await using other = await startWebhook();
    // The tables of a fresh world assign the same IDs again.
    const user = await userClient(sandbox, '103');
    await user.post('/subscription', subscription(other.address));
    await user.put(presence, { userStatus: 'Busy' });
    await sandbox.settled();
    expect([webhook.notifications().length, other.notifications().length]).toEqual([0, 1]);
  });

  test('is sent once after a snapshot was loaded in which it is pending', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox({ listen: false, settings });
    await delayed(sandbox, webhook.address);
    await sandbox.control('POST', '/snapshots', { name: 'pending' });
    await sandbox.control('POST', '/snapshots/pending/load', {});
    await sandbox.settled();
    expect(webhook.notifications()).toHaveLength(1);
    expect(sandbox.deliveries()).toMatchObject([{ state: 'delivered' }]);
  });
});

test('a post under way ends with a reset', async () => {
  let isClosed = false;
  await using webhook = await startWebhook((received, response) => {
    if (received.body === '') return good(received, response);
    response.on('close', () => (isClosed = true));
  });
  await using sandbox = await startSandbox({
    listen: false,
    settings: { ...settings, webhookTimeoutMilliseconds: 10 * conditionLimit },
  });
  const user = await userClient(sandbox, '102');
  await user.post('/subscription', subscription(webhook.address));
  await user.put(presence, { userStatus: 'Busy' });
  await eventually(() => expect(webhook.notifications()).toHaveLength(1));
  expect(isClosed).toBe(false);
  await sandbox.control('POST', '/reset', {});
  await eventually(() => expect(isClosed).toBe(true));
  await sandbox.settled();
});

test('a notification is not sent again after its subscription was deleted during the first attempt', async () => {
  let end: () => Promise<unknown> = () => Promise.resolve();
  await using webhook = await startWebhook((received, response) => {
    if (received.body === '') return good(received, response);
    response.statusCode = 500;
    void end().then(() => response.end());
  });
  await using sandbox = await startSandbox({ listen: false, settings: { ...settings, webhookRetries: 3 } });
  const user = await userClient(sandbox, '102');
  const { body } = await user.post('/subscription', subscription(webhook.address));
  end = () => user.delete(`/subscription/${body.id}`);
  await user.put(presence, { userStatus: 'Busy' });
  await sandbox.settled();
  expect(webhook.notifications()).toHaveLength(1);
});

describe('a subscription is not stored if its session ends during the handshake', () => {
  /** Creates a subscription whose webhook answers the handshake after `during`. */
  async function create(during: (sandbox: Sandbox, token: string) => Promise<unknown>) {
    await using sandbox = await startSandbox({ listen: false, settings });
    const user = await userClient(sandbox, '102');
    await using webhook = await startWebhook((received, response) => {
      void during(sandbox, user.token).then(() => good(received, response));
    });
    const reply = rejection(await user.post('/subscription', subscription(webhook.address)));
    const { body } = await (await userClient(sandbox, '102')).get('/subscription');
    return { reply, stored: body.records };
  }

  test('with a reset', async () => {
    // The session of the new sign-in has the ID of the ended session.
    const { reply, stored } = await create(async (sandbox) => {
      await sandbox.control('POST', '/reset', {});
      await userClient(sandbox, '102');
    });
    expect([reply, stored]).toEqual(['401 OAU-213', []]);
  });

  test('with its revocation', async () => {
    const { reply, stored } = await create(async (sandbox, token) => {
      const { clientId, clientSecret } = sandbox.ready;
      const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
      const url = `${sandbox.url}/restapi/oauth/revoke`;
      const body = new URLSearchParams({ token });
      const revoked = await sandbox.fetch(
        new Request(url, { method: 'POST', headers: { authorization }, body }),
      );
      expect(revoked.status).toBe(200);
    });
    expect([reply, stored]).toEqual(['401 OAU-213', []]);
  });
});

test('many posts under way cause no warning of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const waiting: (() => void)[] = [];
  await using webhook = await startWebhook((received, response) => {
    if (received.body === '') good(received, response);
    else waiting.push(() => good(received, response));
  });
  await using sandbox = await startSandbox({ listen: false, settings });
  const user = await userClient(sandbox, '102');
  for (let index = 0; index < 12; index += 1) await user.post('/subscription', subscription(webhook.address));
  await user.put(presence, { userStatus: 'Busy' });
  await eventually(() => expect(waiting).toHaveLength(12));
  for (const reply of waiting) reply();
  await sandbox.settled();
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
