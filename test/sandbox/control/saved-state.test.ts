import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { startSandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { send, userClient } from '../request.ts';

const presence = '/account/~/extension/~/presence';

/** A saved state of a small office in which Dana has a presence message and a day has passed. */
async function savedState(
  options: SandboxOptions = {},
): Promise<{ readonly file: string; readonly hash: unknown }> {
  const file = join(temporaryFolder(), 'day-two.db');
  await using sandbox = await startSandbox({ listen: false, ...options });
  await (await userClient(sandbox, '102')).put(presence, { message: 'saved' });
  await sandbox.clock.advance(86_400_000);
  sandbox.save(file);
  return { file, hash: (await sandbox.control('GET', '/state'))['hash'] };
}

const hashOf = async (sandbox: Awaited<ReturnType<typeof startSandbox>>) =>
  (await sandbox.control('GET', '/state'))['hash'];

describe('startSandbox({ snapshot })', () => {
  test('starts with a copy of the saved state and its time, as often as wanted', async () => {
    const { file, hash } = await savedState();
    await using first = await startSandbox({ listen: false, snapshot: file });
    expect(await hashOf(first)).toBe(hash);
    expect(first.clock.now()).toBe(Date.UTC(2026, 0, 6, 9));
    const user = await userClient(first, '102');
    expect((await user.get(presence)).body['message']).toBe('saved');
    await user.put(presence, { message: 'changed' });
    await using second = await startSandbox({ listen: false, snapshot: file });
    expect(await hashOf(second)).toBe(hash);
  });

  test('the sequence of ids and tokens goes on as in the sandbox that was saved', async () => {
    const file = join(temporaryFolder(), 'saved.db');
    await using original = await startSandbox({ listen: false });
    original.save(file);
    await using copy = await startSandbox({ listen: false, snapshot: file });
    await using otherSeed = await startSandbox({ listen: false, snapshot: file, seed: 7 });
    const token = await signInAs(original, '102');
    expect(await signInAs(copy, '102')).toBe(token);
    expect(await signInAs(otherSeed, '102')).not.toBe(token);
  });

  test('a new database file takes the state, an existing one is continued', async () => {
    const { file, hash } = await savedState();
    const database = join(temporaryFolder(), 'own.db');
    await using first = await startSandbox({ listen: false, database, snapshot: file });
    expect(await hashOf(first)).toBe(hash);
    await (await userClient(first, '102')).put(presence, { message: 'mine' });
    const changed = await hashOf(first);
    await first.close();
    await using second = await startSandbox({ listen: false, database, snapshot: file });
    expect(await hashOf(second)).toBe(changed);
  });

  test('a reset returns to it, and to a fixture that is named', async () => {
    const { file, hash } = await savedState();
    await using sandbox = await startSandbox({ listen: false, snapshot: file });
    await (await userClient(sandbox, '102')).put(presence, { message: 'changed' });
    await sandbox.control('POST', '/reset', {});
    expect(await hashOf(sandbox)).toBe(hash);
    expect(sandbox.requestLog()).toHaveLength(2);
    await expect(sandbox.control('POST', '/reset', { fixture: 'moon' })).rejects.toThrow('moon');
    expect(await hashOf(sandbox)).toBe(hash);
    await sandbox.control('POST', '/reset', { fixture: 'small-office' });
    await using fresh = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    expect((await user.get(presence)).body['message']).not.toBe('saved');
    expect(sandbox.clock.now()).toBe(fresh.clock.now());
  });

  test('registers the redirect URIs of this start', async () => {
    const { file } = await savedState();
    const uri = 'http://127.0.0.1:9999/own';
    await using sandbox = await startSandbox({ listen: false, snapshot: file, redirectUris: [uri] });
    expect(sandbox.ready.redirectUris).toContain(uri);
  });

  /** Removes what version 13 added. */
  const toVersion12 = (file: string): void => {
    const db = openDatabase(file);
    for (const column of [
      'requestLog DROP errorCode',
      'requestLog DROP errorMessage',
      'callLeg DROP callerId',
    ])
      db.exec(`ALTER TABLE ${column}`);
    db.exec('PRAGMA user_version = 12');
    db.close();
  };

  test('reads a snapshot of version 12, and upgrades a database of version 12', async () => {
    const { file, hash } = await savedState();
    const database = join(temporaryFolder(), 'own.db');
    copyFileSync(file, database);
    for (const one of [file, database]) toVersion12(one);
    const old = readFileSync(file);
    for (const source of [{ snapshot: file }, { database }, { database }]) {
      await using sandbox = await startSandbox({ listen: false, ...source });
      expect(await hashOf(sandbox)).toBe(hash);
      const before = sandbox.requestLog();
      expect(before[1]).toMatchObject({ method: 'PUT', status: 200 });
      await send(sandbox, 'GET', '/subscription');
      await sandbox.control('GET', '/requests');
      expect(sandbox.requestLog().slice(0, -1)).toEqual(before);
      expect(sandbox.requestLog().at(-1)).toMatchObject({ status: 401, errorCode: 'OAU-123' });
    }
    expect(readFileSync(file).equals(old)).toBe(true);
  });

  test('a file that is not there, no database, or of another version is an error, and creates nothing', async () => {
    const folder = temporaryFolder();
    const missing = join(folder, 'missing.db');
    await expect(startSandbox({ listen: false, snapshot: missing })).rejects.toThrow(`${missing} not found`);
    await expect(startSandbox({ listen: false, snapshot: missing })).rejects.toThrow('not found');
    const text = join(folder, 'text.db');
    writeFileSync(text, 'no database at all');
    await expect(startSandbox({ listen: false, snapshot: text })).rejects.toThrow(
      `${text} is not a valid sandbox snapshot: file is not a database`,
    );
    const old = join(folder, 'old.db');
    const db = openDatabase(old);
    db.exec('PRAGMA user_version = 2');
    db.close();
    await expect(startSandbox({ listen: false, snapshot: old })).rejects.toThrow(
      /old\.db is not a valid sandbox snapshot: the snapshot has version 2, but this sandbox reads only version \d+/,
    );
  });
});
