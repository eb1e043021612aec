import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../src/auth/memory-store.ts';
import { isSameOwner, type SessionRecord } from '../../src/auth/session-record.ts';
import { SessionRepository } from '../../src/auth/session-repository.ts';
import { Session } from '../../src/auth/session.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import { freshSession, sessionOrigin, signedInAt } from '../support/session-record.ts';

const hour = 3_600_000;

/** A process that has used the session `known`, before `stored` replaced it. */
async function running(known: Partial<SessionRecord>, stored: Partial<SessionRecord>) {
  const at = { clock: signedInAt, notes: 0 };
  // The environment has no network, so each attempt to renew a session fails the test.
  const environment = await authEnvironment({
    env: { UCCTL_BASE_URL: sessionOrigin },
    now: () => at.clock,
    note: () => (at.notes += 1),
  });
  const repository = new SessionRepository(createMemoryStore(), environment);
  await repository.write({ ...freshSession, ...known });
  const session = new Session(environment, repository);
  expect(await session.current()).toBe('first');
  const later = { accessToken: 'second', refreshToken: 'r2', signedInAt: signedInAt + 1 };
  await repository.write({
    ...freshSession,
    ...known,
    ...later,
    expiresAt: signedInAt + 9 * hour,
    ...stored,
  });
  return Object.assign(at, { session });
}

const replaced = {
  name: 'SignInRequiredError',
  reason: 'no-session',
  message: expect.stringContaining('another process signed in'),
  hint: 'run the command again to use the new session',
};

describe('a running process does not continue', () => {
  test.each<[string, Partial<SessionRecord>, Partial<SessionRecord>]>([
    ['another user', { ownerId: '101' }, { ownerId: '102' }],
    ['another user of the same flow', { username: '+1650', extension: '1' }, { extension: '2' }],
    ['another application', { ownerId: '101' }, { clientId: 'other' }],
    ['a user that no session names', {}, {}],
    [
      'a user that only the new session names',
      { username: '+1650' },
      { ownerId: '102', username: undefined },
    ],
    ['another account', { appSession: 'account', account: '1' }, { account: '2' }],
  ])('as %s after a sign-in in the same profile', async (_, known, stored) => {
    const at = await running(known, stored);
    await expect(at.session.renew('first')).rejects.toMatchObject(replaced);
    at.clock += 2 * hour;
    await expect(at.session.current()).rejects.toMatchObject(replaced);
    await expect(at.session.renew('first')).rejects.toMatchObject(replaced);
  });

  test('by renewing the expired session of another user', async () => {
    const at = await running({ ownerId: '101' }, { ownerId: '102', expiresAt: signedInAt + hour });
    at.clock += 2 * hour;
    await expect(at.session.current()).rejects.toMatchObject(replaced);
    await expect(at.session.renew('first')).rejects.toMatchObject(replaced);
  });
});

describe('a running process continues with', () => {
  test.each<[string, Partial<SessionRecord>, Partial<SessionRecord>]>([
    ['a new sign-in of the same user', { ownerId: '101' }, { flow: 'jwt' }],
    ['a new sign-in with the same user name', { username: '+1650', extension: '1' }, {}],
    ['a user name whose extension the service now reports', { username: '+1650' }, { ownerId: '101' }],
    ['a new sign-in to the same account', { appSession: 'account', account: '1' }, {}],
    [
      'a new sign-in of an application, which has no refresh token',
      { appSession: 'account', account: '1', refreshToken: undefined },
      { refreshToken: undefined },
    ],
    [
      'a new sign-in that can be renewed, in place of one that cannot',
      { ownerId: '101', refreshToken: undefined },
      {},
    ],
    ['a renewal that adds the missing owner', {}, { ownerId: '101', signedInAt, generation: 2 }],
  ])('%s', async (_, known, stored) => {
    const at = await running(known, stored);
    expect(await at.session.renew('first')).toBe('second');
    const due = await running(known, stored);
    due.clock += 2 * hour;
    expect(await due.session.current()).toBe('second');
  });
});

describe('a session that cannot be renewed', () => {
  const application = { appSession: 'account', account: '1', refreshToken: undefined } as const;

  test('ends if nobody signed in again', async () => {
    const at = await running(application, {
      ...application,
      accessToken: 'first',
      expiresAt: signedInAt + hour,
    });
    at.clock += 2 * hour;
    await expect(at.session.current()).rejects.toMatchObject({ reason: 'expired' });
  });

  test('reports what it may access if a request is rejected', async () => {
    const at = await running(application, { ...application, accessToken: 'first' });
    await expect(at.session.renew('first')).rejects.toMatchObject({
      reason: 'rejected',
      message: 'an account session can access only its own account (1)',
    });
  });

  test('reports its end if a request is rejected after the end', async () => {
    const expired = { ...application, accessToken: 'first', expiresAt: signedInAt + hour };
    const at = await running(application, expired);
    at.clock += 2 * hour;
    await expect(at.session.renew('first')).rejects.toMatchObject({ reason: 'expired' });
  });

  test('of a user reports whether its token was rejected or has expired', async () => {
    const user = { ownerId: '101', refreshToken: undefined, accessToken: 'first' };
    const at = await running(user, { ...user, expiresAt: signedInAt + hour });
    await expect(at.session.renew('first')).rejects.toMatchObject({
      reason: 'rejected',
      message: expect.stringMatching(
        /^the service rejected the access token, and the session has no refresh token/,
      ),
    });
    at.clock += 2 * hour;
    await expect(at.session.renew('first')).rejects.toMatchObject({ reason: 'expired' });
  });

  test('ends if the application signed in to another account', async () => {
    const at = await running(application, { ...application, account: '2' });
    at.clock += 2 * hour;
    await expect(at.session.current()).rejects.toMatchObject(replaced);
  });

  test('is announced again before the end of the next sign-in', async () => {
    const at = await running(application, application);
    at.clock += hour - 60_000;
    await at.session.current();
    expect(at.notes).toBe(1);
    at.clock = signedInAt + 9 * hour - 60_000;
    expect(await at.session.current()).toBe('second');
    await at.session.current();
    expect(at.notes).toBe(2);
  });
});

test.each<[string, Partial<SessionRecord>]>([
  ['extension 101', { ownerId: '101' }],
  [`sign-in ${signedInAt}`, {}],
])('the owner of a session is "%s"', async (owner, known) => {
  const at = await running(known, {});
  expect(await at.session.owner()).toBe(owner);
});

test.each<Partial<SessionRecord>>([
  { origin: 'https://other.example.test' },
  { clientId: 'other' },
  { appSession: 'signup' },
  { account: '2' },
  { ownerId: '102' },
])('a session with %j is not of the same owner, also with the same time of the sign-in', (other) => {
  const known = { ...freshSession, ownerId: '101', appSession: 'account', account: '1' } as const;
  expect([isSameOwner(known, known), isSameOwner(known, { ...known, ...other })]).toEqual([true, false]);
});

test.each<[Partial<SessionRecord>, Partial<SessionRecord>]>([
  [{ username: '+1650' }, { username: '+1651' }],
  [{ username: '+1650', extension: '1' }, { username: '+1650' }],
  [{ ownerId: '101' }, {}],
])('sessions with %j and %j may belong to different users', (one, other) => {
  const later = { signedInAt: signedInAt + 1 };
  expect(isSameOwner({ ...freshSession, ...one }, { ...freshSession, ...other, ...later })).toBe(false);
});
