import { describe, expect, it } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { fleetOffice } from './fleet-office.ts';

/** A fleet whose only sign-in may send 6 requests per minute for messages. */
async function limited() {
  const office = await fleetOffice();
  const { db } = office;
  await office.run('fleet enroll --extension 101');
  await office.run('fleet worker --once');
  const warning = async (words: string, limit: number | null = 6): Promise<string | undefined> => {
    // The command also sends requests of this group, and must not wait for them.
    await db.run(
      `update budget set lim = $1, window_ms = 60000, remaining = 6, resets_at = store_now() + interval '1 day' where grp = 'light'`,
      [limit],
    );
    const { exit, stderr } = await office.run(`fleet enroll ${words}`);
    expect(exit).toBe(0);
    return /^warning: (.+)$/m.exec(stderr)?.[1];
  };
  return { ...office, warning };
}

describe.skipIf(postgresMissing())('the interval of fleet enroll', () => {
  it('is compared with the known rate limits of the sign-ins', async () => {
    const { db, warning } = await limited();
    expect(await warning('--extension 101,102,103 --every 29s')).toBe(
      'the known rate limits of the sign-ins allow these tasks only every 30s; enroll again with a longer --every, or add a sign-in: ucctl fleet session add',
    );
    expect(await warning('--extension 101,102,103 --every 30s')).toBeUndefined();
    // Attachments are requested only after new messages.
    expect(await warning('--extension 101,102,103 --tasks media --every 10s')).not.toContain('rate limit');
    expect(await warning('--extension 101,102,103 --remove')).toBeUndefined();
    expect(await warning('--extension 101,102,103 --every 29s')).toContain('only every 30s;');
    // A sign-in whose limit is not known yet counts like the others.
    await db.run(
      `insert into fleet_session (profile, origin, owner, who) values ('second', 'http://x', 'second', '102')`,
    );
    expect(await warning('--extension 101,102,103 --every 29s')).toBeUndefined();
    expect(await warning('--extension 101,102,103 --every 14s')).toContain('only every 15s;');
    await db.run(`update fleet_session set problem = 'ended'`);
    expect(await warning('--extension 101,102,103 --every 14s')).toContain('only every 30s;');
  });

  it('is compared with the requests of the other tasks', async () => {
    const { warning, db } = await limited();
    expect(await warning('--extension 101 --every 20s')).toBeUndefined();
    // 3 of 6 requests per minute are left for 6 tasks.
    const six = '--extension 102,103,104,105,106,107';
    expect(await warning(`${six} --every 1m`)).toContain('only every 2m;');
    await db.run(`update fleet_task set state = 'paused' where label = '101'`);
    expect(await warning(`${six} --every 1m`)).toBeUndefined();
    await db.run(`update fleet_task set state = 'active', every_seconds = 10 where label = '101'`);
    expect(await warning(`${six} --every 1m`)).toBe(
      'the known rate limits of the sign-ins do not allow more tasks, because of the other tasks; enroll those with a longer --every, or add a sign-in: ucctl fleet session add',
    );
  });

  it('is not compared with a limit that no reply has contained', async () => {
    const { warning } = await limited();
    expect(await warning('--extension 101,102,103 --every 10s', null)).toBeUndefined();
  });
});
