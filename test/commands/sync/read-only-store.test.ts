import { describe, expect, it } from 'vitest';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { roleWith } from '../../support/postgres-role.ts';
import { openOffice } from '../office.ts';

describe.skipIf(postgresMissing())('sync verify with a store that is read-only', () => {
  it.each([['--whole'], ['--sample', '5']])('compares messages with the service: %s', async (...options) => {
    const { sandbox, run } = await openOffice();
    await sandbox.control('POST', '/triggers/sms', { to: '+16505550110', text: 'hello' });
    const { url } = await testStore();
    expect((await run(['sync', '--store', url])).exit).toBe(0);
    const replica = new URL(url);
    replica.username = await roleWith(url, { default_transaction_read_only: 'on' });
    const result = await run(['sync', 'verify', ...options, '--store', replica.href]);
    expect([result.exit, result.stderr]).toEqual([0, '']);
  });
});
