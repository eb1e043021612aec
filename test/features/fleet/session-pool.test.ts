import { describe, expect, it } from 'vitest';
import { addSession, removeSession, SessionPool } from '../../../src/features/fleet/index.ts';
import { StoreError } from '../../../src/platform/store-error.ts';
import type { FleetSession } from '../../../src/runtime/fleet-session.ts';
import { fakeSession } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';

/** A pool with the default lease, the clock of its worker, and its reports. @param damage why a damaged session cannot be opened */
async function pool(damage = new Error('damaged')) {
  const { db } = await testStore();
  const clock = { now: 0 };
  const news: string[] = [];
  const damaged = new Set<string>();
  let opened = 0;
  const sessions = new SessionPool({
    db,
    own: fakeSession('own'),
    leaseMilliseconds: 8000,
    async open({ profile }) {
      opened += 1;
      if (damaged.has(profile)) throw damage;
      return fakeSession(profile);
    },
    monotonic: () => clock.now,
    onUsed: (profile) => news.push(`${profile} used`),
    onUnopened: (profile, problem) => news.push(`${profile} unopened: ${problem}`),
    onLost: (profile, problem) => news.push(`${profile} lost: ${problem}`),
  });
  const add = (profile: string) => addSession(db, fakeSession(profile));
  const usable = (): readonly string[] => sessions.usable.map(({ profile }) => profile);
  /** Moves the clock, then reads the sign-ins if it is time. */
  const after = async (seconds: number): Promise<readonly string[]> => {
    clock.now += seconds * 1000;
    await sessions.refresh();
    return usable();
  };
  const session = (profile: string): FleetSession => {
    const found = sessions.usable.find((one) => one.profile === profile);
    if (!found) throw new Error(`${profile} is not usable`);
    return found;
  };
  const signIn = (profile: string) =>
    db.run(
      `insert into session (item, generation, encrypted, changed_by) values ($1, 1, '', '')
         on conflict (item) do update set generation = session.generation + 1`,
      [profile],
    );
  return { db, sessions, news, damaged, add, after, session, signIn, opened: () => opened };
}

describe.skipIf(postgresMissing())('the sign-ins of a worker', () => {
  it('are read every 30 s, and soon when no budget allows a request', async () => {
    const { db, sessions, news, add, after, opened } = await pool();
    await add('first');
    expect(await after(0)).toEqual(['own', 'first']);
    await add('second');
    expect(await after(29)).toEqual(['own', 'first']);
    expect(await after(1)).toEqual(['own', 'first', 'second']);
    expect(news).toEqual(['second used']);
    await removeSession(db, 'first');
    sessions.wantMore();
    expect(await after(4)).toEqual(['own', 'first', 'second']);
    expect(await after(1)).toEqual(['own', 'second']);
    expect(opened()).toBe(2);
  });

  it('that were lost are retried when their session in the store has changed', async () => {
    const { sessions, news, add, after, session, signIn } = await pool();
    await add('second');
    await signIn('second');
    await after(0);
    await sessions.lose(session('second'), 'ended');
    expect(sessions.lost).toBe(1);
    // The loss itself is a reason to look for other sign-ins.
    await add('third');
    expect(await after(0)).toEqual(['own', 'third']);
    expect(await after(60)).toEqual(['own', 'third']);
    await signIn('second');
    expect(await after(30)).toEqual(['own', 'second', 'third']);
    expect(news).toEqual(['second lost: ended', 'third used']);
    await sessions.works(session('second'));
    expect(news.at(-1)).toBe('second used');
  });

  it('that were lost without a session in the store are retried after 5 min, without another report', async () => {
    const { sessions, news, after, session } = await pool();
    await after(0);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await sessions.lose(session('own'), 'ended');
      expect(await after(299)).toEqual([]);
      expect(await after(31)).toEqual(['own']);
    }
    expect(news).toEqual(['own lost: ended']);
  });

  it('that cannot be opened are reported once, and have a problem in the store until they can be opened', async () => {
    const { db, news, damaged, add, after } = await pool();
    const problem = (): Promise<readonly object[]> => db.query('select problem from fleet_session');
    damaged.add('second');
    await add('second');
    expect(await after(0)).toEqual(['own']);
    expect(await after(30)).toEqual(['own']);
    expect(await problem()).toEqual([{ problem: 'a worker cannot open the session: damaged' }]);
    damaged.clear();
    expect(await after(30)).toEqual(['own', 'second']);
    expect(await problem()).toEqual([{ problem: null }]);
    expect(news).toEqual(['second unopened: damaged', 'second used']);
  });

  it('have no problem if the store failed when they were opened', async () => {
    const { db, news, damaged, add, after } = await pool(
      new StoreError('lost', 'the store', { report: 'cut' }),
    );
    damaged.add('second');
    await add('second');
    expect(await after(0)).toEqual(['own']);
    expect(await db.query('select problem from fleet_session')).toEqual([{ problem: null }]);
    expect(news).toHaveLength(1);
  });

  it('have a problem in the store from their loss until they work again', async () => {
    const { db, sessions, add, after, session, signIn } = await pool();
    const problem = (): Promise<readonly object[]> => db.query('select problem from fleet_session');
    await add('second');
    await after(0);
    const lost = session('second');
    await sessions.lose(lost, 'ended');
    // The reply to an earlier request.
    await sessions.works(lost);
    expect(await problem()).toEqual([{ problem: 'ended' }]);
    await signIn('second');
    await after(0);
    await sessions.works(session('second'));
    expect(await problem()).toEqual([{ problem: null }]);
  });
});
