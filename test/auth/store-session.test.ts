import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
import type { Paths } from '../../src/runtime/context.ts';
import { startSandbox, type SandboxSettings } from '../../src/sandbox/index.ts';
import { clockStore, postgresMissing } from '../support/postgres.ts';
import { runUcctl, type RunResult } from '../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../support/sandbox.ts';
import { temporaryPaths } from '../support/temporary.ts';

const hour = 3_600_000;
const key = Buffer.alloc(32, 7).toString('base64');
const otherKey = Buffer.alloc(32, 8).toString('base64');

interface Machine {
  readonly paths: Paths;
  readonly run: (argv: string, env?: Readonly<Record<string, string>>) => Promise<RunResult>;
}

/** Machines that share a store and a service. */
async function fleet(settings: Partial<SandboxSettings> = {}) {
  const sandbox = await startSandbox({ listen: false, settings });
  onTestFinished(() => sandbox.close());
  const { db, url, setClock } = await clockStore(sandbox.clock.now());
  let grants = 0;
  let before: () => Promise<void> = () => Promise.resolve();
  const http: HttpSend = async (request) => {
    const isGrant = request.url.pathname.endsWith('/token');
    if (isGrant) grants += 1;
    if (isGrant) await before();
    return sandboxHttp(sandbox)(request);
  };
  const { username, extension, password } = userOf(sandbox, '102');
  const machine = (behind = 0): Machine => {
    const paths = temporaryPaths();
    return {
      paths,
      run: (argv, env) =>
        runUcctl(argv, {
          paths,
          now: () => sandbox.clock.now() - behind,
          sandbox: {
            http,
            env: {
              UCCTL_BASE_URL: sandbox.url,
              UCCTL_CLIENT_ID: sandbox.ready.clientId,
              UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
              UCCTL_STORE: url,
              UCCTL_STORE_KEY: key,
              UCCTL_PASSWORD: password,
              ...env,
            },
          },
        }),
    };
  };
  const advance = async (milliseconds: number): Promise<void> => {
    await sandbox.clock.advance(milliseconds);
    await setClock(sandbox.clock.now());
  };
  return {
    sandbox,
    db,
    url,
    machine,
    advance,
    login: `login --flow password --username ${username} --extension ${extension}`,
    grants: () => grants,
    beforeGrant: (work: () => Promise<void>) => (before = work),
  };
}

describe.skipIf(postgresMissing())('a session in the store', () => {
  it('is not replaced by the check before a sign-in, whatever its profile is named', async () => {
    const { machine, login } = await fleet();
    const one = machine();
    expect(await one.run(`${login} -p preflight`)).toMatchObject({ exit: 0 });
    expect(await one.run(`${login} -p other`)).toMatchObject({ exit: 0 });
    expect(await one.run('queue list -o json -p preflight')).toMatchObject({ exit: 0 });
  });

  it('is used by every machine, and renewed by one', async () => {
    const { machine, login, grants, advance, db } = await fleet();
    const [one, other, late, early] = [machine(), machine(), machine(hour), machine(-hour)];
    expect(await one.run(login)).toMatchObject({ exit: 0 });
    expect(grants()).toBe(1);
    for (const each of [one, other, late, early])
      expect(await each.run('queue list -o json')).toMatchObject({ exit: 0 });
    expect(grants()).toBe(1);
    await advance(2 * hour);
    const results = await Promise.all(
      [one, other, late, early, machine(), machine()].map((each) => each.run('queue list -o json')),
    );
    expect(results.map(({ exit, stderr }) => [exit, stderr])).toEqual(results.map(() => [0, '']));
    expect(grants()).toBe(2);
    // The sign-in stored the session, and then the name of its user.
    expect(await db.query('select generation from session')).toEqual([{ generation: 3 }]);
    expect(await db.query('select * from session_intent')).toEqual([]);
  });

  it('never shows a token to the database', async () => {
    const { machine, login, advance, db, sandbox } = await fleet();
    await machine().run(login);
    await advance(2 * hour);
    await machine().run('queue list');
    const rows = JSON.stringify([
      await db.query('select * from session'),
      await db.query('select * from session_intent'),
      await db.query('select * from budget'),
    ]);
    expect(rows).not.toContain(sandbox.ready.clientSecret);
    expect(rows).not.toContain('accessToken');
  });

  it('needs the key of the machine that signed in', async () => {
    const { machine, login } = await fleet();
    await machine().run(login);
    const wrong = await machine().run('queue list -o json', { UCCTL_STORE_KEY: otherKey });
    expect(wrong.exit).toBe(12);
    expect(JSON.parse(wrong.stderr)).toMatchObject({ error: { code: 'store_key' } });
    // The sign-in that the hint suggests goes on to its next question.
    const env = { UCCTL_STORE_KEY: otherKey, UCCTL_CLIENT_SECRET: '' };
    expect((await machine().run(login, env)).stderr).toContain('--secret-stdin');
    const short = await machine().run('queue list -o json', { UCCTL_STORE_KEY: 'c2hvcnQ=' });
    expect(short.exit).toBe(2);
    expect(short.stderr).toContain('openssl rand -base64 32');
  });

  it('is not replaced by a sign-in of another user in a profile of the same name', async () => {
    const { machine, login, sandbox } = await fleet();
    await machine().run(login);
    const other = userOf(sandbox, '103');
    const second = machine();
    const taken = await second.run(
      `login --flow password --username ${other.username} --extension ${other.extension} -o json`,
      {
        UCCTL_PASSWORD: other.password,
      },
    );
    expect(taken.exit).toBe(11);
    expect(JSON.parse(taken.stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'store_session_taken' },
    });
    expect(await machine().run('queue list')).toMatchObject({ exit: 0 });
  });

  it('ends for every machine by logout', async () => {
    const { machine, login, db } = await fleet();
    await machine().run(login);
    expect(await machine().run('logout')).toMatchObject({ exit: 0 });
    expect(await machine().run('queue list')).toMatchObject({ exit: 4 });
    expect(await db.query('select * from session')).toEqual([]);
  });

  it('uses the session of the machine that renewed it while this one had lost its lock', async () => {
    const { machine, login, advance, grants, beforeGrant, db } = await fleet({ refreshGraceSeconds: 60 });
    const [one, other] = [machine(), machine()];
    await one.run(login);
    await advance(2 * hour);
    let isCut = false;
    beforeGrant(async () => {
      if (isCut) return;
      isCut = true;
      // The server ends the connection with the lock of this schema, as after a partition; another machine renews the session.
      await db.run(
        `select pg_terminate_backend(pid) from pg_locks
          where locktype = 'advisory' and objsubid = 1 and (classid::bigint << 32) | objid::bigint in (
            select hashtextextended('ucctl session ' || current_schema() || ' ' || item, 0) from session)`,
      );
      expect(await other.run('queue list -o json')).toMatchObject({ exit: 0 });
    });
    const { exit, stderr } = await one.run('queue list -o json');
    expect([exit, stderr]).toEqual([0, '']);
    expect(grants()).toBe(3);
    // The sign-in stored the session, and then the name of its user.
    expect(await db.query('select generation from session')).toEqual([{ generation: 3 }]);
  });

  it('says who was renewing it when it was lost', async () => {
    const { machine, login, advance, db, sandbox } = await fleet();
    await machine().run(login);
    await advance(2 * hour);
    // A process on another machine sent the renewal, and ended before it stored the reply.
    const failing = machine();
    await db.script(
      "create function cut() returns trigger language plpgsql as $$ begin raise exception 'cut'; end $$; create trigger cut before update on session execute function cut()",
    );
    expect((await failing.run('queue list')).exit).toBe(12);
    await db.script('drop trigger cut on session');
    const lost = await machine().run('queue list -o json');
    expect(lost.exit).toBe(4);
    expect(lost.stderr).toMatch(/was lost during a renewal at .*, because process \d+ on .* ended/);
    expect(sandbox.clock.now()).toBeGreaterThan(0);
  });
});
