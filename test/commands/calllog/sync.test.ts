import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { type RunOptions } from '../../support/run-ucctl.ts';
import { pathsIn } from '../../support/paths.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { signInAs } from '../../support/sandbox.ts';
import { openOffice, type Office } from '../office.ts';

const now = Date.UTC(2026, 0, 5, 9);

interface Desk extends Office {
  /** The sandbox's database. */
  readonly database: string;
  /** Folders that stay, so that the copy does. */
  readonly options: RunOptions;
}

async function openDesk(
  who?: string,
  fixture: 'call-center' | 'small-office' = 'call-center',
  around?: (send: HttpSend) => HttpSend,
): Promise<Desk> {
  const folder = temporaryFolder();
  const database = join(folder, 'sandbox.db');
  const office = await openOffice(who, around, database, { fixture, validateReplies: false });
  return { ...office, database, options: { now, paths: pathsIn(folder) } };
}

/** Replaces the records of each incremental sync by 250 changed records of earlier calls. */
function sendsMostChanges(send: HttpSend): HttpSend {
  let call: Readonly<Record<string, unknown>> = {};
  return async (request) => {
    const reply = await send(request);
    const { pathname, searchParams } = request.url;
    if (!/call-log(-sync)?$/.test(pathname)) return reply;
    const body = JSON.parse(await reply.text()) as { records: Readonly<Record<string, unknown>>[] };
    call = body.records[0] ?? call;
    const changed = Array.from({ length: 250 }, (_, index) => ({
      ...call,
      id: index === 0 ? call['id'] : `${String(call['id'])}-${index}`,
      result: 'Missed',
    }));
    const records = searchParams.get('syncType') === 'ISync' ? changed : body.records;
    return { ...reply, text: () => Promise.resolve(JSON.stringify({ ...body, records })) };
  };
}

describe('calllog sync', () => {
  it('copies the calls of a call center, resumes after Ctrl-C, and counts them without the service exactly as online', async () => {
    const ctrlC = new AbortController();
    let pages = 0;
    const { run, options, requests } = await openDesk(undefined, undefined, (send) => (request) => {
      if (request.url.pathname.endsWith('/call-log') && (pages += 1) === 3) ctrlC.abort();
      return send(request);
    });
    const broken = await run('calllog sync --since 8d', { ...options, signal: ctrlC.signal });
    expect(broken.stderr).toContain('ucctl stored the copied calls; run the same command again to resume');
    expect(broken.stderr).not.toContain('could not process');
    expect(broken.exit).toBe(130);
    const unfinished = await run('calllog stats --local --since 8d -o json', options);
    expect(unfinished.stderr).toContain('the local call database is incomplete');
    const second = await run('calllog sync -o json', options);
    expect([second.exit, second.stderr]).toEqual([0, '']);
    const report = JSON.parse(second.stdout) as { readonly added: number };
    expect(report).toMatchObject({ scope: 'account', resumed: true });
    expect(report.added).toBeGreaterThan(1000);
    for (const flags of ['--since 8d', '--since 6d --until 3d --tz Asia/Tokyo --direction Inbound']) {
      const online = await run(`calllog stats ${flags} -o json`, options);
      requests();
      const local = await run(`calllog stats --local ${flags} -o json --quiet`, options);
      expect([local.exit, local.stderr]).toEqual([0, '']);
      expect(JSON.parse(local.stdout)).toEqual(JSON.parse(online.stdout));
      expect(requests()).toEqual([]);
    }
    const sql = await run(
      ['sync', 'sql', '-o', 'json', 'select count(*) n, count(distinct session_id) > 1000 many from v_call'],
      options,
    );
    const [{ n = 0, many } = {}] = JSON.parse(sql.stdout) as { n?: number; many?: number }[];
    expect(many).toBe(1);
    expect(n).toBeGreaterThanOrEqual(report.added + 1000);
  });

  it('adds late legs, keeps calls that the service deleted, and erases a number with sync erase', async () => {
    const { run, options, database } = await openDesk();
    await run('calllog sync --since 5d', options);
    const before = JSON.parse((await run('calllog stats --local --since 5d -o json', options)).stdout) as {
      readonly totals: { readonly calls: number; readonly answered: number };
    };
    const db = openDatabase(database);
    const late = db
      .prepare(
        "SELECT id FROM callRecord WHERE type = 'Voice' AND result <> 'Accepted' ORDER BY startTime DESC LIMIT 1",
      )
      .get() as { readonly id: number };
    db.prepare("UPDATE callRecord SET result = 'Accepted', lastModifiedTime = ? WHERE id = ?").run(
      now,
      late.id,
    );
    db.prepare('DELETE FROM callRecord WHERE startTime < ?').run(now - 2 * 86_400_000);
    db.close();
    const second = await run('calllog sync --overlap 3d -o json', options);
    expect(JSON.parse(second.stdout)).toMatchObject({ added: 0, changed: 1 });
    const after = JSON.parse(
      (await run('calllog stats --local --since 5d -o json', options)).stdout,
    ) as typeof before;
    expect(after.totals.calls).toBe(before.totals.calls);
    const asked = await run(
      [
        'sync',
        'sql',
        '-o',
        'json',
        "select from_number n, count(*) calls from v_call where from_number like '+%' group by 1 order by 2 desc, 1 limit 1",
      ],
      options,
    );
    const [{ n: number, calls } = { n: '', calls: 0 }] = JSON.parse(asked.stdout) as {
      n: string;
      calls: number;
    }[];
    const erased = await run(`sync erase --phone ${number} --yes -o json`, options);
    const result = JSON.parse(erased.stdout) as { readonly calls: number };
    expect(result.calls).toBeGreaterThanOrEqual(calls);
    const again = await run('calllog sync --full -o json', options);
    expect(JSON.parse(again.stdout)).toMatchObject({ erased: expect.toSatisfy((n) => n > 0), added: 0 });
    const rest = await run(
      ['sync', 'sql', '-o', 'json', `select count(*) n from v_call where raw like '%${number}%'`],
      options,
    );
    expect(JSON.parse(rest.stdout)).toEqual([{ n: 0 }]);
  });

  it('lets every user copy their own calls, and explains what the account level requires', async () => {
    const { run, options } = await openDesk('103', 'small-office');
    const account = await run('calllog sync', options);
    expect(account.exit).toBe(5);
    expect(account.stderr).toContain('ucctl calllog sync --extension ~');
    expect((await run('calllog sync --extension ~', options)).exit).toBe(0);
    const local = await run('calllog stats --local --extension ~ -o json', options);
    const online = await run('calllog stats --extension ~ -o json', options);
    expect(JSON.parse(local.stdout)).toEqual(JSON.parse(online.stdout));
    const other = await run('calllog sync --extension 104', options);
    expect([other.exit, other.stderr]).toEqual([
      2,
      expect.stringContaining('--extension: "104" is not a valid value; calllog sync accepts only ~'),
    ]);
  });

  it('requests changes only, where the service has a sync of the call log, and reads the list if its token is rejected', async () => {
    const folder = temporaryFolder();
    const { run, requests, sandbox } = await openOffice('102', undefined, ':memory:', { dialect: 'current' });
    const options = {
      now: () => sandbox.clock.now(),
      paths: pathsIn(folder),
      env: { UCCTL_BASE_URL: sandbox.url, UCCTL_DIALECT: 'current' },
    };
    const sync = async (more = '') => {
      requests();
      const { stdout, stderr } = await run(
        `calllog sync --extension ~ --database ${join(folder, 'copy.sqlite')} -o json ${more}`,
        options,
      );
      expect(stderr).toBe('');
      const logs = requests().filter((line) => line.includes('/call-log'));
      return { report: JSON.parse(stdout) as Readonly<Record<string, unknown>>, logs };
    };
    const call = async () => {
      await sandbox.control('POST', '/triggers/call', { to: '102' });
      await sandbox.clock.advance(600_000);
    };
    const first = await sync();
    expect([first.report['syncType'], first.logs.length]).toEqual(['FSync', 2]);
    await call();
    const second = await sync();
    expect([second.report, second.logs]).toEqual([
      expect.objectContaining({ syncType: 'ISync', received: 1, added: 1 }),
      ['GET /account/~/extension/~/call-log-sync'],
    ]);
    await call();
    const db = openDatabase(join(folder, 'copy.sqlite'));
    expect(db.prepare("UPDATE call_sync_token SET token = 'unknown'").run().changes).toBe(1);
    db.close();
    const rejected = await sync();
    expect([rejected.report, rejected.logs.length]).toEqual([
      expect.objectContaining({ syncType: 'FSync', added: 1 }),
      3,
    ]);
    expect((await sync()).report).toMatchObject({ syncType: 'ISync', added: 0 });
    expect((await sync('--full')).report).toMatchObject({ syncType: 'FSync' });
  });

  it('stores a reply with the maximum number of changes, and then reads the list', async () => {
    const days = 40;
    const folder = temporaryFolder();
    const { run, sandbox } = await openOffice('102', (send) => sendsMostChanges(send), ':memory:', {
      dialect: 'current',
      validateReplies: false,
    });
    const sync = async () => {
      const { stdout, exit } = await run(
        `calllog sync --extension ~ --database ${join(folder, 'copy.sqlite')} -o json`,
        {
          now: () => sandbox.clock.now(),
          paths: pathsIn(folder),
          env: {
            UCCTL_BASE_URL: sandbox.url,
            UCCTL_DIALECT: 'current',
            UCCTL_TOKEN: await signInAs(sandbox, '102'),
          },
        },
      );
      return [exit, JSON.parse(stdout)] as const;
    };
    await sandbox.control('POST', '/triggers/call', { to: '102' });
    await sandbox.clock.advance(days * 86_400_000);
    expect(await sync()).toMatchObject([0, { syncType: 'FSync' }]);
    // The first call changed again, and is older than the period that the list covers.
    expect(await sync()).toMatchObject([0, { syncType: 'FSync', added: 249, changed: 1 }]);
  });

  it('is shown by sync status, and named by a full sync export, which has messages only', async () => {
    const { run, options } = await openDesk('administrator');
    const { added } = JSON.parse((await run('calllog sync --since 2d -o json', options)).stdout) as {
      readonly added: number;
    };
    const status = await run('sync status -o json', options);
    expect(JSON.parse(status.stdout)).toMatchObject([
      { mailbox: 'account', type: 'Calls', messages: 0, calls: added, lagSeconds: 0 },
    ]);
    const target = join(temporaryFolder(), 'calls.csv');
    const exported = await run(['sync', 'export', '--format', 'csv', '--to', target], options);
    expect([exported.exit, exported.stderr]).toEqual([
      0,
      expect.stringMatching(/\d+ copied calls as CSV: ucctl sync sql "select \* from v_call" -o csv/),
    ]);
    const again = await run(['sync', 'export', '--format', 'csv', '--to', target], options);
    expect([again.exit, again.stderr]).toEqual([0, expect.not.stringContaining('copied calls')]);
    const rows = (await run(['sync', 'sql', 'select * from v_call', '-o', 'csv'], options)).stdout;
    expect(rows.trim().split('\n').length).toBeGreaterThan(added);
  });

  it('names only the end of a copy of all calls', async () => {
    const { run, options } = await openDesk(undefined, 'small-office');
    await run('calllog sync', options);
    const all = await run('calllog stats --local --since 31d --until 2026-01-20 -o json', options);
    expect(all.stderr).toMatch(
      /^the local call database contains all calls until 2026-01-05 [\d:]{8} UTC; to update it: ucctl calllog sync$/m,
    );
  });

  it('reports what is not copied', async () => {
    const { run, options } = await openDesk(undefined, 'small-office');
    const nothing = await run('calllog stats --local', options);
    expect([nothing.exit, nothing.stderr]).toEqual([3, expect.stringContaining('ucctl calllog sync')]);
    await run('sync', options);
    const noCalls = await run('calllog stats --local', options);
    expect([noCalls.exit, noCalls.stderr]).toEqual([
      3,
      expect.stringContaining('the local call database does not contain any calls yet'),
    ]);
    await run('calllog sync --since 2d', options);
    const older = await run('calllog stats --local --since 31d -o json', options);
    expect(older.stderr).toMatch(
      /^the local call database contains calls from 2026-01-03 [\d:]{8} UTC to 2026-01-05 [\d:]{8} UTC;/m,
    );
    const zoned = await run('calllog stats --local --since 31d -o json --tz Asia/Tokyo', options);
    expect(zoned.stderr).toMatch(/contains calls from 2026-01-\d\d [\d:]{8} to 2026-01-05 [\d:]{8};/);
    const named = await run('calllog stats --local --extension 104', options);
    expect([named.exit, named.stderr]).toEqual([2, expect.stringContaining('v_call')]);
  });
});
