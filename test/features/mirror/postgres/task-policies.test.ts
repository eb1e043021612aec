import { expect, it } from 'vitest';
import { taskPolicies } from '../../../../src/features/mirror/postgres/deletion-policy.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';

it.skipIf(postgresMissing())(
  'reads the policies of the tasks that copy messages, and of no other tasks',
  async () => {
    const { db } = await testStore();
    await db.run(
      `insert into fleet_task (kind, subject, label, every_seconds, on_delete)
       values ('messages', '1', '101', 60, 'purge'), ('messages', '2', '102', 60, 'keep'), ('messages', '3', '103', 60, 'keep'),
         ('media', '1', '101', 60, 'mark'), ('calls', '~', '~', 60, 'mark')`,
    );
    expect(await taskPolicies(db)).toEqual(['keep', 'purge']);
  },
);
