import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DialectName } from '../../../src/contract/dialects.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { send, userClient } from '../request.ts';

async function open(dialect: DialectName, database?: string): Promise<Sandbox> {
  const sandbox = await startSandbox({ listen: false, dialect, ...(database !== undefined && { database }) });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function typesOf(sandbox: Sandbox, query = ''): Promise<readonly string[]> {
  const admin = await userClient(sandbox, 'administrator');
  const { status, body } = await admin.get(`/account/~/extension?perPage=1000${query}`);
  expect(status).toBe(200);
  return body.records.map(({ type }) => String(type));
}

test.each([
  ['spec', 'Take Messages Only', 'Voicemail'],
  ['current', 'Voicemail', 'Take Messages Only'],
] as const)(
  'spec:EXT-10 in dialect %s a voicemail-only extension has the type %s',
  async (dialect, own, other) => {
    const sandbox = await open(dialect);
    const types = await typesOf(sandbox);
    expect(types).toContain(own);
    expect(types).not.toContain(other);
    expect(await typesOf(sandbox, `&type=${encodeURIComponent(own)}`)).toEqual([own]);
    expect(await typesOf(sandbox, `&type=${encodeURIComponent(other)}`)).toEqual([]);
  },
);

test('a state that was saved in dialect spec gives the app the permissions of dialect current', async () => {
  const database = join(temporaryFolder(), 'sandbox.db');
  const before = await startSandbox({ listen: false, dialect: 'spec', database });
  await before.close();
  const sandbox = await open('current', database);
  const admin = await userClient(sandbox, 'administrator');
  const { status } = await send(sandbox, 'GET', '/team-messaging/v1/webhooks', { token: admin.token });
  expect(status).toBe(200);
});
