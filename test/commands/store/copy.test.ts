import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { otherAccount } from '../../support/other-account.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const own = '+16505550110';
const erased = '+15555551000';

/** An office with messages and calls of two numbers, a file with a copy of both, and an empty store. */
async function openCopied(around?: (send: HttpSend) => HttpSend) {
  const office = await openOffice('administrator', around);
  const { sandbox } = office;
  for (const from of [erased, '+15555551001', erased, '+15555551002']) {
    await sandbox.control('POST', '/triggers/sms', { to: own, from, text: 'Refund' });
    await sandbox.control('POST', '/triggers/call', { to: own, from });
    await sandbox.clock.advance(600_000);
  }
  const store = await testStore();
  const paths = temporaryPaths();
  const run = (words: readonly string[]) => office.run(words, { paths, now: () => sandbox.clock.now() });
  const json = async (words: readonly string[]) => {
    const result = await run([...words, '-o', 'json']);
    expect([words, result.exit, result.stderr]).toEqual([words, 0, expect.anything()]);
    return JSON.parse(result.stdout) as never;
  };
  const file = join(temporaryFolder(), 'copy.sqlite');
  await json(['sync', '--database', file]);
  await json(['calllog', 'sync', '--database', file]);
  return {
    ...store,
    sandbox,
    file,
    json,
    run,
    /** The names of the files in the media folder of the store. */
    contents: (): readonly string[] =>
      readdirSync(join(paths.data, 'mailbox', 'default.media'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
    copy: (url = store.url) => json(['store', 'copy', '--from', file, '--store', url]),
    failure: async (words: readonly string[]) => {
      const { exit, stderr } = await run([...words, '-o', 'json']);
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
        readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
      };
      return { exit, ...error };
    },
  };
}

describe.skipIf(postgresMissing())('store copy', () => {
  it('copies no data of erased numbers, and a repetition finds the copy complete', async () => {
    const { url, db, file, sandbox, json, copy, contents } = await openCopied();
    for (const [from, seconds] of [
      [erased, 3],
      ['+15555552001', 4],
    ] as const)
      await sandbox.control('POST', '/triggers/voicemail', { to: own, from, seconds });
    await json(['sync', '--media', '--database', file]);
    await json(['sync', 'erase', '--phone', erased, '--yes', '--store', url]);
    const results = (): Promise<readonly { readonly result: string; readonly rows: number }[]> => copy();
    const first = await results();
    expect(first.map(({ result }) => result)).toEqual(first.map(() => 'copied'));
    const [stored] = await db.query(
      `select (select count(*)::int from message where from_number = '${erased}') as messages,
        (select count(*)::int from call_record where position('${erased}' in numbers) > 0) as calls,
        (select count(*)::int from message where from_number like '+1555555100_') as others,
        (select count(*)::int from call_record) as "otherCalls"`,
    );
    expect(stored).toMatchObject({ messages: 0, calls: 0, others: 2, otherCalls: 2 });
    const media = await db.query<{ sha256: string }>('select sha256 from media');
    expect(media).toHaveLength(1);
    expect(contents()).toEqual([media[0]?.sha256]);
    expect((await results()).map(({ result }) => result)).toEqual(first.map(() => 'already copied'));
    await json(['sync', 'verify', '--whole', '--store', url]);
    // The same after a later erasure.
    for (const number of ['+15555551001', '+15555552001'])
      await json(['sync', 'erase', '--phone', number, '--yes', '--store', url]);
    expect((await results()).map(({ result }) => result)).toEqual(first.map(() => 'already copied'));
    expect(contents()).toEqual([]);
  });

  it('ends its read of the file, so that a later erasure in the same process can overwrite the data', async () => {
    const { file, copy } = await openCopied();
    const db = openDatabase(file);
    onTestFinished(() => db.close());
    await copy();
    db.exec('PRAGMA busy_timeout = 0; VACUUM');
    expect(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 });
  });

  it('names the store in the command that changes the action of the archive for deleted messages', async () => {
    const { url, file, json, run } = await openCopied();
    await json(['sync', '--database', file, '--on-delete', 'keep']);
    await json(['sync', '--extension', '102', '--on-delete', 'mark', '--store', url]);
    const { stderr } = await run(['store', 'copy', '--from', file, '--store', url]);
    expect(stderr).toContain(`to change it: ucctl sync --on-delete keep --store '${url}'`);
  });

  it('stores no erased numbers of a file that it does not copy', async () => {
    const { url, db, file, json, failure } = await openCopied();
    await json(['sync', '--store', url]);
    await json(['sync', 'erase', '--phone', erased, '--yes', '--database', file]);
    expect(await failure(['store', 'copy', '--from', file, '--store', url])).toMatchObject({
      exit: 11,
      code: 'store_copy_conflict',
    });
    expect(await db.query('select 1 from erased')).toEqual([]);
    expect(await db.query('select 1 from store_copy')).toEqual([]);
  });

  it('keeps the data of a mailbox on hold if a number was erased from the file', async () => {
    const { url, db, sandbox, json } = await openCopied();
    const other = join(temporaryFolder(), 'other.sqlite');
    await json(['sync', '--extension', '102', '--database', other]);
    await json(['sync', 'erase', '--phone', erased, '--yes', '--database', other]);
    await json(['sync', '--store', url]);
    const texts = () => db.query('select subject from message where from_number = $1', [erased]);
    expect(await texts()).toHaveLength(2);
    const [mailbox] = await db.query<{ id: string }>('select extension_id as id from mailbox where own');
    const hold = ['store', 'hold', '--add', mailbox?.id ?? '', '--reason', 'case 17'];
    await json([...hold, '--store', url]);
    await json(['store', 'copy', '--from', other, '--store', url]);
    expect(await db.query('select 1 from erased')).toHaveLength(1);
    await sandbox.control('POST', '/triggers/sms', { to: own, from: erased, text: 'Later' });
    await json(['sync', '--full', '--store', url]);
    expect(await texts()).toHaveLength(3);
    await json(['sync', 'verify', '--whole', '--store', url]);
  });

  it('copies a mailbox that was empty when the file was copied for the first time', async () => {
    const { db, file, sandbox, json, copy } = await openCopied();
    await json(['sync', '--extension', '102', '--database', file]);
    await copy();
    await sandbox.control('POST', '/triggers/sms', { to: '102', from: erased, text: 'First' });
    await json(['sync', '--extension', '102', '--database', file]);
    const lines: readonly { readonly part: string; readonly result: string }[] = await copy();
    expect(lines.filter(({ result }) => result === 'copied')).toHaveLength(1);
    expect(await db.query("select 1 from message where subject = 'First'")).toHaveLength(1);
    expect(await db.query('select messages from store_copy where messages = 1')).toHaveLength(1);
  });

  it('keeps what the store knows about a mailbox if the file does not contain it', async () => {
    const { url, db, file, json, copy } = await openCopied();
    for (const target of [
      ['--store', url],
      ['--database', file],
    ])
      await json(['sync', '--extension', '102', ...target]);
    const mailbox = () => db.query("select * from mailbox where extension_number = '102'");
    const known = await mailbox();
    expect(known).toMatchObject([{ name: expect.any(String) as string, own: false }]);
    const source = openDatabase(file);
    source.exec(
      "UPDATE mailbox SET name = NULL, extension_number = NULL, own = 1 WHERE extension_number = '102'",
    );
    source.close();
    await copy();
    expect(await mailbox()).toEqual(known.map((row) => Object.assign({}, row, { own: true })));
  });

  it('tells readers of the change feed about the copied messages', async () => {
    const { db, copy } = await openCopied();
    await copy();
    const [row] = await db.query<{ messages: number; changes: number; kinds: string }>(
      `select (select count(*)::int from message) as messages, count(*)::int as changes, string_agg(distinct change, ',') as kinds
       from message_change`,
    );
    expect(row?.messages).toBeGreaterThanOrEqual(4);
    expect(row).toMatchObject({ changes: row?.messages, kinds: 'added' });
  });

  it('copies the sync token of the call log', async () => {
    const { db, file, copy } = await openCopied();
    const source = openDatabase(file);
    source.prepare("INSERT INTO call_sync_token VALUES ('account', 'token-1')").run();
    source.close();
    await copy();
    expect(await db.query('select scope, sync_token from call_stream')).toEqual([
      { scope: 'account', sync_token: 'token-1' },
    ]);
  });

  it('binds the store to the account of the file, and rejects the file of another account', async () => {
    const first = await openCopied();
    const second = await openCopied(otherAccount);
    await second.copy(first.url);
    await first.json(['sync', 'erase', '--phone', erased, '--yes', '--database', first.file]);
    const copied = ['store', 'copy', '--from', first.file, '--store', first.url];
    expect(await first.failure(copied)).toMatchObject({
      exit: 11,
      code: 'other_account',
      message: expect.stringContaining('account 500131426') as string,
      hint: expect.stringContaining('?schema=NAME') as string,
    });
    expect(await first.db.query('select 1 from erased')).toEqual([]);
    expect(await first.failure(['sync', '--store', first.url])).toMatchObject({
      exit: 11,
      code: 'other_account',
    });
  });
});
