import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { temporaryPaths, type RunOptions } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';
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
): Promise<Desk> {
  const folder = temporaryFolder();
  const database = join(folder, 'sandbox.db');
  const office = await openOffice(who, undefined, database, { fixture, validateReplies: false });
  return { ...office, database, options: { now, paths: temporaryPaths(folder) } };
}

describe('calllog sync', () => {
  it('keeps a month of the call center, and counts it without the service exactly as online', async () => {
    const { run, options, requests } = await openDesk();
    const first = await run('calllog sync -o json', options);
    expect([first.exit, first.stderr]).toEqual([0, '']);
    const report = JSON.parse(first.stdout) as { readonly added: number; readonly received: number };
    expect(report).toMatchObject({ scope: 'account', resumed: false, changed: 0 });
    expect(report.added).toBe(report.received);
    expect(report.added).toBeGreaterThan(5000);
    for (const flags of ['--since 31d', '--since 10d --until 3d --tz Asia/Tokyo --direction Inbound', '']) {
      const online = await run(`calllog stats ${flags} -o json`, options);
      requests();
      const local = await run(`calllog stats --local ${flags} -o json --quiet`, options);
      expect([local.exit, local.stderr]).toEqual([0, '']);
      expect(JSON.parse(local.stdout)).toEqual(JSON.parse(online.stdout));
      expect(requests()).toEqual([]);
    }
    const again = await run('calllog sync -o json', options);
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, changed: 0 });
    const sql = await run(
      ['sync', 'sql', '-o', 'json', 'select count(*) n, count(distinct session_id) > 3000 many from v_call'],
      options,
    );
    expect(JSON.parse(sql.stdout)).toEqual([{ n: report.added, many: 1 }]);
  }, 120_000);

  it('takes legs that came late, keeps calls that the service dropped, and forgets a number with sync erase', async () => {
    const { run, options, database } = await openDesk();
    await run('calllog sync', options);
    const before = JSON.parse((await run('calllog stats --local --since 31d -o json', options)).stdout) as {
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
    db.prepare('DELETE FROM callRecord WHERE startTime < ?').run(now - 20 * 86_400_000);
    db.close();
    const second = await run('calllog sync --overlap 20d -o json', options);
    expect(JSON.parse(second.stdout)).toMatchObject({ added: 0, changed: 1 });
    const after = JSON.parse(
      (await run('calllog stats --local --since 31d -o json', options)).stdout,
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
    const erased = await run(`sync erase --number ${number} --yes -o json`, options);
    const result = JSON.parse(erased.stdout) as { readonly calls: number };
    expect(result.calls).toBeGreaterThanOrEqual(calls);
    const again = await run('calllog sync --full -o json', options);
    expect(JSON.parse(again.stdout)).toMatchObject({ withheld: expect.toSatisfy((n) => n > 0), added: 0 });
    const rest = await run(
      ['sync', 'sql', '-o', 'json', `select count(*) n from v_call where raw like '%${number}%'`],
      options,
    );
    expect(JSON.parse(rest.stdout)).toEqual([{ n: 0 }]);
  }, 120_000);

  it('lets everyone keep the own calls, and says what the account needs', async () => {
    const { run, options } = await openDesk('103', 'small-office');
    const account = await run('calllog sync', options);
    expect(account.exit).toBe(5);
    expect(account.stderr).toContain('ucctl calllog sync --extension ~');
    expect((await run('calllog sync --extension ~', options)).exit).toBe(0);
    const local = await run('calllog stats --local --extension ~ -o json', options);
    const online = await run('calllog stats --extension ~ -o json', options);
    expect(JSON.parse(local.stdout)).toEqual(JSON.parse(online.stdout));
    const other = await run('calllog sync --extension 104', options);
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('its own user only')]);
  });

  it('says what is not copied', async () => {
    const { run, options } = await openDesk(undefined, 'small-office');
    const nothing = await run('calllog stats --local', options);
    expect([nothing.exit, nothing.stderr]).toEqual([3, expect.stringContaining('ucctl calllog sync')]);
    await run('sync', options);
    const noCalls = await run('calllog stats --local', options);
    expect([noCalls.exit, noCalls.stderr]).toEqual([3, expect.stringContaining('no calls are copied yet')]);
    await run('calllog sync --since 2d', options);
    const older = await run('calllog stats --local --since 31d -o json', options);
    expect(older.stderr).toContain('the copy has the calls from 2026-01-03');
    const named = await run('calllog stats --local --extension 104', options);
    expect([named.exit, named.stderr]).toEqual([2, expect.stringContaining('v_call')]);
  });
});
