import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sendText } from '../webhook/listening.ts';

/** A sandbox that processes can reach, and what they need for it. */
async function openSandbox() {
  const sandbox = await startSandbox({ database: ':memory:' });
  onTestFinished(() => sandbox.close());
  const folder = temporaryFolder();
  const variables = {
    PATH: env['PATH'] ?? '',
    HOME: folder,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
  };
  const tail = `bin/ucctl.cjs subscribe tail --ready-file ${folder}/ready.json`;
  const ready = () =>
    vi.waitFor(async () => expect(await readFile(join(folder, 'ready.json'), 'utf8')).toContain('pid'), {
      timeout: 20_000,
    });
  return { sandbox, folder, variables, tail, ready };
}

it('subscribe tail | head -1 exits 0 and leaves no subscription behind, though no further event comes', async () => {
  const { sandbox, folder, variables, tail, ready } = await openSandbox();
  const script = `{ ${execPath} ${tail}; echo $? > ${folder}/exit; } | head -1`;
  const shell = spawn('sh', ['-c', script], { env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(shell, 'close');
  let [stdout, stderr] = ['', ''];
  shell.stdout.on('data', (piece: Buffer) => (stdout += piece.toString()));
  shell.stderr.on('data', (piece: Buffer) => (stderr += piece.toString()));
  await ready();
  expect(sandbox.subscriptions()).toHaveLength(1);
  await runUcctl(sendText, { env: variables });
  await closed;
  expect(JSON.parse(stdout)).toMatchObject({ body: { changes: [{ type: 'SMS' }] } });
  expect(await readFile(join(folder, 'exit'), 'utf8')).toBe('0\n');
  expect(stderr).toMatch(/^ready: .*\nsubscription \S+ deleted\n$/);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('subscribe tail ends when a reader behind a socket goes away before any event', async () => {
  const { sandbox, variables, tail, ready } = await openSandbox();
  const child = spawn(execPath, tail.split(' '), { env: variables, stdio: ['ignore', 'pipe', 'ignore'] });
  const closed = once(child, 'close');
  await ready();
  child.stdout.destroy();
  expect(await closed).toEqual([0, null]);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('presence watch ends, too, when its reader goes away while nothing changes', async () => {
  const { sandbox, variables } = await openSandbox();
  const child = spawn(execPath, ['bin/ucctl.cjs', 'presence', 'watch', '100'], {
    env: variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await vi.waitFor(() => expect(sandbox.subscriptions()).toHaveLength(1), { timeout: 20_000 });
  child.stdout.destroy();
  expect(await closed).toEqual([0, null]);
  expect(sandbox.subscriptions()).toEqual([]);
});
