import { existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathLock } from '../../../src/platform/path-lock.ts';
import { withProcessLock } from '../../../src/platform/process-lock.ts';
import { openDesk } from '../../matrix/desk.ts';

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
