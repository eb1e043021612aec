import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { initializeStore, migrations, taskPolicyMigration } from '../../../src/store/index.ts';
import { emptyStore, postgresMissing, testStore } from '../../support/postgres.ts';
import { userClient } from '../../sandbox/request.ts';
import type { RunOptions } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';
import { fleetOffice } from '../fleet/fleet-office.ts';
import { openOffice } from '../office.ts';

const mailbox = '/account/~/extension/~/message-store';

/** An office with two texts of 102, who is signed in, and an archive in a file or in the PostgreSQL store. */
async function openArchive(engine: 'file' | 'store') {
  const office = await openOffice('102');
  const { sandbox } = office;
  const other = await userClient(sandbox, '103');
  const user = await userClient(sandbox, '102');
  for (const text of ['one', 'two']) {
    const body = { from: { phoneNumber: '+16505550113' }, to: [{ phoneNumber: '+16505550112' }], text };
    await other.post('/account/~/extension/~/sms', body);
    await sandbox.clock.advance(60_000);
  }
  const paths = temporaryPaths();
  const place = engine === 'store' ? ` --store ${(await testStore()).url}` : '';
  const run = (line: string, options: RunOptions = {}) =>
    office.run(line + place, { paths, now: () => sandbox.clock.now(), ...options });
  const [one, two] = sandbox.messages('171857102');
  return {
    ...office,
    run,
    file: join(paths.data, 'mailbox', 'default.sqlite'),
    /** Deletes the first text, and purges the second text, on the service. */
    async deleteBoth(): Promise<void> {
      await user.delete(`${mailbox}/${one?.id}`);
      await user.delete(`${mailbox}/${two?.id}?purge=true`);
      await sandbox.clock.advance(60_000);
    },
    async texts(): Promise<readonly (string | null)[]> {
      const { stdout } = await office.run(
        [
          'sync',
          'sql',
          'select text from v_message order by creation_time',
          '-o',
          'json',
          ...place.split(' ').slice(1),
        ],
        { paths, now: () => sandbox.clock.now() },
      );
      return (JSON.parse(stdout) as { readonly text: string | null }[]).map(({ text }) => text);
    },
  };
}

const engines = [['file', false] as const, ['store', postgresMissing() !== undefined] as const];

for (const [engine, isMissing] of engines) {
  describe.skipIf(isMissing)(`the action for deleted messages, ${engine}`, () => {
    it('is that of the run that set it', async () => {
      const it = await openArchive(engine);
      expect((await it.run('sync --on-delete keep')).exit).toBe(0);
      await it.deleteBoth();
      const { exit, stdout, stderr } = await it.run('sync -o json');
      expect([exit, stderr, JSON.parse(stdout)]).toMatchObject([0, '', [{ deleted: 1, purged: 1 }]]);
      expect(await it.texts()).toEqual(['one', 'two']);
    });

    it('changes only by name, and removes messages only after confirmation', async () => {
      const it = await openArchive(engine);
      await it.run('sync --on-delete keep');
      await it.deleteBoth();
      await it.run('sync');
      const asked = await it.run('sync --on-delete purge');
      expect(asked.exit).toBe(9);
      expect(asked.stderr).toContain('--on-delete purge removes 2 messages');
      expect(await it.texts()).toEqual(['one', 'two']);
      const unchanged = await it.run('sync -o json');
      expect([unchanged.stderr, JSON.parse(unchanged.stdout)]).toMatchObject([
        '',
        [{ deleted: 0, purged: 0 }],
      ]);
      const removed = await it.run('sync --on-delete purge --yes -o json');
      expect(JSON.parse(removed.stdout)).toMatchObject([{ deleted: 1, purged: 1 }]);
      expect(await it.texts()).toEqual([]);
      expect((await it.run('sync --on-delete purge')).exit).toBe(0);
    });

    it('is never purge for a run that does not state it', async () => {
      const it = await openArchive(engine);
      expect(await it.run('sync --on-delete purge')).toMatchObject({ exit: 0, stderr: '' });
      await it.deleteBoth();
      expect((await it.run('sync')).exit).toBe(0);
      expect(await it.texts()).toEqual(['one', null]);
    });

    it('does not change if a run does not find its mailboxes', async () => {
      const it = await openArchive(engine);
      expect((await it.run('sync')).exit).toBe(0);
      expect((await it.run('sync --extension 999 --on-delete keep')).exit).toBe(3);
      await it.deleteBoth();
      await it.run('sync');
      expect(await it.texts()).toEqual(['one', null]);
    });
  });
}

describe.skipIf(postgresMissing())('the action for deleted messages of a shared archive', () => {
  it('applies to tasks of the fleet', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text: 'one' });
    await office.rows('fleet enroll --extension 102 --on-delete keep');
    await office.rows('fleet enroll --extension 102,103');
    await office.run('fleet worker --once');
    const [one] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`${mailbox}/${one?.id}?purge=true`);
    await sandbox.clock.advance(60_000);
    await office.run('fleet retry --extension 102');
    await office.run('fleet worker --once');
    expect(await db.query('select availability, subject from message')).toEqual([
      { availability: 'Purged', subject: 'one' },
    ]);
    expect(await db.query('select distinct on_delete as policy from fleet_task')).toEqual([
      { policy: 'keep' },
    ]);
    const { exit, stderr } = await office.run('fleet enroll --extension 102 --on-delete purge');
    expect([exit, stderr]).toEqual([9, expect.stringContaining('removes 1 message')]);
  });

  it('is that of each task of an earlier version, until a command names another', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    const policies = () => db.query('select label, on_delete as policy from fleet_task order by label');
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text: 'one' });
    await office.rows('fleet enroll --extension 102 --on-delete purge');
    // Earlier versions stored no action with the archive.
    await db.run('delete from deletion_policy');
    await office.rows('sync --extension 102');
    const [one] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`${mailbox}/${one?.id}`);
    await sandbox.clock.advance(60_000);
    await office.run('fleet worker --once');
    expect(await db.query('select 1 from message')).toEqual([]);
    await office.rows('fleet enroll --extension 102,103');
    expect(await policies()).toEqual([
      { label: '102', policy: 'purge' },
      { label: '103', policy: 'mark' },
    ]);
    const { exit, stderr } = await office.run('sync --extension 102 --on-delete keep');
    expect([exit, stderr]).toEqual([0, expect.stringContaining('--on-delete keep replaces mark,')]);
    expect(stderr).toContain('ucctl fleet enroll --extension EXT --on-delete keep');
    await office.rows('fleet enroll --extension 102,103');
    expect(await policies()).toMatchObject([{ policy: 'purge' }, { policy: 'mark' }]);
    const changed = await office.run('fleet enroll --extension 102,103 --on-delete keep');
    expect([changed.exit, changed.stderr]).toEqual([0, '']);
    expect(await policies()).toMatchObject([{ policy: 'keep' }, { policy: 'keep' }]);
  });

  it('asks only for the messages that the run removes', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    await sandbox.control('POST', '/triggers/sms', { to: '103', from: '+15555550100', text: 'one' });
    await office.rows('sync --extension 102,103');
    const [one] = sandbox.messages('171857103');
    const user = await userClient(sandbox, '103');
    await user.delete(`${mailbox}/${one?.id}`);
    await sandbox.clock.advance(60_000);
    await office.rows('sync --extension 102,103');
    expect((await office.run('sync --extension 102 --on-delete purge')).exit).toBe(0);
    expect((await office.run('fleet enroll --extension 102 --on-delete purge')).exit).toBe(0);
    expect((await office.run('sync --extension 103 --on-delete purge')).exit).toBe(9);
    expect((await office.run('fleet enroll --extension 103 --on-delete purge')).exit).toBe(9);
    expect(await db.query('select availability from message')).toEqual([{ availability: 'Deleted' }]);
  });

  it('is the same default for syncs, new tasks and workers', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    const policies = () => db.query('select label, on_delete as policy from fleet_task order by label');
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text: 'one' });
    await office.rows('fleet enroll --extension 101,102');
    await db.run("update fleet_task set on_delete = 'keep' where label = '101'");
    await office.rows('fleet enroll --extension 101,102,103');
    expect(await policies()).toEqual([
      { label: '101', policy: 'keep' },
      { label: '102', policy: 'mark' },
      { label: '103', policy: 'keep' },
    ]);
    await office.run('fleet worker --once');
    const [one] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`${mailbox}/${one?.id}?purge=true`);
    await sandbox.clock.advance(60_000);
    await office.run('fleet retry --extension 102');
    await office.run('fleet worker --once');
    expect(await db.query('select availability, subject from message')).toEqual([
      { availability: 'Purged', subject: 'one' },
    ]);
  });

  it('is not purge if an earlier version stored it', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text: 'one' });
    await office.rows('fleet enroll --extension 102');
    await db.run("insert into deletion_policy (on_delete) values ('purge')");
    await office.run('fleet worker --once');
    const [one] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`${mailbox}/${one?.id}`);
    await sandbox.clock.advance(60_000);
    const warning = 'an earlier version stored --on-delete purge';
    expect((await office.run('sync --extension 102')).stderr).toContain(warning);
    expect(await db.query('select availability, subject from message')).toEqual([
      { availability: 'Deleted', subject: 'one' },
    ]);
    for (const command of ['sync retry', 'fleet enroll --extension 102', 'fleet worker --once'])
      expect((await office.run(command)).stderr).toContain(warning);
    expect((await office.run('sync --extension 102 --on-delete mark')).stderr).not.toContain(warning);
    expect((await office.run('fleet worker --once')).stderr).not.toContain(warning);
  });

  it('is that of a task which was enrolled with purge', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text: 'one' });
    await office.rows('sync --extension 102 --on-delete keep');
    await office.rows('fleet enroll --extension 102 --on-delete purge');
    const [one] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`${mailbox}/${one?.id}`);
    await sandbox.clock.advance(60_000);
    await office.run('fleet worker --once');
    expect(await db.query('select 1 from message')).toEqual([]);
    expect(await db.query('select on_delete as policy from deletion_policy')).toEqual([{ policy: 'keep' }]);
  });

  it('is reported with tasks that remove messages, also if it is not changed', async () => {
    const office = await fleetOffice();
    await office.rows('sync --extension 102 --on-delete mark');
    await office.rows('fleet enroll --extension 102,103 --on-delete purge');
    expect((await office.run('sync --extension 102 --on-delete mark')).stderr).toContain(
      'tasks of the fleet that were enrolled with --on-delete purge still remove messages',
    );
  });

  it('is not purge for tasks in a store whose migration would replace it', async () => {
    const office = await fleetOffice();
    const { db, url } = await emptyStore();
    await initializeStore(db, {}, migrations.slice(0, taskPolicyMigration.number - 1));
    const run = (words: string) => office.run(`${words} --store ${url}`);
    expect((await run('fleet enroll --extension 102 --on-delete keep')).exit).toBe(0);
    const { exit, stderr } = await run('fleet enroll --extension 102 --on-delete purge --yes');
    expect([exit, stderr]).toEqual([
      12,
      expect.stringContaining('has schema version 17, but --on-delete purge needs 18'),
    ]);
    expect(stderr).toContain('ucctl store migrate');
    expect(await db.query('select on_delete from fleet_task')).toEqual([{ on_delete: 'keep' }]);
    expect((await run('store migrate --yes')).exit).toBe(0);
    expect((await run('fleet enroll --extension 102 --on-delete purge --yes')).exit).toBe(0);
    expect(await db.query('select on_delete from fleet_task')).toEqual([{ on_delete: 'purge' }]);
  });

  it('does not empty messages that the tasks of an earlier version keep', async () => {
    const office = await fleetOffice();
    const { sandbox, db } = office;
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550100', text: 'one' });
    await office.rows('fleet enroll --extension 102 --on-delete keep');
    await db.run('delete from deletion_policy');
    await office.rows('sync --extension 102');
    const [one] = sandbox.messages('171857102');
    const user = await userClient(sandbox, '102');
    await user.delete(`${mailbox}/${one?.id}?purge=true`);
    await sandbox.clock.advance(60_000);
    await office.rows('sync --extension 102');
    expect(await db.query('select subject from message')).toEqual([{ subject: 'one' }]);
  });

  it('is not that of a copied file if a task has another', async () => {
    const { run, file } = await openArchive('file');
    await run('sync --on-delete keep');
    const { url, db } = await testStore();
    await db.run(
      `insert into fleet_task (kind, subject, label, every_seconds, on_delete) values ('messages', '1', '101', 60, 'mark')`,
    );
    const { exit, stderr } = await run(`store copy --from ${file} --store ${url}`);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('the file has --on-delete keep')]);
    expect(stderr).toContain('to change it: ucctl sync --on-delete keep');
    expect(await db.query('select on_delete from deletion_policy')).toEqual([]);
  });

  it('is not that of a copied file before all parts are copied', async () => {
    const { run, file } = await openArchive('file');
    await run('sync --on-delete keep');
    const { url, db } = await testStore();
    await run(`sync --store ${url}`);
    expect((await run(`store copy --from ${file} --store ${url}`)).exit).toBe(11);
    expect(await db.query('select on_delete from deletion_policy')).toEqual([]);
  });

  it('is not purge if an earlier version stored it in a copied file', async () => {
    const { run, file } = await openArchive('file');
    await run('sync --on-delete keep');
    const copy = openDatabase(file);
    copy.exec("UPDATE deletion_policy SET on_delete = 'purge'");
    copy.close();
    const { url, db } = await testStore();
    expect((await run(`store copy --from ${file} --store ${url}`)).exit).toBe(0);
    expect(await db.query('select on_delete from deletion_policy')).toEqual([]);
  });

  it('is that of the file that store copy copies', async () => {
    const { run, file } = await openArchive('file');
    await run('sync --on-delete keep');
    const { url, db } = await testStore();
    const { exit, stderr } = await run(`store copy --from ${file} --store ${url}`);
    expect([exit, stderr]).toEqual([0, expect.stringContaining('--on-delete keep of the file')]);
    expect(await db.query('select on_delete as policy from deletion_policy')).toEqual([{ policy: 'keep' }]);
  });
});
