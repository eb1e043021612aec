import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pathLock } from '../../src/platform/path-lock.ts';
import type { LockHolder } from '../../src/platform/lock-holder.ts';
import { LockFileError, LockTimeoutError, withProcessLock } from '../../src/platform/process-lock.ts';
import { temporaryFolder } from '../support/temporary.ts';

describe('withProcessLock', () => {
  test('runs one process at a time', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 8 }, () =>
        withProcessLock(file, {}, async () => {
          inside += 1;
          most = Math.max(most, inside);
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          inside -= 1;
        }),
      ),
    );
    expect(most).toBe(1);
  });

  test.each(['a file', 'no file'])('does not follow a link to %s', async (what) => {
    const folder = temporaryFolder();
    const [file, target] = [join(folder, 'a.lock.db'), join(folder, 'target')];
    if (what === 'a file') writeFileSync(target, '');
    symlinkSync(target, file);
    const unsafe = { name: 'UnsafePathError', path: file, fault: { kind: 'link' } };
    await expect(withProcessLock(file, {}, () => Promise.resolve())).rejects.toMatchObject(unsafe);
    expect(existsSync(target) ? readFileSync(target, 'utf8') : '').toBe('');
  });

  test.each(['a file', 'no file'])('does not write its holder through a link to %s', async (what) => {
    const folder = temporaryFolder();
    const [file, target] = [join(folder, 'a.lock.db'), join(folder, 'target')];
    if (what === 'a file') writeFileSync(target, 'content');
    symlinkSync(target, `${file}.holder`);
    const unsafe = { name: 'UnsafePathError', path: `${file}.holder`, fault: { kind: 'link' } };
    await expect(withProcessLock(file, {}, () => Promise.resolve())).rejects.toMatchObject(unsafe);
    expect(existsSync(target) ? readFileSync(target, 'utf8') : undefined).toBe(
      what === 'a file' ? 'content' : undefined,
    );
  });

  test('has no file for a folder below a link', () => {
    const [state, target] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(target, join(state, 'downloads'));
    expect(() => pathLock(state, 'download', '/some/folder')).toThrow(
      expect.objectContaining({ name: 'UnsafePathError', path: join(state, 'downloads') }) as Error,
    );
  });

  test('names the owner of the lock when the wait ends', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    await withProcessLock(file, {}, async () => {
      const second = withProcessLock(file, { waitMilliseconds: 50 }, () => Promise.resolve());
      const error: unknown = await second.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(LockTimeoutError);
      expect((error as LockTimeoutError).holder?.pid).toBe(process.pid);
    });
  });

  test('reports the owner of the lock once while it waits', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    const reported: (number | undefined)[] = [];
    const options = {
      reportAfterMilliseconds: 0,
      onWait: (holder?: LockHolder) => void reported.push(holder?.pid),
    };
    await withProcessLock(file, options, async () => {
      const second = withProcessLock(file, { ...options, waitMilliseconds: 150 }, () => Promise.resolve());
      await expect(second).rejects.toThrow(LockTimeoutError);
    });
    expect(reported).toEqual([process.pid]);
  });

  test('is released at once, also when statements were prepared on it', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    for (let turn = 0; turn < 5; turn += 1) {
      // Without a wait: the one before must have left it.
      await withProcessLock(file, { waitMilliseconds: 0 }, (db) => {
        db.exec('CREATE TABLE IF NOT EXISTS t (v INTEGER)');
        db.prepare('INSERT INTO t VALUES (?)').run(turn);
        return Promise.resolve(db.prepare('SELECT count(*) AS count FROM t').get());
      });
    }
    const last = await withProcessLock(file, { waitMilliseconds: 0 }, (db) =>
      Promise.resolve(db.prepare('SELECT count(*) AS count FROM t').get()),
    );
    expect(last).toEqual({ count: 5 });
  });

  test('keeps the lock across commits, keeps the rows, and is released after a failure', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    const failing = withProcessLock(file, {}, async (db) => {
      db.exec('CREATE TABLE t (v TEXT)');
      db.exec("INSERT INTO t VALUES ('kept')");
      await expect(withProcessLock(file, { waitMilliseconds: 1 }, () => Promise.resolve())).rejects.toThrow(
        LockTimeoutError,
      );
      throw new Error('broke');
    });
    await expect(failing).rejects.toThrow('broke');
    const row = await withProcessLock(file, {}, (db) => Promise.resolve(db.prepare('SELECT v FROM t').get()));
    expect(row).toEqual({ v: 'kept' });
  });

  test('ends the wait without the lock if the work was done in the meantime', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    let asked = 0;
    await withProcessLock(file, {}, async () => {
      const doneMeanwhile = (): Promise<string | undefined> =>
        Promise.resolve((asked += 1) === 2 ? 'done' : undefined);
      const waiting = withProcessLock(file, { doneMeanwhile }, () => Promise.resolve('worked'));
      expect(await waiting).toBe('done');
    });
    expect(asked).toBe(2);
  });

  test('stops waiting when it is aborted', async () => {
    const file = join(temporaryFolder(), 'a.lock.db');
    const abort = new AbortController();
    await withProcessLock(file, {}, async () => {
      const waiting = withProcessLock(file, { signal: abort.signal }, () => Promise.resolve());
      abort.abort(new Error('stopped'));
      await expect(waiting).rejects.toThrow(/stopped|aborted/);
    });
  });
});

test('the error for a lock on a full disk does not suggest to delete the lock', () => {
  const cause = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC', syscall: 'write' });
  const { message, hint } = new LockFileError('/data/run.lock', cause);
  expect([message, hint]).toEqual([
    'cannot use the lock /data/run.lock: the disk is full',
    'free up space on the disk and run the command again',
  ]);
});

test('the error for a lock in a folder that is not writable does not suggest to delete the lock', () => {
  const cause = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', syscall: 'open' });
  const { message, hint } = new LockFileError('/data/run.lock', cause);
  expect([message, hint]).toEqual([
    'cannot use the lock /data/run.lock: the file or its folder is not writable',
    'check the owner and mode of the file and its folder, and whether the disk is mounted read-only; to select another folder: ucctl help environment',
  ]);
});

test.each([
  [
    { code: 'EACCES', syscall: 'open' },
    'check the owner and mode of the file and its folder, and whether the disk is mounted read-only; or ',
  ],
  [{ code: 'ENOSPC', syscall: 'write' }, 'free up space on the disk and run the command again; or '],
  [{ code: 'ENOENT', syscall: 'mkdir' }, ''],
])(
  'the error for the lock of a run in an unusable state folder names the variable of the folder: %j',
  (cause, before) => {
    const { hint } = new LockFileError('/state/run-1edaf642e32d.lock', Object.assign(new Error('no'), cause));
    expect(hint).toBe(
      `${before}set UCCTL_STATE_DIR to a folder that you can read and write; ucctl stores its journals there`,
    );
  },
);

test('the command that deletes a damaged lock is valid for a path with an apostrophe', () => {
  const { hint } = new LockFileError("/home/o'b/run.lock", new Error('damaged'));
  expect(hint).toContain(String.raw`rm '/home/o'\''b/run.lock'`);
});
