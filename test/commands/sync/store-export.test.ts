import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PostgresMessages } from '../../../src/features/mirror/postgres/store.ts';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';

/** An archive in a store, and exports to one path. */
async function openExports() {
  const office = await openOffice('administrator');
  const { sandbox } = office;
  const store = await testStore();
  const paths = temporaryPaths();
  const run = (words: readonly string[]) =>
    office.run([...words, '--store', store.url, '-o', 'json'], { paths, now: () => sandbox.clock.now() });
  const json = async (words: readonly string[]) => {
    const result = await run(words);
    expect([words, result.exit, result.stderr]).toEqual([words, 0, expect.anything()]);
    return JSON.parse(result.stdout) as never;
  };
  const target = join(temporaryFolder(), 'messages.csv');
  const words = ['sync', 'export', '--format', 'csv', '--to', target];
  return {
    ...store,
    target,
    run: () => run(words),
    receive: async (count: number) => {
      for (let received = 0; received < count; received += 1) {
        await sandbox.control('POST', '/triggers/sms', { to: own, from: '+15555551000', text: 'Refund' });
        await sandbox.clock.advance(1000);
      }
      await json(['sync']);
    },
    export: (...more: readonly string[]) => json([...words, ...more]),
  };
}

describe.skipIf(postgresMissing())('processes that copy attachments of one mailbox', () => {
  it('do it one after the other, and read each attachment once', async () => {
    const office = await openOffice('administrator');
    const { url, db } = await testStore();
    const paths = temporaryPaths();
    const run = async () => {
      const words = ['sync', '--media', '--store', url, '-o', 'json'];
      const { exit, stdout, stderr } = await office.run(words, {
        paths,
        now: () => office.sandbox.clock.now(),
      });
      return { exit, rows: JSON.parse(stdout) as unknown, stderr };
    };
    await office.sandbox.control('POST', '/triggers/voicemail', { to: own, from: '+15555550177' });
    const other = new PostgresMessages(db);
    const second = await other.copyingMedia('171857100', run);
    expect(second).toMatchObject({ exit: 0, rows: [{ added: 1, media: 0 }] });
    expect(second?.stderr).toContain('another process is copying the attachments of mailbox');
    expect(await run()).toMatchObject({ exit: 0, rows: [{ added: 0, media: 1 }], stderr: '' });
  });
});

describe.skipIf(postgresMissing())('exports of machines that share a store', () => {
  it('do not continue the file of another machine with the same path', async () => {
    const it = await openExports();
    const [ownFile, otherFile] = [`${it.target}.own`, `${it.target}.other`];
    await it.receive(3);
    await it.export();
    await it.db.run("update message set read_status = 'Read', changed_in = pg_current_xact_id()");
    expect(await it.export()).toMatchObject({ messages: 3, incremental: true });
    renameSync(it.target, ownFile);
    // The file of the other machine is shorter, because it has each message once.
    expect(await it.export()).toMatchObject({ messages: 3, incremental: false });
    renameSync(it.target, otherFile);
    await it.receive(1);
    renameSync(ownFile, it.target);
    const before = readFileSync(it.target, 'utf8');
    expect(await it.run()).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('was replaced or edited after the previous export') as string,
    });
    expect(readFileSync(it.target, 'utf8')).toBe(before);
    expect(await it.export('--fresh')).toMatchObject({ messages: 4, incremental: false });
    const exported = readFileSync(it.target, 'utf8');
    // An export repeats what other running transactions of the server, also those of other tests, may have changed.
    await eventually(async () =>
      expect(
        await it.db.query(
          'select 1 as running from message where changed_in >= pg_snapshot_xmin(pg_current_snapshot())',
        ),
      ).toEqual([]),
    );
    await it.export('--fresh');
    expect(exported).toBe(readFileSync(it.target, 'utf8'));
    await it.receive(1);
    expect(await it.export()).toMatchObject({ messages: 1, incremental: true });
  });

  it('continue the file of a version that did not record which file it was', async () => {
    const it = await openExports();
    await it.receive(2);
    await it.export();
    await it.db.run('update export_state set file = null');
    await it.receive(1);
    expect(await it.export()).toMatchObject({ incremental: true });
    expect(await it.db.query('select 1 from export_state where file is null')).toEqual([]);
  });

  it('have a line in the audit log, or are repeated', async () => {
    const it = await openExports();
    await it.receive(2);
    await it.db
      .script(`create function reject_line() returns trigger language plpgsql as $$ begin raise exception 'no line'; end $$;
      create trigger reject before insert on audit for each row execute function reject_line()`);
    expect((await it.run()).exit).toBe(12);
    await it.db.script('drop trigger reject on audit');
    expect(await it.export()).toMatchObject({ messages: 2 });
    expect(await it.db.query('select action, count from audit')).toEqual([{ action: 'export', count: 2 }]);
  });

  it('leave no phone number in the audit log', async () => {
    const it = await openExports();
    await it.receive(1);
    await it.export('--only', 'from:+15555551000 after:2026-01-01');
    const subject = `csv to ${it.target}, search "from:(number) after:2026-01-01"`;
    expect(await it.db.query('select subject from audit')).toEqual([{ subject }]);
  });

  it('do not write to one file at the same time', async () => {
    const it = await openExports();
    await it.receive(1);
    const other = new PostgresMessages(it.db);
    const second = await other.exporting(it.target, () => it.run());
    expect([second.exit, JSON.parse(second.stderr)]).toMatchObject([
      11,
      { error: { code: 'already_running', retryable: true } },
    ]);
    expect(await it.export()).toMatchObject({ messages: 1 });
  });
});
