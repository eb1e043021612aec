import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { send, userClient } from '../request.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-sandbox-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

test('what was acknowledged is there after a crash: messages, sessions, subscriptions, timers, the clock', async () => {
  await using temporary = await temporaryFolder();
  await using webhook = await startWebhook();
  const database = join(temporary.folder, 'office.db');
  const settings = { webhookTimeoutMilliseconds: conditionLimit };
  const first = await startSandbox({ listen: false, database, settings });
  const user = await userClient(first, '102');
  await first.clock.advance(1000);
  const created = await user.post('/subscription', {
    eventFilters: ['/restapi/v1.0/account/~/extension/~/message-store'],
    deliveryMode: { transportType: 'WebHook', address: webhook.address },
    expiresIn: 600,
  });
  await user.post('/account/~/extension/~/sms', {
    from: { phoneNumber: '+16505550112' },
    to: [{ phoneNumber: '+16505550160' }],
    text: 'before',
  });
  const time = first.clock.now();
  await first.crash();

  await using second = await startSandbox({ listen: false, database, settings });
  expect(second.clock.now()).toBe(time);
  expect(second.messages()).toMatchObject([{ subject: 'before', messageStatus: 'Queued' }]);
  const token = user.token;
  expect((await send(second, 'GET', '/subscription', { token })).body.records).toEqual([created.body]);
  await second.settled();
  expect(webhook.notifications().length).toBeGreaterThanOrEqual(1);
  const fired = await second.clock.advance(600_000);
  expect(fired.map(({ kind }) => kind)).toEqual(['message.sent', 'message.delivered', 'subscription.expire']);
});

test('what a kill leaves on the disk is whole: the files as they are while it runs', async () => {
  await using temporary = await temporaryFolder();
  const [database, copy] = ['office.db', 'copy.db'].map((name) => join(temporary.folder, name)) as [
    string,
    string,
  ];
  await using running = await startSandbox({ listen: false, database });
  const user = await userClient(running, '102');
  for (const message of ['one', 'two']) await user.put('/account/~/extension/~/presence', { message });
  for (const suffix of ['', '-wal']) await copyFile(database + suffix, copy + suffix);
  await using second = await startSandbox({ listen: false, database: copy });
  const { body } = await send(second, 'GET', '/account/~/extension/~/presence', { token: user.token });
  expect(body['message']).toBe('two');
});

test('random numbers continue after a restart: no id or token is repeated', async () => {
  await using temporary = await temporaryFolder();
  const database = join(temporary.folder, 'office.db');
  const first = await startSandbox({ listen: false, database });
  const before = (await userClient(first, '102')).token;
  await first.crash();
  await using second = await startSandbox({ listen: false, database });
  expect((await userClient(second, '102')).token).not.toBe(before);
});

test('the same seed gives the same events, and another seed gives others', async () => {
  const token = async (seed: number) => {
    await using sandbox = await startSandbox({ listen: false, seed });
    return (await userClient(sandbox, '102')).token;
  };
  expect(await token(7)).toBe(await token(7));
  expect(await token(7)).not.toBe(await token(8));
});

test('a file that is not a sandbox is rejected', async () => {
  await using temporary = await temporaryFolder();
  // In a folder of its own: the lock is a file next to the database.
  const database = join(temporary.folder, 'notes.txt');
  await copyFile(import.meta.filename, database);
  await expect(startSandbox({ listen: false, database })).rejects.toThrow(/database/);
});
