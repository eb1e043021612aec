import { describe, expect, it } from 'vitest';
import { ClaimTurns } from '../../../src/features/fleet/claim-turns.ts';
import { finishTask } from '../../../src/features/fleet/claims.ts';
import { enroll } from '../../../src/features/fleet/index.ts';
import { fakeSession } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';

describe.skipIf(postgresMissing())('the sessions of a worker', () => {
  it('take turns for each kind of task, also if no further task is due after each task', async () => {
    const { db } = await testStore();
    const enrollment = { everySeconds: 3600, onDelete: 'keep' } as const;
    await enroll(db, [{ kind: 'messages', subject: '1', label: '101' }], enrollment);
    await enroll(db, [{ kind: 'calls', subject: '1', label: 'company' }], enrollment);
    const facts = { worker: 'w', machine: 'm', pid: 1, version: '0', concurrency: 1 };
    const failures: unknown[] = [];
    const turns = new ClaimTurns(
      { db, facts, kinds: ['messages', 'calls'], leaseMilliseconds: 60_000 },
      { exist: false },
      () => 0,
      (error) => failures.push(error),
    );
    const next = async () => {
      // No request is sent, so the budgets would wait for the reply to the first one.
      await db.run('delete from budget');
      return turns.next(sessions, []);
    };
    const sessions = [fakeSession('one'), fakeSession('two')];
    const used: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      await db.run(`update fleet_task set due_at = '-infinity'`);
      for (let task = 0; task < 2; task += 1) {
        const work = await next();
        if (typeof work !== 'object') throw new Error(`claimed no task: ${work}`);
        used.push(`${work.task.kind} ${work.session.profile}`);
        await finishTask(db, work.task);
      }
      expect(await next()).toBe('idle');
    }
    expect(failures).toEqual([]);
    for (const kind of ['messages', 'calls'])
      expect(used.filter((text) => text.startsWith(kind))).toEqual(
        ['one', 'two', 'one', 'two'].map((profile) => `${kind} ${profile}`),
      );
  });
});
