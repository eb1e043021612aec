import { describe, expect, it } from 'vitest';
import { StoreSessionRepository } from '../../src/auth/store-session.ts';
import type { SessionRecord } from '../../src/auth/session-record.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import { clockStore, postgresMissing } from '../support/postgres.ts';
import { freshSession, signedInAt } from '../support/session-record.ts';

const hour = 3_600_000;
const renewed = (accessToken: string): SessionRecord => ({ ...freshSession, generation: 2, accessToken });

/** Creates repositories of machines that share a store. The clock of a machine may be `ahead` in milliseconds. */
async function fleet() {
  const { db, url } = await clockStore(signedInAt);
  const machine = async ({ ahead = 0, needed = 90_000, signal = new AbortController().signal } = {}) => {
    const parts = await authEnvironment({
      env: { UCCTL_STORE: url, UCCTL_STORE_KEY: Buffer.alloc(32, 7).toString('base64') },
      now: () => signedInAt + ahead,
      signal,
    });
    const waits = { needed, ahead: 0, notify: 0 };
    return new StoreSessionRepository({ ...parts, store: () => Promise.resolve(db) }, waits);
  };
  return { machine };
}

describe.skipIf(postgresMissing())('the session of machines that share a store', () => {
  it('is replaced by a renewal only if no other machine has replaced it', async () => {
    const { machine } = await fleet();
    const [one, other] = [await machine(), await machine()];
    expect(await one.write(freshSession)).toBe(true);
    expect(await one.find()).toEqual(freshSession);
    expect(await other.find()).toEqual(freshSession);
    expect(await other.write(renewed('other'))).toBe(true);
    expect(await one.write(renewed('one'))).toBe(false);
    expect(await one.find()).toEqual(renewed('other'));
    expect(await one.write(renewed('one'))).toBe(true);
  });

  it('is replaced by a sign-in in any case', async () => {
    const { machine } = await fleet();
    const [one, other] = [await machine(), await machine()];
    await one.write(freshSession);
    await one.find();
    await other.find();
    await other.write(renewed('other'));
    const again = { ...freshSession, accessToken: 'again' };
    expect(await one.write(again)).toBe(true);
    expect(await other.find()).toEqual(again);
  });

  it('has its times by the clock of each machine', async () => {
    const { machine } = await fleet();
    const session = {
      ...freshSession,
      renewedAt: signedInAt - 1000,
      refreshExpiresAt: signedInAt + 2 * hour,
    };
    await (await machine({ ahead: hour })).write(session);
    expect(await (await machine()).find()).toEqual({
      ...session,
      expiresAt: session.expiresAt - hour,
      renewedAt: session.renewedAt - hour,
      refreshExpiresAt: session.refreshExpiresAt - hour,
    });
  });

  it('is not replaced by a sign-in of another user, or at another service', async () => {
    const { machine } = await fleet();
    const repository = await machine();
    const session = { ...freshSession, ownerId: '1' };
    await repository.write(session);
    for (const other of [{ ownerId: '2' }, { origin: 'https://other.example' }])
      await expect(repository.write({ ...session, ...other })).rejects.toMatchObject({
        code: 'store_session_taken',
        exit: 11,
      });
    expect(await repository.find()).toEqual(session);
  });

  it('may be replaced by a sign-in if its user is not known', async () => {
    const { machine } = await fleet();
    const repository = await machine();
    await repository.write(freshSession);
    expect(await repository.write({ ...freshSession, ownerId: '1' })).toBe(true);
  });

  it('was rejected for every machine, until a sign-out', async () => {
    const { machine } = await fleet();
    const [one, other] = [await machine(), await machine()];
    await one.locked(async (journal) => journal.reject('r1', 'it was revoked'));
    expect(await other.rejection(freshSession)).toBe('it was revoked');
    await one.locked(async (journal) => journal.clear());
    expect(await other.rejection(freshSession)).toBeUndefined();
  });

  it('has an unfinished renewal until its end is recorded, also after a request that was not sent', async () => {
    const { machine } = await fleet();
    const [one, other] = [await machine(), await machine()];
    const unfinished = () => other.locked(async (journal) => journal.unfinished('r1'));
    const tried = { startedAt: new Date(signedInAt).toISOString(), pid: process.pid };
    await one.locked(async (journal) => journal.begin('r1', tried.startedAt, tried.pid));
    expect(await unfinished()).toMatchObject(tried);
    await one.locked(async (journal) => journal.unused('r1', tried));
    expect(await unfinished()).toMatchObject(tried);
    await one.locked(async (journal) => journal.unused('r1', undefined));
    expect(await unfinished()).toBeUndefined();
    await one.locked(async (journal) => journal.prove());
    expect(await one.locked(async (journal) => journal.unfinished(''))).toBeUndefined();
  });

  it('is not waited for longer than necessary', async () => {
    const { machine } = await fleet();
    const stop = new AbortController();
    const holder = await machine();
    const nothing = () => Promise.resolve('locked');
    await holder.locked(async () => {
      const busy = (await machine({ needed: 0 })).locked(nothing);
      const done = (await machine()).locked(nothing, { doneMeanwhile: () => Promise.resolve('done') });
      const stoppable = await machine({ signal: stop.signal });
      const stopped = stoppable.locked(nothing).catch((error: Error) => error.message);
      await expect(busy).rejects.toMatchObject({ code: 'session_busy' });
      expect(await done).toBe('done');
      stop.abort(new Error('stopped'));
      expect(await stopped).toBe('stopped');
    });
  });
});
