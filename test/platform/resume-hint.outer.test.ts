import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { SessionBusyError } from '../../src/auth/session-repository.ts';
import { withRunLock } from '../../src/features/bulk/lock.ts';
import { ownProcess } from '../../src/platform/own-process.ts';
import { LockTimeoutError, tryLock } from '../../src/platform/process-lock.ts';
import { closeLock } from '../../src/platform/sqlite/lock.ts';
import { openOffice } from '../commands/office.ts';
import { eventually } from '../support/eventually.ts';
import { startProcess } from '../support/process.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

it.skipIf(process.platform !== 'linux')(
  'a command that waits for a lock of a suspended process names the process to resume (only Linux reports the state)',
  async () => {
    const { child, ended } = startProcess('sleep', ['600']);
    await once(child, 'spawn');
    const pid = child.pid ?? 0;
    child.kill('SIGSTOP');
    await eventually(() => expect(ownProcess.isSuspended(pid)).toBe(true));
    const lockFor = (file: string) => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      const lock = tryLock(file);
      writeFileSync(`${file}.holder`, JSON.stringify({ pid, since: '2026-01-05T09:00:00.000Z' }));
      return lock;
    };
    const paths = temporaryPaths();
    const copy = lockFor(join(paths.data, 'mailbox', 'default.sqlite.lock'));
    const state = temporaryFolder();
    const address = 'https://platform.example.com';
    try {
      const resume = `the other process is suspended; to resume it: kill -CONT ${pid}`;
      const office = await openOffice();
      const stop = new AbortController();
      const { exit, stderr } = await office.run('sync', {
        paths,
        signal: stop.signal,
        onStderr: () => stop.abort(new Error('interrupted')),
      });
      expect([exit, stderr]).toEqual([130, expect.stringContaining(`${resume}\n`)]);
      const run = withRunLock(state, address, new AbortController().signal, async () => {
        const holder = readdirSync(state).find((name) => name.endsWith('.holder')) ?? '';
        writeFileSync(join(state, holder), JSON.stringify({ pid, since: '2026-01-05T09:00:00.000Z' }));
        return withRunLock(state, address, new AbortController().signal, () => Promise.resolve());
      });
      await expect(run).rejects.toMatchObject({ code: 'busy', hint: resume });
      const holder = { pid, since: '2026-01-05T09:00:00.000Z' };
      expect(new SessionBusyError(new LockTimeoutError('session.lock', holder)).hint).toBe(resume);
    } finally {
      if (copy) closeLock(copy);
      child.kill('SIGKILL');
      await ended;
    }
  },
);
