import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  watch,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFileStore } from '../../src/auth/file-store.ts';
import { sessionsFolder } from '../../src/auth/sessions-folder.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { nextStep, ucctl } from '../../src/errors/hint.ts';

describe('the file store', () => {
  test('stores, reads and deletes', async () => {
    const store = createFileStore(temporaryFolder());
    expect(await store.read('default')).toBeUndefined();
    await store.write('default', '{"a":1}');
    expect(await store.read('default')).toBe('{"a":1}');
    expect(await store.delete('default')).toBe(true);
    expect(await store.delete('default')).toBe(false);
  });

  test('keeps files at 0600 in a folder of 0700', async () => {
    const folder = temporaryFolder();
    await createFileStore(folder).write('default', '{}');
    expect(statSync(join(folder, 'sessions')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'sessions', 'default.json')).mode & 0o777).toBe(0o600);
  });

  test('rejects a file that others can read and shows the command that fixes it', async () => {
    const folder = temporaryFolder();
    const store = createFileStore(folder);
    await store.write('default', '{}');
    const file = join(folder, 'sessions', 'default.json');
    chmodSync(file, 0o640);
    await expect(store.read('default')).rejects.toMatchObject({
      exit: 12,
      code: 'token_file_unsafe',
      message: `the session file ${file} is readable by other users (mode 0640)`,
      hint: nextStep`${`chmod 600 '${file}'`}, then sign in again: ${ucctl('login')}`,
    });
  });

  test('rejects a folder that others can change, and keeps others out of one that they can read', async () => {
    const folder = temporaryFolder();
    const store = createFileStore(folder);
    await store.write('default', '{}');
    chmodSync(join(folder, 'sessions'), 0o755);
    await store.write('default', '{"a":1}');
    expect(statSync(join(folder, 'sessions')).mode & 0o777).toBe(0o700);
    chmodSync(join(folder, 'sessions'), 0o777);
    await expect(store.read('default')).rejects.toMatchObject({ code: 'unsafe_path' });
    await expect(store.write('default', '{}')).rejects.toMatchObject({ code: 'unsafe_path' });
  });

  test('has nothing to delete before the first sign-in', async () => {
    expect(await createFileStore(join(temporaryFolder(), 'none')).delete('default')).toBe(false);
  });

  test('rejects a symbolic link, for reading and for writing', async () => {
    const folder = temporaryFolder();
    const store = createFileStore(folder);
    await store.write('default', '{"secret":1}');
    const file = join(folder, 'sessions', 'default.json');
    renameSync(file, join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), file);
    await expect(store.read('default')).rejects.toMatchObject({ code: 'token_file_unsafe' });
    await expect(store.write('default', '{}')).rejects.toMatchObject({ code: 'token_file_unsafe' });
    expect(readFileSync(join(folder, 'elsewhere'), 'utf8')).toBe('{"secret":1}');
  });

  test('names a session file that cannot be read, such as a folder', async () => {
    const folder = temporaryFolder();
    const store = createFileStore(folder);
    const file = join(folder, 'sessions', 'default.json');
    mkdirSync(file, { recursive: true, mode: 0o700 });
    await expect(store.read('default')).rejects.toMatchObject({
      exit: 12,
      code: 'token_store_failed',
      message: `cannot read the session file ${file}`,
      details: ['the path is a folder, not a file'],
    });
  });

  test('reserves the space for an item, which writing needs no longer', async () => {
    const folder = temporaryFolder();
    const store = createFileStore(folder);
    await store.write('default', 'old');
    const sizes = () =>
      readdirSync(join(folder, 'sessions')).map((name) => statSync(join(folder, 'sessions', name)).size);
    const space = await store.reserve?.('default', 5000);
    expect(sizes().toSorted((a, b) => a - b)).toEqual([3, 5000]);
    expect(await store.read('default')).toBe('old');
    await space?.write('new');
    await space?.release();
    expect([await store.read('default'), sizes()]).toEqual(['new', [3]]);
    const unused = await store.reserve?.('default', 5000);
    await unused?.release();
    expect([await store.read('default'), sizes()]).toEqual(['new', [3]]);
  });

  test('keeps no file of a process that was killed while it had reserved the space', async () => {
    const folder = temporaryFolder();
    const sessions = join(folder, 'sessions');
    const store = createFileStore(folder);
    const names = () => readdirSync(sessions).toSorted();
    const killed = await store.reserve?.('default', 10);
    const other = await store.reserve?.('other', 10);
    const eleven = Date.now() / 1000 - 11 * 60;
    for (const name of names()) utimesSync(join(sessions, name), eleven, eleven);
    const next = await store.reserve?.('default', 10);
    await next?.write('new');
    const left = expect.stringMatching(/^\.other\.json\.[0-9a-f]{12}\.tmp$/) as string;
    expect([names(), await store.read('default')]).toEqual([[left, 'default.json'], 'new']);
    const killedToo = await store.reserve?.('default', 10);
    await store.delete('default');
    expect(names()).toEqual([left]);
    for (const space of [killed, next, killedToo, other]) await space?.release();
    expect(names()).toEqual([]);
  });

  test('lists and deletes an item whose first write was killed', async () => {
    const store = createFileStore(temporaryFolder());
    await store.write('other#a', '{}');
    await store.write('default#b', '{}');
    // A killed write leaves the same file as space that is not released.
    const killed = [await store.reserve?.('default#a', 10), await store.reserve?.('default#b', 10)];
    expect((await store.list?.('default#'))?.toSorted()).toEqual(['default#a', 'default#b']);
    await store.delete('default#a');
    await store.delete('default#b');
    expect(readdirSync(store.place)).toEqual(['other%23a.json']);
    for (const space of killed) await space?.release();
  });

  test('writes first to a temporary file whose name contains the item', async () => {
    const store = createFileStore(temporaryFolder());
    await store.write('other', '{}');
    const written: (string | null)[] = [];
    const watcher = watch(store.place, (_event, name) => written.push(name));
    onTestFinished(() => watcher.close());
    await store.write('default#a', '{}');
    await eventually(() => expect(written).toContain('default%23a.json'));
    const temporary = [...new Set(written)].filter((name) => name?.endsWith('.tmp'));
    expect(temporary).toEqual([expect.stringMatching(/^\.default%23a\.json\.[0-9a-f]{12}\.tmp$/)]);
  });

  test.each([
    ['first', 'second'],
    ['second', 'first'],
  ] as const)(
    'stores the session of the %s process, and not the space of the %s, if locks do not work',
    async (writing, releasing) => {
      const store = createFileStore(temporaryFolder());
      await store.write('default', 'old');
      const spaces = {
        first: await store.reserve?.('default', 5000),
        second: await store.reserve?.('default', 5000),
      };
      await spaces[writing]?.write('new');
      expect(await store.read('default')).toBe('new');
      await spaces[releasing]?.release();
      expect(await store.read('default')).toBe('new');
    },
  );

  test('stores the session of each of two processes if locks do not work', async () => {
    const folder = temporaryFolder();
    const store = createFileStore(folder);
    const [first, second] = [await store.reserve?.('default', 5000), await store.reserve?.('default', 5000)];
    await first?.write('first');
    await first?.release();
    await second?.write('second');
    await second?.release();
    expect(await store.read('default')).toBe('second');
    expect(readdirSync(join(folder, 'sessions'))).toEqual(['default.json']);
  });

  test('passes the check before sign-in, which leaves no files', async () => {
    const store = createFileStore(temporaryFolder());
    await store.preflight();
    expect(await store.read('.preflight')).toBeUndefined();
  });

  test('passes the check in several processes at the same time', async () => {
    const folder = temporaryFolder();
    // Checks that begin one after the other are at different steps.
    const checks: Promise<void>[] = [];
    for (let check = 0; check < 50; check += 1) {
      checks.push(createFileStore(folder).preflight());
      await stat(folder);
    }
    await Promise.all(checks);
    expect(readdirSync(sessionsFolder(folder))).toEqual([]);
  });
});
