import { mkdirSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AuthEnvironment } from '../../src/auth/environment.ts';
import { createMemoryStore } from '../../src/auth/memory-store.ts';
import { isDue, justRenewed } from '../../src/auth/renewal-time.ts';
import { SessionRepository, type SessionLockWaits } from '../../src/auth/session-repository.ts';
import type { SessionRecord } from '../../src/auth/session-record.ts';
import { Session } from '../../src/auth/session.ts';
import type { TokenStore } from '../../src/auth/token-store.ts';
import type { HttpReply, HttpSend } from '../../src/client/index.ts';
import { CommandError, Exit } from '../../src/errors/command.ts';
import { Interrupted } from '../../src/errors/interrupted.ts';
import { nextStep, ucctl } from '../../src/errors/hint.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import {
  freshSession as fresh,
  sessionOrigin as origin,
  signedInAt as start,
} from '../support/session-record.ts';
import { temporaryPaths } from '../support/temporary.ts';
import { eventually } from '../support/eventually.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function replyOf(status: number, body: object): HttpReply {
  return {
    status,
    header: (name) => (name === 'content-type' ? 'application/json' : undefined),
    text: () => Promise.resolve(JSON.stringify(body)),
    bytes: () => new ReadableStream<Uint8Array>(),
    discard: () => Promise.resolve(),
  };
}

interface Desk {
  readonly session: Session;
  readonly repository: SessionRepository;
  readonly notes: string[];
  readonly renewals: () => number;
  readonly stored: () => Promise<SessionRecord | undefined>;
  clock: number;
}

async function desk(
  record: Partial<SessionRecord> = {},
  more: {
    readonly store?: TokenStore;
    readonly answer?: () => HttpReply | Promise<HttpReply>;
    readonly expiresIn?: number;
    readonly waits?: SessionLockWaits;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Desk> {
  const notes: string[] = [];
  let renewals = 0;
  const http: HttpSend = async () => {
    renewals += 1;
    return more.answer
      ? more.answer()
      : replyOf(200, {
          access_token: `token-${renewals}`,
          token_type: 'bearer',
          expires_in: more.expiresIn ?? 3600,
          refresh_token: `refresh-${renewals}`,
        });
  };
  const at = { clock: start };
  const environment: AuthEnvironment = await authEnvironment({
    http,
    env: { UCCTL_BASE_URL: origin },
    now: () => at.clock,
    note: (text) => notes.push(text),
    ...(more.signal && { signal: more.signal }),
  });
  const store = more.store ?? createMemoryStore();
  const repository = new SessionRepository(store, environment, more.waits);
  await repository.write({ ...fresh, ...record });
  return Object.assign(at, {
    session: new Session(environment, repository),
    repository,
    notes,
    renewals: () => renewals,
    stored: () => repository.read(),
  });
}

describe('when a session is renewed', () => {
  test('a minute before the expiry, plus or minus half a minute by process', () => {
    const due = (pid: number, before: number): boolean => isDue(fresh, fresh.expiresAt - before, pid);
    expect([due(0, 31_000), due(0, 29_000)]).toEqual([false, true]);
    expect([due(60, 91_000), due(60, 89_000)]).toEqual([false, true]);
    const spread = new Set(Array.from({ length: 61 }, (_, pid) => due(pid, minute)));
    expect(spread).toEqual(new Set([true, false]));
  });

  test('of a token with a lifetime of a minute, in its last quarter', () => {
    const short = { ...fresh, expiresAt: start + minute };
    expect(isDue(short, start + 40_000, 7)).toBe(false);
    expect(isDue(short, start + 46_000, 7)).toBe(true);
    const renewed = { ...short, signedInAt: start - day, renewedAt: start };
    expect(isDue(renewed, start + 40_000, 7)).toBe(false);
  });

  test('also after Ctrl-C, for the requests with which a command ends', async () => {
    const signal = AbortSignal.abort(new Interrupted('SIGINT'));
    const at = await desk({}, { signal });
    at.clock = start + 2 * hour;
    expect([await at.session.current(), (await at.stored())?.accessToken]).toEqual(['token-1', 'token-1']);
  });

  test('never twice within ten seconds, whatever the lifetime', async () => {
    const at = await desk({}, { expiresIn: 5 });
    at.clock = start + 2 * hour;
    expect(await at.session.current()).toBe('token-1');
    at.clock += 4000;
    expect(await at.session.current()).toBe('token-1');
    expect(at.renewals()).toBe(1);
    expect(justRenewed({ ...fresh, renewedAt: start }, start + 9999)).toBe(true);
    expect(justRenewed({ ...fresh, renewedAt: start }, start + 10_000)).toBe(false);
    expect(justRenewed({ ...fresh, renewedAt: start }, start - day)).toBe(false);
  });

  test('spec:OAUTH-47 the error for a token that was rejected right after its renewal names the causes, and the token is not renewed again', async () => {
    const at = await desk();
    const newer = await at.session.renew('first');
    at.clock += 2000;
    await expect(at.session.renew(newer)).rejects.toMatchObject({
      reason: 'rejected',
      message: expect.stringMatching(
        /the user revoked the session, an administrator disabled or deleted the user, or a password change ended all sessions/,
      ),
      hint: ucctl('login'),
    });
    expect(at.renewals()).toBe(1);
  });

  test.each([day, -day])('with a clock that is %i ms off, and then corrected', async (skew) => {
    const at = await desk({ expiresAt: start - 1, signedInAt: start - hour });
    at.clock = start + skew;
    expect(await at.session.renew('first')).toBe('token-1');
    expect((await at.stored())?.expiresAt).toBe(start + skew + hour);
    at.clock = start + 15_000;
    expect(await at.session.renew('token-1')).toBe('token-2');
    expect(await at.session.current()).toBe('token-2');
  });
});

describe('what a renewal must not do', () => {
  test('restore a session that was deleted in the meantime', async () => {
    const store = createMemoryStore();
    const at = await desk(
      { flow: 'password' },
      {
        store,
        answer: async () => {
          await store.delete('default');
          return replyOf(200, { access_token: 'late', token_type: 'bearer', expires_in: 3600 });
        },
      },
    );
    await expect(at.session.renew('first')).rejects.toMatchObject({
      reason: 'no-session',
      message: expect.stringMatching(/signed out/),
      hint: ucctl('login --flow password'),
    });
    expect(await at.stored()).toBeUndefined();
  });

  test.each([{}, { signedInAt: start + 1, generation: 5 }])(
    'overwrite a session that was created in the meantime, or use it: %j',
    async (more) => {
      const store = createMemoryStore();
      const recreated = { ...fresh, accessToken: 'other', refreshToken: 'r9', ...more };
      const at = await desk(
        {},
        {
          store,
          answer: async () => {
            await store.write('default', JSON.stringify(recreated));
            return replyOf(200, { access_token: 'late', token_type: 'bearer', expires_in: 3600 });
          },
        },
      );
      // Nobody has to sign in: there is a session.
      const hint = 'run the command again to use the new session';
      await expect(at.session.renew('first')).rejects.toMatchObject({ reason: 'no-session', hint });
      expect(await at.stored()).toEqual(recreated);
    },
  );

  test('use new tokens that the store has rejected, because another machine stored its tokens first', async () => {
    const store = createMemoryStore();
    const at = await desk({}, { store });
    at.repository.write = async () => {
      const newer = { ...fresh, accessToken: 'second', refreshToken: 'r2', generation: 2 };
      await store.write('default', JSON.stringify(newer));
      return false;
    };
    expect(await at.session.renew('first')).toBe('second');
  });

  test('report the end of a session that another process renewed in the meantime', async () => {
    const at: Desk = await desk(
      {},
      {
        answer: async () => {
          const renewed = { accessToken: 'second', refreshToken: 'r2', generation: 2 };
          await at.repository.write({ ...fresh, ...renewed, expiresAt: at.clock + hour });
          return replyOf(400, { error: 'invalid_grant', error_description: 'the token was used' });
        },
      },
    );
    at.clock = start + 2 * hour;
    expect(await at.session.current()).toBe('second');
    expect((await at.stored())?.accessToken).toBe('second');
    // The old token was not recorded as rejected, because the session continues.
    expect(await at.repository.rejection(fresh)).toBeUndefined();
  });

  test('report the end of a session that was replaced in the meantime', async () => {
    const at: Desk = await desk(
      {},
      {
        answer: async () => {
          await at.repository.write({ ...fresh, accessToken: 'second', signedInAt: at.clock });
          return replyOf(400, { error: 'invalid_grant', error_description: 'the token was used' });
        },
      },
    );
    at.clock = start + 2 * hour;
    await expect(at.session.current()).rejects.toMatchObject({
      message: expect.stringContaining('another process signed in') as string,
    });
  });

  test('hide that the new tokens could not be stored: the old ones stay, and no token is shown', async () => {
    const memory = createMemoryStore();
    let full = false;
    const store: TokenStore = {
      ...memory,
      write: (item, text) =>
        full
          ? Promise.reject(new CommandError('token_store_failed', Exit.local, 'the disk is full'))
          : memory.write(item, text),
    };
    const at = await desk({}, { store });
    const before = await memory.read('default');
    full = true;
    const error = await at.session.renew('first').catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'token_store_failed',
      exit: 12,
      message: 'the disk is full: the new tokens of a renewal are not stored',
      hint: nextStep`check the free disk space and the permissions of the folder, then sign in again: ${ucctl('login')}`,
    });
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toMatch(/token-1|refresh-1/);
    expect(await memory.read('default')).toBe(before);
    expect(at.notes).toEqual([]);
    // When there is space again, the same process stores the tokens that it has received.
    full = false;
    expect(await at.session.renew('first')).toBe('token-1');
    expect([at.renewals(), await at.stored()]).toMatchObject([1, { refreshToken: 'refresh-1' }]);
  });

  test('hide that the new tokens of an early renewal could not be stored', async () => {
    const memory = createMemoryStore();
    const full = () => Promise.reject(new CommandError('token_store_failed', Exit.local, 'the disk is full'));
    let released = 0;
    const release = async () => void (released += 1);
    const reserve = () => Promise.resolve({ write: full, release });
    const at = await desk({}, { store: { ...memory, reserve } });
    at.clock = fresh.expiresAt - 1000;
    await expect(at.session.current()).rejects.toMatchObject({
      code: 'token_store_failed',
      message: 'the disk is full: the new tokens of a renewal are not stored',
    });
    expect([at.renewals(), released]).toEqual([1, 1]);
  });

  test('hide that the service rejected an early renewal', async () => {
    const rejection = { error: 'invalid_grant', error_description: 'revoked' };
    const at = await desk({}, { answer: () => replyOf(400, rejection) });
    at.clock = fresh.expiresAt - 1000;
    await expect(at.session.current()).rejects.toMatchObject({ name: 'SignInRequiredError' });
  });

  test('stop the work because of an early renewal that can succeed later', async () => {
    const at = await desk({}, { answer: () => replyOf(503, {}) });
    at.clock = fresh.expiresAt - 1000;
    expect([await at.session.current(), at.renewals()]).toEqual(['first', 1]);
  });

  test('return the expired token of another process, which renewed the session earlier', async () => {
    const at = await desk();
    expect(await at.session.current()).toBe('first');
    await at.repository.write({ ...fresh, accessToken: 'second', refreshToken: 'r2', generation: 2 });
    at.clock = fresh.expiresAt + hour;
    expect(await at.session.current()).toBe('token-1');
  });

  test('return the expired token of another process after a rejection', async () => {
    const at = await desk();
    at.clock = fresh.expiresAt + hour;
    expect(await at.session.renew('older')).toBe('token-1');
  });

  test('use up the refresh token if the new tokens cannot be stored', async () => {
    const memory = createMemoryStore();
    let full = true;
    const store: TokenStore = {
      ...memory,
      reserve: () =>
        full
          ? Promise.reject(new CommandError('token_store_failed', Exit.local, 'the disk is full'))
          : Promise.resolve({
              write: (text) => memory.write('default', text),
              release: () => Promise.resolve(),
            }),
    };
    const at = await desk({}, { store });
    await expect(at.session.renew('first')).rejects.toMatchObject({ code: 'token_store_failed', exit: 12 });
    expect(at.renewals()).toBe(0);
    full = false;
    expect(await at.session.renew('first')).toBe('token-1');
    expect(await at.stored()).toMatchObject({ refreshToken: 'refresh-1' });
  });

  test('stop the work on a full disk while the old token is valid', async () => {
    const failed = () =>
      Promise.reject(new CommandError('token_store_failed', Exit.local, 'the disk is full'));
    const at = await desk({}, { store: { ...createMemoryStore(), reserve: failed } });
    at.clock = fresh.expiresAt - 1000;
    expect(await at.session.current()).toBe(fresh.accessToken);
    at.clock = fresh.expiresAt + 20_000;
    await expect(at.session.current()).rejects.toMatchObject({ code: 'token_store_failed' });
    expect(at.renewals()).toBe(0);
  });

  test('lose tokens that were stored only after they had expired', async () => {
    const memory = createMemoryStore();
    let full = false;
    const store: TokenStore = {
      ...memory,
      write: (item, text) => (full ? Promise.reject(new Error('full')) : memory.write(item, text)),
    };
    const at = await desk({}, { store });
    full = true;
    await expect(at.session.renew('first')).rejects.toThrow('full');
    full = false;
    at.clock += 2 * hour;
    expect(await at.session.current()).toBe('token-2');
    expect(await at.stored()).toMatchObject({ refreshToken: 'refresh-2' });
  });

  test('overwrite a later sign-in with tokens that could not be stored', async () => {
    const memory = createMemoryStore();
    let full = false;
    const store: TokenStore = {
      ...memory,
      write: (item, text) => (full ? Promise.reject(new Error('full')) : memory.write(item, text)),
    };
    const at = await desk({ ownerId: '101' }, { store });
    full = true;
    await expect(at.session.renew('first')).rejects.toThrow('full');
    full = false;
    const later = { accessToken: 'other', refreshToken: 'r9', signedInAt: start + 1 };
    await at.repository.write({ ...fresh, ownerId: '101', ...later });
    expect(await at.session.renew('other')).toBe('token-2');
    expect(await at.stored()).toMatchObject({ ...later, accessToken: 'token-2', refreshToken: 'refresh-2' });
  });

  test('lose the new tokens if the store cannot be read for a moment', async () => {
    const memory = createMemoryStore();
    let isBroken = false;
    const store: TokenStore = {
      ...memory,
      read: (item) => (isBroken ? Promise.reject(new Error('no reply')) : memory.read(item)),
      write: (item, text) => {
        isBroken = false;
        return memory.write(item, text);
      },
    };
    const answer = () => {
      isBroken = true;
      return replyOf(200, { access_token: 'second', token_type: 'bearer', expires_in: 3600 });
    };
    const at = await desk({}, { store, answer });
    expect(await at.session.renew('first')).toBe('second');
    expect(await at.stored()).toMatchObject({ accessToken: 'second', refreshToken: 'r1', generation: 2 });
  });

  test('leave a record of the finished renewal', async () => {
    const at = await desk();
    await at.session.renew('first');
    expect(await at.repository.locked(async (journal) => journal.unfinished('r1'))).toBeUndefined();
  });

  test('use up the token for a registration that forbids renewing', async () => {
    const at = await desk(
      { flow: 'password' },
      { answer: () => replyOf(403, { error: 'unauthorized_client', error_description: 'not allowed' }) },
    );
    for (const attempt of [1, 2]) {
      await expect(at.session.renew('first')).rejects.toMatchObject({
        message: expect.stringContaining(
          'the registration of this application does not allow renewing sessions',
        ),
        hint: ucctl('login --flow password'),
      });
      expect(at.renewals()).toBe(attempt);
    }
  });
});

test.each([
  [400, 'invalid_grant', 1],
  [401, 'invalid_grant', 1],
  [403, 'invalid_grant', 1],
  [400, 'invalid_request', 1],
  [400, 'invalid_client', 2],
  [400, 'unsupported_grant_type', 2],
  [400, 'unauthorized_client', 2],
  [401, 'invalid_client', 2],
  [403, 'unauthorized_client', 2],
  [403, 'forbidden', 2],
  [404, 'not_found', 2],
  [429, 'rate', 1],
  [500, 'internal', 2],
  [502, 'gateway', 2],
])(
  'HTTP %i %s at a renewal changes nothing that is stored, and two renewals send %i request(s)',
  async (status, code, requests) => {
    const answer = () => replyOf(status, { error: code, error_description: 'no' });
    const at = await desk({}, { answer });
    const before = await at.stored();
    for (const _ of [1, 2]) await expect(at.session.renew('first')).rejects.toBeInstanceOf(Error);
    expect(await at.stored()).toEqual(before);
    expect(at.renewals()).toBe(requests);
  },
);

test.each([400, 401, 403])(
  'HTTP %i without a code, as from a proxy, does not end the session',
  async (status) => {
    let isBlocked = true;
    const token = { access_token: 'second', token_type: 'bearer', expires_in: 3600, refresh_token: 'r2' };
    const at = await desk({}, { answer: () => (isBlocked ? replyOf(status, {}) : replyOf(200, token)) });
    await expect(at.session.renew('first')).rejects.not.toMatchObject({ name: 'SignInRequiredError' });
    isBlocked = false;
    expect(await at.session.renew('first')).toBe('second');
  },
);

test.each([
  [400, false],
  [500, true],
  [503, true],
])('after HTTP %i, the token may be used up: %j', async (status, isRecorded) => {
  const at = await desk({}, { answer: () => replyOf(status, { error: 'unauthorized_client' }) });
  await expect(at.session.renew('first')).rejects.toBeInstanceOf(Error);
  const unfinished = await at.repository.locked(async (journal) => journal.unfinished('r1'));
  expect(unfinished !== undefined).toBe(isRecorded);
});

test.each([
  ['a file that is not a database', (file: string) => writeFileSync(file, 'torn '.repeat(100))],
  ['a folder in its place', (file: string) => mkdirSync(file, { recursive: true })],
])('%s in place of a lock is reported with the next step', async (_, spoil) => {
  const { environment, repository } = await lockDesk();
  mkdirSync(environment.paths.config, { recursive: true });
  spoil(join(environment.paths.config, 'auth-default.lock.db'));
  await expect(repository.locked(() => Promise.resolve())).rejects.toMatchObject({
    code: 'session_lock_failed',
    exit: 12,
    message: expect.stringMatching(/cannot use .*auth-default\.lock\.db/),
    hint: expect.stringContaining('rm '),
  });
});

test('the session of another config folder has its own lock and its own item in the keychain', async () => {
  const keychain: TokenStore = { ...createMemoryStore(), kind: 'keychain' };
  const itemIn = async (config: string, env: Readonly<Record<string, string>> = {}): Promise<string> => {
    const paths = { ...temporaryPaths(), config };
    const environment = await authEnvironment({ env: { UCCTL_BASE_URL: origin, ...env }, paths });
    return new SessionRepository(keychain, { ...environment, platform: 'linux' }).item;
  };
  expect(await itemIn(join(userInfo().homedir, '.config', 'ucctl'))).toBe('default');
  expect(await itemIn('/elsewhere/ucctl')).toBe('default@/elsewhere/ucctl');
  expect(await itemIn('/elsewhere/ucctl', { UCCTL_CONFIG_DIR: '/elsewhere/ucctl' })).toBe(
    'default@/elsewhere/ucctl',
  );
});

test('any content of the file that names the owner of the lock does not prevent a renewal', async () => {
  const { environment, repository } = await lockDesk();
  mkdirSync(join(environment.paths.config, 'auth-default.lock.db.holder'), { recursive: true });
  expect(await repository.locked(() => Promise.resolve('done'))).toBe('done');
});

async function lockDesk() {
  const environment = await authEnvironment({ env: { UCCTL_BASE_URL: origin } });
  return { environment, repository: new SessionRepository(createMemoryStore(), environment) };
}

describe('while another process has the lock of the session', () => {
  const waits = { needed: 100, ahead: 20, notify: 0 };
  /** Lives for 5 s more and is due. */
  const due = { signedInAt: start - hour, expiresAt: start + 5000 };

  /** Resolves when the lock is held, with what gives it back. */
  function hold(at: Desk): Promise<() => Promise<void>> {
    return new Promise((resolve) => {
      const holding: Promise<void> = at.repository.locked(
        () =>
          new Promise<void>((free) => {
            resolve(() => {
              free();
              return holding;
            });
          }),
      );
    });
  }

  test('a valid token is used, and later requests do not each try a renewal', async () => {
    const at = await desk(due, { waits: { ...waits, needed: 60_000 } });
    const free = await hold(at);
    expect(await at.session.current()).toBe('first');
    const before = at.notes.length;
    expect(await at.session.current()).toBe('first');
    expect(at.notes).toHaveLength(before);
    await free();
    at.clock += 4000;
    expect(await at.session.current()).toBe('first');
    at.clock += 10_000;
    expect(await at.session.current()).toBe('token-1');
  });

  test('a renewal of an expired token waits, and a message names the owner of the lock', async () => {
    const at = await desk({ expiresAt: start - 1 }, { waits: { ...waits, needed: 60_000 } });
    const free = await hold(at);
    const current = at.session.current();
    await eventually(() => expect(at.notes).not.toEqual([]));
    expect(at.notes).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Waiting: another ucctl command \\(process ${process.pid}, since \\S+\\) is renewing this session$`,
        ),
      ),
    ]);
    await free();
    expect(await current).toBe('token-1');
  });

  test('a renewal of a token that expires during the short wait waits longer', async () => {
    const at = await desk(due, { waits: { ...waits, ahead: 500, needed: 60_000 } });
    const free = await hold(at);
    const current = at.session.current();
    await eventually(() => expect(at.notes).toHaveLength(1));
    at.clock += 6000;
    // The second wait is also reported.
    await eventually(() => expect(at.notes).toHaveLength(2));
    await free();
    expect(await current).toBe('token-1');
  });

  test('a call whose valid token was rejected keeps waiting, although a concurrent early renewal gives up', async () => {
    const at = await desk(due, { waits: { ...waits, needed: 60_000 } });
    const free = await hold(at);
    const ahead = at.session.current();
    const needed = at.session.renew('first');
    expect(await ahead).toBe('first');
    await free();
    expect(await needed).toBe('token-1');
    expect(at.renewals()).toBe(1);
  });

  test('a renewal ends its wait when another process has stored the new session', async () => {
    const at = await desk({ expiresAt: start - 1 }, { waits: { ...waits, needed: 10_000 } });
    const free = await hold(at);
    const current = at.session.current();
    await eventually(() => expect(at.notes).not.toEqual([]));
    await at.repository.write({ ...fresh, accessToken: 'second', generation: 2 });
    expect(await current).toBe('second');
    await free();
  });

  test('the wait for the lock is limited', async () => {
    const at = await desk({ expiresAt: start - 1 }, { waits });
    const free = await hold(at);
    await expect(at.session.current()).rejects.toMatchObject({
      code: 'session_busy',
      exit: 12,
      message: expect.stringContaining(`another ucctl command (process ${process.pid}, since `),
      hint: 'if the other process is suspended, resume or stop it, then retry',
    });
    await free();
    expect(await at.session.current()).toBe('token-1');
  });
});
