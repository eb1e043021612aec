import { randomBytes } from 'node:crypto';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectStore, migrations } from '../../../src/store/index.ts';
import { emptyStore, postgresMissing, postgresServer, testStore } from '../../support/postgres.ts';
import { freePort } from '../../support/free-port.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';

function parsed(text: string): Record<string, unknown> & Record<string, unknown>[] {
  return JSON.parse(text) as Record<string, unknown> & Record<string, unknown>[];
}

/** The error of a run that failed. */
async function failure(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{
  readonly exit: number;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}> {
  const { exit, stderr } = await runUcctl([...words, '-o', 'json'], { env });
  const { error } = JSON.parse(stderr) as {
    readonly error: { code: string; message: string; hint?: string };
  };
  return { exit, ...error };
}

describe.skipIf(postgresMissing())('ucctl store', () => {
  it('shows a store with another schema, but reports the difference', async () => {
    const { url, db } = await testStore(migrations);
    await db.run(`update store_migration set checksum = 'other' where number = 15`);
    const { exit, stdout, stderr } = await runUcctl(['store', 'status', '--store', url, '-o', 'json']);
    expect(parsed(stdout)).toMatchObject({ version: migrations.length });
    expect([exit, parsed(stderr)]).toMatchObject([12, { error: { code: 'store_changed' } }]);
    const doctor = await runUcctl(['doctor', '--store', url, '-o', 'json']);
    expect(doctor.stdout).toContain('step 15 of the store');
  });

  it('is initialized, shown, checked and migrated', async () => {
    const { url, schema } = await emptyStore();
    const env = { UCCTL_STORE: url };
    expect(await failure(['store', 'status'], env)).toMatchObject({
      exit: 12,
      code: 'store_not_initialized',
      hint: 'ucctl store init',
    });
    const roles = ['--writer', `${schema}_w`, '--reader', `${schema}_r`];
    const made = await runUcctl(['store', 'init', ...roles, '-o', 'json'], { env });
    expect(made).toMatchObject({ exit: 0 });
    expect(parsed(made.stdout)).toMatchObject({
      schema,
      from: 0,
      writer: `${schema}_w`,
      reader: `${schema}_r`,
    });
    expect(await failure(['store', 'init'], env)).toMatchObject({ exit: 11, code: 'store_exists' });
    const shown = await runUcctl(['store', 'status', '--store', url, '-o', 'json']);
    expect(parsed(shown.stdout)).toMatchObject({
      schema,
      source: '--store',
      tls: 'none',
      readOnly: false,
      writer: `${schema}_w`,
    });
    const migrated = await runUcctl(['store', 'migrate', '-o', 'json'], { env });
    expect(migrated.stderr).toContain('No changes');
    const checked = await runUcctl(['store', 'check', '-o', 'json'], { env });
    expect(parsed(checked.stdout).map(({ check, result }) => `${String(check)} ${String(result)}`)).toEqual([
      'connection ok',
      'schema ok',
      'tables ok',
      'functions ok',
      'rights ok',
      'clock ok',
      'transaction ids ok',
      'delays ok',
    ]);
    const db = connectStore({ url, source: '', env: {} });
    onTestFinished(async () => {
      await db.script(`drop schema "${schema}" cascade; drop role "${schema}_w"; drop role "${schema}_r"`);
      await db.close();
    });
  });

  it('lets the writer write, and the reader read neither sessions nor journals', async () => {
    const { db, schema, url } = await emptyStore();
    const { exit } = await runUcctl(['store', 'init', '--writer', `${schema}_w`, '--reader', `${schema}_r`], {
      env: { UCCTL_STORE: url },
    });
    expect(exit).toBe(0);
    const can = async (role: string, privilege: string): Promise<readonly string[]> => {
      const rows = await db.query<{ name: string }>(
        "select relname as name from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r' and has_table_privilege($2, oid, $3) order by 1",
        [schema, role, privilege],
      );
      return rows.map(({ name }) => name);
    };
    expect(await can(`${schema}_w`, 'insert')).toEqual(
      expect.arrayContaining(['budget', 'outcome', 'session']),
    );
    expect(await can(`${schema}_w`, 'update')).not.toContain('store_migration');
    expect(await can(`${schema}_w`, 'insert')).toContain('audit');
    for (const right of ['update', 'delete']) expect(await can(`${schema}_w`, right)).not.toContain('audit');
    expect(await can(`${schema}_r`, 'select')).toContain('store_migration');
    for (const name of ['session', 'session_intent', 'outcome', 'budget'])
      expect(await can(`${schema}_r`, 'select')).not.toContain(name);
    expect(await can(`${schema}_r`, 'insert')).toEqual([]);
    const address = new URL(url);
    address.username = `${schema}_r`;
    await db.script(`alter role "${schema}_r" login`);
    const checked = await runUcctl(['store', 'check', '--store', address.href, '-o', 'json']);
    const findings = parsed(checked.stdout).map(({ check, result }) => `${String(check)} ${String(result)}`);
    expect([checked.exit, findings]).toEqual([
      0,
      expect.arrayContaining(['rights warn', 'transaction ids ok', 'delays ok']) as string[],
    ]);
    const migrated = await runUcctl(['store', 'migrate', '--store', address.href, '-o', 'json']);
    expect([migrated.exit, parsed(migrated.stderr)]).toMatchObject([
      12,
      {
        error: {
          code: 'store_permission',
          hint: expect.stringContaining('the owner of the store') as string,
        },
      },
    ]);
    await db.script(`drop schema "${schema}" cascade; drop role "${schema}_w"; drop role "${schema}_r"`);
  });

  it('shows holds and retention rules to the reader, who cannot change them', async () => {
    const { db, schema, url } = await emptyStore();
    const roles = ['--writer', `${schema}_w`, '--reader', `${schema}_r`];
    expect((await runUcctl(['store', 'init', ...roles], { env: { UCCTL_STORE: url } })).exit).toBe(0);
    await db.script(`alter role "${schema}_r" login`);
    const address = new URL(url);
    address.username = `${schema}_r`;
    const run = async (words: readonly string[], store: string) => {
      const { exit, stdout, stderr } = await runUcctl(
        ['store', ...words, '--store', store, '-o', 'json', '--yes'],
        { paths: temporaryPaths() },
      );
      return { exit, shown: parsed(exit === 0 ? stdout : stderr) };
    };
    const hold = ['hold', '--add', '+15555550100', '--reason', 'case 1'];
    const rule = ['retention', '--keep', 'SMS=2y'];
    for (const words of [hold, rule]) {
      const [row] = (await run(words, url)).shown;
      expect(await run(words, address.href)).toMatchObject({
        exit: 12,
        shown: { error: { code: 'store_permission' } },
      });
      expect(await run(words.slice(0, 1), address.href)).toMatchObject({
        exit: 0,
        shown: [{ setAt: row?.['setAt'], setBy: row?.['setBy'] }],
      });
    }
    await db.script(`drop schema "${schema}" cascade; drop role "${schema}_w"; drop role "${schema}_r"`);
  });

  it('reports a table that somebody dropped', async () => {
    const { db, url } = await testStore();
    await db.script('drop table budget; drop index outcome_sent');
    const { exit, stdout } = await runUcctl(['store', 'check', '--store', url, '-o', 'json']);
    expect(exit).toBe(12);
    expect(parsed(stdout).find(({ check }) => check === 'tables')).toMatchObject({
      result: 'fail',
      found: 'missing: table budget, index outcome_sent',
    });
  });

  it('reports a column, a key and a recreated index that somebody dropped', async () => {
    const { db, url } = await testStore();
    await db.script(`alter table stream drop constraint stream_extension_id_scope_key_key;
      alter table budget drop constraint budget_pkey;
      alter table call_stream drop column sync_token;
      alter table mailbox drop column own;
      drop index call_by_start`);
    const { exit, stdout } = await runUcctl(['store', 'check', '--store', url, '-o', 'json']);
    expect(exit).toBe(12);
    expect(parsed(stdout).find(({ check }) => check === 'tables')).toMatchObject({
      result: 'fail',
      found:
        'missing: column own of mailbox, column sync_token of call_stream, primary key (owner, grp) of budget, unique key (extension_id, scope_key) of stream, index call_by_start',
    });
  });

  it('reports that the writer may not create temporary tables', async () => {
    const server = new URL(await postgresServer());
    const admin = connectStore({ url: server.href, source: 'the test', env: {} });
    const name = `ucctl_test_${randomBytes(6).toString('hex')}`;
    onTestFinished(async () => {
      await admin.script(`drop database if exists "${name}" with (force)`);
      await admin.script(`drop role if exists "${name}"`);
      await admin.close();
    });
    await admin.script(`create database "${name}"`);
    await admin.script(`create role "${name}" login; revoke temporary on database "${name}" from public`);
    server.pathname = `/${name}`;
    expect((await runUcctl(['store', 'init', '--writer', name, '--store', server.href])).exit).toBe(0);
    server.username = name;
    const { exit, stdout } = await runUcctl(['store', 'check', '--store', server.href, '-o', 'json']);
    expect(exit).toBe(12);
    expect(parsed(stdout).find(({ check }) => check === 'rights')).toEqual({
      check: 'rights',
      result: 'fail',
      found: `user ${name} may not create temporary tables, which syncs use`,
      todo: `run "grant temporary on database ${name} to ${name}" as the owner of the database`,
    });
  });

  it('names what is wrong with the server', async () => {
    const server = new URL(await postgresServer());
    const at = (change: (url: URL) => void): readonly string[] => {
      const url = new URL(server);
      change(url);
      return ['store', 'status', '--store', url.href];
    };
    const port = await freePort();
    expect(await failure(at((url) => (url.port = String(port))))).toMatchObject({
      exit: 12,
      code: 'store_unreachable',
    });
    expect(await failure(at((url) => (url.pathname = '/missing')))).toMatchObject({
      exit: 12,
      code: 'store_database_missing',
    });
    const tls = await failure(at((url) => url.searchParams.set('sslmode', 'verify-full')));
    expect(tls).toMatchObject({ exit: 12, code: 'store_tls' });
  });

  it('takes the password from the environment or a file, and shows it nowhere', async () => {
    const { db, schema } = await testStore();
    const server = new URL(await postgresServer());
    await db.script(
      "do $$ begin create role ucctl_password login superuser password 'right-horse'; exception when duplicate_object then null; end $$",
    );
    const url = new URL(server);
    url.username = 'ucctl_password';
    url.searchParams.set('schema', schema);
    const words = ['store', 'status', '--store', url.href];
    expect(await failure(words)).toMatchObject({ exit: 12, code: 'store_password' });
    const wrong = await failure(words, { PGPASSWORD: 'wrong-horse-battery' });
    expect(wrong).toMatchObject({ exit: 12, code: 'store_password' });
    expect((await runUcctl(words, { env: { PGPASSWORD: 'right-horse' } })).exit).toBe(0);
    const file = join(temporaryFolder(), 'pgpass');
    writeFileSync(file, `# a comment\n${url.hostname}:*:*:ucctl_password:right-horse\n`, { mode: 0o600 });
    expect((await runUcctl(words, { env: { PGPASSFILE: file } })).exit).toBe(0);
    chmodSync(file, 0o644);
    expect(await failure(words, { PGPASSFILE: file })).toMatchObject({
      exit: 2,
      message: expect.stringContaining('chmod 600') as string,
    });
    url.password = 'right-horse';
    expect((await runUcctl('store status', { env: { UCCTL_STORE: url.href } })).exit).toBe(0);
    const listed = await runUcctl('config list -o json', { env: { UCCTL_STORE: url.href } });
    expect(listed.stdout).toContain('postgres://ucctl_password@');
    expect(listed.stdout).not.toContain('right-horse');
    const onLine = await failure(['store', 'status', '--store', url.href]);
    expect(onLine).toMatchObject({
      exit: 2,
      message: expect.stringContaining('must not contain a password') as string,
    });
    expect(onLine.message).not.toContain('right-horse');
    expect(await failure(['config', 'set', 'store', url.href])).toMatchObject({ exit: 2 });
  });
});

describe('ucctl store without a server', () => {
  it('needs an address', async () => {
    expect(await failure(['store', 'status'])).toMatchObject({ exit: 2, code: 'usage' });
    expect(await failure(['store', 'status', '--store', 'mysql://h/db'])).toMatchObject({
      exit: 2,
      code: 'usage',
    });
  });
});
