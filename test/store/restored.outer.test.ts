import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectStore, initializeStore, type Postgres } from '../../src/store/index.ts';
import { openOffice } from '../commands/office.ts';
import { postgresMissing } from '../support/postgres.ts';
import { startPostgres } from '../support/postgres-cluster.ts';
import { postgresPrograms } from '../support/postgres-programs.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

const own = '+16505550110';
const programs = postgresPrograms();
const missing =
  postgresMissing() ?? (programs === undefined ? 'pg_dump is not installed on this machine' : undefined);

/** A cluster of its own, and a pool for the statements of the test. */
async function newCluster(): Promise<{ readonly url: string; readonly db: Postgres }> {
  const cluster = await startPostgres();
  const url = `${cluster.url}/postgres`;
  const db = connectStore({ url, source: 'the test', env: {} });
  onTestFinished(async () => {
    await db.close();
    await cluster.stop();
  });
  return { url, db };
}

/** What a program that follows the feed reads next, and records as read. */
async function readFeed(db: Postgres, reader: string, limit = 1000): Promise<readonly string[]> {
  const rows = await db.query<{ tx: string; id: number; message: string }>(
    `select tx::text, change_id as id, message_id as message from v_change
     where (tx, change_id) > (select tx, change_id from feed_reader where name = $1) order by tx, change_id limit $2`,
    [reader, limit],
  );
  const last = rows.at(-1);
  if (last) await db.query('select feed_advance($1, $2::text::xid8, $3)', [reader, last.tx, last.id]);
  return rows.map(({ message }) => message);
}

async function openCompany() {
  const office = await openOffice('administrator');
  const { sandbox } = office;
  const paths = temporaryPaths();
  const receive = async (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      await sandbox.control('POST', '/triggers/sms', { to: own, from: '+15555551000', text: `Text ${left}` });
      await sandbox.clock.advance(1000);
    }
  };
  const run = (line: string) => office.run(line, { paths, now: () => sandbox.clock.now() });
  const succeed = async (line: string) => {
    const result = await run(line);
    expect([line, result.exit, result.stderr]).toEqual([line, 0, expect.anything()]);
    return result;
  };
  return { receive, run, succeed };
}

function dumpAndRestore(from: string, to: string): void {
  const file = join(temporaryFolder(), 'store.dump');
  for (const [program, ...words] of [
    ['pg_dump', '-d', from, '-n', 'ucctl', '-Fc', '-f', file],
    ['pg_restore', '-d', to, file],
  ] as const) {
    const { status, stderr } = spawnSync(join(programs ?? '', program), words, { encoding: 'utf8' });
    expect([program, status, stderr]).toEqual([program, 0, '']);
  }
}

describe.skipIf(missing)('a store that was restored into another cluster', () => {
  it('is detected, and renumbered so that readers and exports continue where they were', async () => {
    const { receive, run, succeed } = await openCompany();
    const [before, after] = [await newCluster(), await newCluster()];
    await initializeStore(before.db, {});
    // The transaction ids of the old cluster are far ahead of those of the new one.
    await before.db.script(
      'do $$ begin for n in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$',
    );
    const file = join(temporaryFolder(), 'all.csv');
    for (const count of [3, 2]) {
      await receive(count);
      await succeed(`sync --store ${before.url}`);
    }
    await succeed(`sync export --format csv --to ${file} --store ${before.url}`);
    await before.db.query("select feed_advance('report', '0'::xid8, 0), feed_advance('new', '0'::xid8, 0)");
    const read = await readFeed(before.db, 'report', 2);
    const unread = await readFeed(before.db, 'new');
    await before.db.run("update feed_reader set tx = '0', change_id = 0 where name = 'new'");
    for (const key of ['a', 'b', 'c'])
      await before.db.run(
        "insert into event (receiver, key, lane, origin, encrypted, raw) values ('office', $1, 'x', 'webhook', false, '{}')",
        [key],
      );
    await before.db
      .script(`insert into event_consumer (name, tx, id) select 'worker', tx, id from event where key = 'a';
      insert into event_delivery (consumer, event_id, tx, lane) select 'worker', id, tx, lane from event where key = 'b'`);
    dumpAndRestore(before.url, after.url);

    const check = await run(`store check --store ${after.url} -o json`);
    expect([check.exit, check.stdout]).toEqual([12, expect.stringContaining('another database cluster')]);
    const rejected = await run(`sync --store ${after.url}`);
    expect([rejected.exit, rejected.stderr]).toEqual([12, expect.stringContaining('ucctl store migrate')]);
    expect((await succeed(`sync search Text --store ${after.url} -o json`)).stdout).toContain('Text 1');
    const migrated = await succeed(`store migrate --store ${after.url}`);
    expect(migrated.stderr).toContain('known readers continue at their positions');
    await succeed(`store check --store ${after.url}`);
    expect((await succeed(`store migrate --store ${after.url}`)).stderr).not.toContain('recorded readers');

    const events = await after.db.query<{ key: string; pending: boolean }>(
      `select key, exists (select 1 from event_delivery where event_id = event.id and event_delivery.tx = event.tx) as pending
       from event where (tx, id) > (select tx, id from event_consumer) order by tx, id`,
    );
    expect(events).toEqual([
      { key: 'b', pending: true },
      { key: 'c', pending: false },
    ]);
    await receive(2);
    await succeed(`sync --store ${after.url}`);
    const everything = await readFeed(after.db, 'new');
    expect(everything.slice(0, unread.length)).toEqual(unread);
    expect(everything).toHaveLength(7);
    expect([...read, ...(await readFeed(after.db, 'report'))]).toEqual(everything);
    const lines = readFileSync(file, 'utf8').trim().split('\n').length;
    await succeed(`sync export --format csv --to ${file} --store ${after.url}`);
    expect(readFileSync(file, 'utf8').trim().split('\n').length - lines).toBe(2);
  });
});
