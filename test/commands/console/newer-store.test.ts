import { expect, it } from 'vitest';
import { migrateStore, migrations, newestMigration } from '../../../src/store/index.ts';
import { openProfile } from '../../console/profile.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';

it.skipIf(postgresMissing())(
  'a running console reads no messages of a store that a newer version has migrated',
  async () => {
    const { db, url } = await testStore(migrations);
    const { ask, end } = await openProfile(undefined, { flags: ['--store', url] });
    expect(await ask('/api/conversations?search=')).toMatchObject({ status: 200 });
    const next = { number: newestMigration() + 1, name: 'next', sql: 'create table next (n int)' };
    await migrateStore(db, [...migrations, next]);
    const reply = await ask('/api/conversations?search=');
    expect([reply.status, await reply.json()]).toMatchObject([422, { error: { code: 'store_newer' } }]);
    await end();
  },
);
