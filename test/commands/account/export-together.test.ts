import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathLock } from '../../../src/platform/path-lock.ts';
import { withProcessLock } from '../../../src/platform/process-lock.ts';
import { openDesk } from '../../matrix/desk.ts';
import { deferred } from '../../support/deferred.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const staging = '.ucctl-export-0123456789ab';

test('an export waits for another export into the folder, and keeps the new files that it prepares', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' } });
  const company = join(desk.cwd, 'company');
  const prepared = join(company, staging);
  mkdirSync(prepared, { recursive: true });
  const waited = new AbortController();
  const isWaiting = new Promise((resolve) => {
    waited.signal.addEventListener('abort', resolve);
  });
  const other = withProcessLock(pathLock(desk.paths.state, 'export', realpathSync(company)), {}, async () => {
    await isWaiting;
    return existsSync(prepared);
  });
  const { exit, stderr } = await desk.run('account export company', {
    onStderr: (text) => {
      if (text.includes('waiting until it ends')) waited.abort();
    },
  });
  waited.abort();
  expect(await other).toBe(true);
  expect(exit).toBe(0);
  expect(stderr).toContain(`another export is using company (process ${process.pid}, since`);
  expect(readdirSync(company)).not.toContain(staging);
});

test('exports into the same folder at the same time leave a complete export', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' } });
  const runs = await Promise.all(Array.from({ length: 4 }, () => desk.run('account export company')));
  expect(runs.map(({ exit, stderr }) => (exit === 0 ? exit : stderr))).toEqual([0, 0, 0, 0]);
  expect(readdirSync(join(desk.cwd, 'company')).toSorted()).toEqual([
    'account.yaml',
    'hours.yaml',
    'people.yaml',
    'queues.yaml',
    'rules.yaml',
  ]);
  expect(await desk.json('account diff company')).toEqual([]);
});

test('an export that waited for a later export writes no older state of the account', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' } });
  const company = join(desk.cwd, 'company');
  mkdirSync(company);
  const waited = new AbortController();
  const isWaiting = new Promise((resolve) => {
    waited.signal.addEventListener('abort', resolve);
  });
  const other = withProcessLock(pathLock(desk.paths.state, 'export', realpathSync(company)), {}, async () => {
    await isWaiting;
    await desk.sandbox.clock.advance(1000);
    expect((await desk.run('queue assign --queue Support --add 107 --yes')).exit).toBe(0);
    expect((await desk.run('account export later')).exit).toBe(0);
    cpSync(join(desk.cwd, 'later'), company, { recursive: true });
  });
  const { exit } = await desk.run('account export company', {
    onStderr: (text) => {
      if (text.includes('waiting until it ends')) waited.abort();
    },
  });
  waited.abort();
  await other;
  expect(exit).toBe(0);
  const textIn = (folder: string) => readFileSync(join(desk.cwd, folder, 'queues.yaml'), 'utf8');
  expect(textIn('company')).toBe(textIn('later').replaceAll('later/', 'company/'));
});

test('an export ignores a file that an interrupted export has not completed', async () => {
  await using desk = await openDesk({ sandbox: { dialect: 'current' } });
  mkdirSync(join(desk.cwd, 'company'));
  writeFileSync(join(desk.cwd, 'company', '.0123456789ab.tmp'), 'created: ');
  expect(await desk.run('account export company')).toMatchObject({ exit: 0 });
});

test('an export that began before a complete export ends with the later state', async () => {
  const [reached, released] = [deferred(), deferred()];
  let isPaused = false;
  const office = await openOffice(
    'administrator',
    (send) => async (request) => {
      // The queues have been read when the export reads the business hours.
      if (!isPaused && request.url.pathname.endsWith('/business-hours')) {
        isPaused = true;
        reached.resolve();
        await released.promise;
      }
      return send(request);
    },
    undefined,
    { dialect: 'current' },
  );
  const options = {
    cwd: temporaryFolder(),
    paths: temporaryPaths(),
    now: () => office.sandbox.clock.now(),
    env: { UCCTL_DIALECT: 'current' },
  };
  const early = office.run('account export company', options);
  // If the export ended early, the test would otherwise wait for ever.
  await Promise.race([reached.promise, early]);
  await office.sandbox.clock.advance(1000);
  expect((await office.run('queue assign --queue Support --add 107 --yes', options)).exit).toBe(0);
  expect((await office.run('account export company', options)).exit).toBe(0);
  await office.sandbox.clock.advance(1000);
  released.resolve();
  expect((await early).exit).toBe(0);
  expect((await office.run('account diff company -o json', options)).stdout).toBe('[]\n');
});
