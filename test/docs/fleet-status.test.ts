import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { clockStore, postgresMissing } from '../support/postgres.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const document = readFileSync('docs/operation.md', 'utf8');

/** Returns the output that the document shows below the sentence about a command. */
function shownFor(command: string): string | undefined {
  const [, after = ''] = document.split(`\n\`ucctl ${command}\` shows `);
  return /```text\n([\s\S]*?)```/.exec(after)?.[1];
}

const start = Date.parse('2026-11-22T08:00:00Z');

it.skipIf(postgresMissing())(
  'the output of fleet commands in docs/operation.md is the real output',
  async () => {
    const { db, url } = await clockStore(start);
    await db.script(`
    insert into fleet_task (kind, subject, label, every_seconds, enrolled_at, due_at, fenced)
      select 'messages', n::text, n::text, 60, store_now() - interval '10 minutes', store_now() - interval '70 seconds', (n = 101)::int
      from generate_series(101, 104) as n;
    insert into budget (owner, grp, lim, window_ms, remaining, resets_at) values
      ('b8e4e623', 'light', 50, 60000, 0, store_now() + interval '41 seconds'),
      ('b8e4e623', 'medium', 40, 60000, 40, '-infinity');
    insert into fleet_worker (worker, machine, pid, version, concurrency)
      values ('node-1-4711-a3f0', 'node-1', 4711, '0.1.0', 4), ('node-2-812-07be', 'node-2', 812, '0.1.0', 4)`);
    const options = { env: { UCCTL_STORE: url, NO_COLOR: '1' }, terminal: 100, now: start };
    for (const command of ['fleet status', 'fleet budget']) {
      const { exit, stdout } = await runUcctl(command, options);
      expect([command, exit, stdout]).toEqual([command, 0, shownFor(command)]);
    }
  },
);
