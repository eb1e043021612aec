import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyStore, postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';

/** An office with messages of each kind, and runs that use the store or a file. */
async function openCompany() {
  const office = await openOffice('administrator');
  const { sandbox } = office;
  for (let count = 0; count < 12; count += 1) {
    await sandbox.control('POST', '/triggers/sms', {
      to: count % 2 === 0 ? own : '102',
      from: `+1555555${String(1000 + count)}`,
      text: `Refund ${count} über\nlines, "quotes" and 😀`,
    });
    await sandbox.clock.advance(1000);
  }
  await sandbox.control('POST', '/triggers/voicemail', { to: '102', from: '+15555550177' });
  const { url, db } = await testStore();
  const paths = temporaryPaths();
  const run = (argv: readonly string[]) => office.run(argv, { paths, now: () => sandbox.clock.now() });
  const succeed = async (argv: readonly string[]) => {
    const result = await run(argv);
    expect([argv, result.exit, result.stderr]).toEqual([argv, 0, expect.anything()]);
    return result;
  };
  return { ...office, url, db, run, succeed, json: async (argv: readonly string[]) => JSON.parse((await succeed([...argv, '-o', 'json'])).stdout) as never };
}

/** The files below a folder, each with its hash. */
function hashesOf(path: string): readonly string[] {
  if (statSync(path).isDirectory())
    return readdirSync(path)
      .toSorted()
      .flatMap((name) => hashesOf(join(path, name)).map((line) => `${name}/${line}`));
  return [createHash('sha256').update(readFileSync(path)).digest('hex')];
}

describe.skipIf(postgresMissing())('an archive in PostgreSQL', () => {
  it('gives the same rows and byte-identical exports as a file', async () => {
    const { url, succeed, json, db } = await openCompany();
    const folder = temporaryFolder();
    const file = join(folder, 'copy.sqlite');
    const targets = [
      ['--store', url],
      ['--database', file],
    ] as const;
    for (const target of targets) {
      const words = ['sync', '--extension', 'all', '--media', ...target];
      const synced = (await json(words)) as readonly { readonly added?: number }[];
      expect(synced.reduce((sum, { added = 0 }) => sum + added, 0)).toBeGreaterThan(12);
      expect(await json(['calllog', 'sync', ...target])).toMatchObject({ changed: 0 });
      await succeed(['sync', 'verify', '--whole', ...target]);
    }
    const both = async (words: readonly string[]): Promise<readonly unknown[]> => [
      await json([...words, ...targets[0]]),
      await json([...words, ...targets[1]]),
    ];
    for (const words of [
      ['sync', 'search', 'refund', 'is:unread'],
      ['sync', 'search', 'mailbox:102'],
      ['sync', 'status'],
      ['sync', 'sql', 'select id, mailbox, text, attachments, raw from v_message order by extension_id, id'],
      ['sync', 'sql', 'select thread_id, messages, unread, others from v_thread order by extension_id, thread_id'],
      ['sync', 'sql', 'select count(*) as n, sum(duration_seconds) as seconds, sum(legs) as legs from v_call'],
      ['calllog', 'stats', '--local'],
    ]) {
      const [inStore, inFile] = await both(words);
      expect([words, inStore]).toEqual([words, inFile]);
    }
    for (const format of ['csv', 'ndjson', 'mbox', 'parquet', 'html']) {
      const [one, other] = targets.map((_, index) => join(folder, `${index}.${format}`)) as [string, string];
      await succeed(['sync', 'export', '--format', format, '--to', one, ...targets[0]]);
      await succeed(['sync', 'export', '--format', format, '--to', other, ...targets[1]]);
      expect([format, hashesOf(one)]).toEqual([format, hashesOf(other)]);
    }
    const log = await db.query('select action, count from audit order by audit_id');
    expect(log).toHaveLength(5);
    expect(log[0]).toMatchObject({ action: 'export' });
  });

  it('rejects statements that write, and names mistakes', async () => {
    const { url, run } = await openCompany();
    for (const statement of [
      "insert into mailbox values ('1')",
      "select 1; delete from mailbox",
      'select nothing',
      'with gone as (delete from mailbox returning *) select * from gone',
    ]) {
      const { exit, stderr } = await run(['sync', 'sql', statement, '--store', url, '-o', 'json']);
      expect([statement, exit, JSON.parse(stderr)]).toMatchObject([statement, 2, { error: { code: 'usage' } }]);
    }
  });

  it('erases a number with its calls, and keeps a line in the audit log', async () => {
    const { url, json, db } = await openCompany();
    await json(['sync', '--extension', 'all', '--store', url]);
    const erased = await json(['sync', 'erase', '--number', '+15555551003', '--yes', '--store', url]);
    expect(erased).toMatchObject({ erased: true, messages: 1 });
    expect(await json(['sync', 'search', 'from:+15555551003', '--store', url])).toEqual([]);
    const log = await db.query<{ subject: string }>('select action, subject, count from audit');
    expect(log).toEqual([{ action: 'erase', subject: 'one phone number', count: 1 }]);
  });

  it('asks for an initialized store', async () => {
    const { run } = await openCompany();
    const { url } = await emptyStore();
    const { exit, stderr } = await run(['sync', '--store', url, '-o', 'json']);
    expect([exit, JSON.parse(stderr)]).toMatchObject([12, { error: { code: 'store_not_initialized' } }]);
    const both = await run(['sync', 'status', '--store', url, '--database', 'x.sqlite']);
    expect(both.exit).toBe(2);
  });
});
