import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { emptyStore, postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';

/** An office with messages of each kind, and runs that use the store or a file. */
async function openCompany(around?: (send: HttpSend) => HttpSend) {
  const office = await openOffice('administrator', around);
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
  return {
    ...office,
    url,
    db,
    run,
    succeed,
    json: async (argv: readonly string[]) =>
      JSON.parse((await succeed([...argv, '-o', 'json'])).stdout) as never,
  };
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
      [
        'sync',
        'sql',
        'select thread_id, messages, unread, others from v_thread order by extension_id, thread_id',
      ],
      [
        'sync',
        'sql',
        'select count(*) as n, sum(duration_seconds) as seconds, sum(legs) as legs from v_call',
      ],
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

  it('returns dates, times and JSON of a statement without loss, in each time zone', async () => {
    const { url, json } = await openCompany();
    const zone = process.env['TZ'];
    onTestFinished(() => {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    });
    const long = '9007199254740993';
    const statement = `select date '2026-01-05' as day, array[date '2026-01-05'] as days, timestamp '2026-01-05 09:00' as local,
      timestamptz '2026-01-05 09:00+00' as at, timestamptz 'infinity' as never, interval '1 day 2 hours' as span,
      '{"id":${long},"share":1.0}'::json as record, '${long}'::jsonb as id, float8 'NaN' as ratio, 1.5::float8 as part`;
    for (const name of ['Europe/Berlin', 'America/New_York']) {
      process.env['TZ'] = name;
      expect(await json(['sync', 'sql', statement, '--store', url])).toEqual([
        {
          day: '2026-01-05',
          days: '["2026-01-05"]',
          local: '2026-01-05 09:00:00',
          at: '2026-01-05T09:00:00.000Z',
          never: 'infinity',
          span: '1 day 02:00:00',
          record: `{"id":${long},"share":1.0}`,
          id: long,
          ratio: 'NaN',
          part: 1.5,
        },
      ]);
    }
  });

  it('rejects statements that write, and gives the next step for mistakes', async () => {
    const { url, run } = await openCompany();
    const onlyReads = {
      message: 'sync sql accepts only read statements: select, with, values and explain',
      hint: 'for other statements, use psql with the address of the store',
    };
    const names = { hint: expect.stringMatching(/^to list the tables and views: ucctl sync sql /) as string };
    const times = {
      message: expect.stringContaining('text') as string,
      hint: 'times are text; to calculate with a time, convert it, such as start_time::timestamptz',
    };
    const none = { hint: undefined };
    for (const [statement, error] of [
      ["insert into mailbox values ('1')", onlyReads],
      ['/* all */ DELETE from mailbox -- rows', onlyReads],
      ["select nextval('run_run_id_seq')", onlyReads],
      ['with gone as (delete from mailbox returning *) select * from gone', onlyReads],
      ['select 1; delete from mailbox', none],
      ['select nothing', names],
      ['select * from v_messages', names],
      ['select extract(hour from start_time) from v_call', times],
      ["select 1 from v_message where creation_time > now() - interval '1 day'", times],
      ['select no_such_function(1)', none],
      ['select 1 +', none],
      ['slect 1', none],
      ["select 'x'::int", none],
    ] as const) {
      const { exit, stderr } = await run(['sync', 'sql', statement, '--store', url, '-o', 'json']);
      const parsed = JSON.parse(stderr) as { readonly error: { readonly hint?: string } };
      expect([statement, exit, { ...parsed.error, hint: parsed.error.hint }]).toMatchObject([
        statement,
        2,
        { code: 'usage', ...error },
      ]);
    }
  });

  it('reports a statement that fails after its first rows as a mistake of the statement', async () => {
    const { url, run } = await openCompany();
    const statement = 'select 1 / (2500 - n) as part from generate_series(1, 3000) as n';
    const { exit, stdout, stderr } = await run(['sync', 'sql', statement, '--store', url, '-o', 'ndjson']);
    expect([exit, JSON.parse(stderr)]).toMatchObject([
      2,
      { error: { code: 'usage', message: 'division by zero' } },
    ]);
    expect(stdout).not.toBe('');
  });

  it('erases a number with its calls, and keeps a line in the audit log', async () => {
    const { url, json, db, run } = await openCompany();
    await json(['sync', '--extension', 'all', '--store', url]);
    // Without its audit line, nothing is erased.
    await db.script('alter table audit rename to audit_gone');
    const failed = await run(['sync', 'erase', '--phone', '+15555551003', '--yes', '--store', url]);
    expect(failed.exit).toBe(12);
    expect(await json(['sync', 'search', 'from:+15555551003', '--store', url])).toHaveLength(1);
    await db.script('alter table audit_gone rename to audit');
    const erased = await json(['sync', 'erase', '--phone', '+15555551003', '--yes', '--store', url]);
    expect(erased).toMatchObject({ erased: true, messages: 1 });
    expect(await json(['sync', 'search', 'from:+15555551003', '--store', url])).toEqual([]);
    const log = await db.query<{ subject: string }>('select action, subject, count from audit');
    expect(log).toEqual([{ action: 'erase', subject: 'one phone number', count: 1 }]);
  });

  it('copies what it can, and sync retry fetches the rest', async () => {
    const state = { isBroken: true };
    const spoil =
      (send: HttpSend): HttpSend =>
      async (request) => {
        const reply = await send(request);
        if (!state.isBroken || !request.url.pathname.endsWith('/message-sync')) return reply;
        const text = (await reply.text()).replace(/"creationTime":"2026[^"]*",/, '"creationTime":"?",');
        return {
          ...reply,
          async *bytes() {
            yield new TextEncoder().encode(text);
          },
        };
      };
    const { url, run, json, succeed } = await openCompany(spoil);
    const store = ['--store', url];
    const first = await run(['sync', ...store, '-o', 'json']);
    expect([first.exit, JSON.parse(first.stdout)]).toMatchObject([8, [{ added: 5, errors: 1 }]]);
    state.isBroken = false;
    expect(await json(['sync', 'retry', ...store])).toMatchObject([{ status: 'copied' }]);
    await succeed(['sync', 'verify', '--whole', ...store]);
    expect(await json(['sync', 'retry', ...store])).toEqual([]);
    expect(await json(['sync', 'status', ...store])).toMatchObject([{ errors: 0 }]);
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

describe.skipIf(postgresMissing())('store copy', () => {
  it('copies a file with checksums, once, and the next sync continues', async () => {
    const { url, succeed, json, sandbox, db } = await openCompany();
    const folder = temporaryFolder();
    const file = join(folder, 'copy.sqlite');
    await succeed(['sync', '--extension', 'all', '--media', '--database', file]);
    await succeed(['calllog', 'sync', '--database', file]);
    const copy = ['store', 'copy', '--from', file, '--store', url];
    const lines = (await json(copy)) as readonly { readonly part: string; readonly result: string }[];
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.every(({ result }) => result === 'copied')).toBe(true);
    const again = (await json(copy)) as typeof lines;
    expect(again.every(({ result }) => result === 'already copied')).toBe(true);
    const [one, other] = [join(folder, 'a.ndjson'), join(folder, 'b.ndjson')];
    await succeed(['sync', 'export', '--format', 'ndjson', '--to', one, '--store', url]);
    await succeed(['sync', 'export', '--format', 'ndjson', '--to', other, '--database', file]);
    expect(hashesOf(one)).toEqual(hashesOf(other));
    expect(await json(['sync', 'search', 'refund', '--store', url])).toEqual(
      await json(['sync', 'search', 'refund', '--database', file]),
    );
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: '+15555550108', text: 'Later' });
    const rows = (await json(['sync', '--extension', 'all', '--store', url])) as readonly {
      readonly syncType: string;
      readonly added: number;
    }[];
    expect(rows.every(({ syncType }) => syncType === 'ISync')).toBe(true);
    expect(rows.reduce((sum, { added }) => sum + added, 0)).toBe(1);
    expect(await db.query('select count(*)::int as n from media')).toEqual([{ n: 1 }]);
    await succeed(['sync', 'verify', '--whole', '--store', url]);
  });

  it('rejects a mailbox that the store has from elsewhere', async () => {
    const { url, succeed, run } = await openCompany();
    const file = join(temporaryFolder(), 'copy.sqlite');
    await succeed(['sync', '--database', file]);
    await succeed(['sync', '--store', url]);
    const { exit, stderr } = await run(['store', 'copy', '--from', file, '--store', url, '-o', 'json']);
    expect([exit, JSON.parse(stderr)]).toMatchObject([11, { error: { code: 'store_copy_conflict' } }]);
  });
});
