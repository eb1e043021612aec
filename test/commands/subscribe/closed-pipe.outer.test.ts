import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { startProcess, startUcctl } from '../../support/process.ts';
import { conditionLimit } from '../../support/limits.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sendText } from '../webhook/listening.ts';
import { eventually } from '../../support/eventually.ts';

/** A sandbox that processes can reach, and what they need for it. */
async function openSandbox() {
  const sandbox = await startSandbox({
    database: ':memory:',
    // On a busy machine, a board would poll after a late reply to the handshake.
    settings: { webhookTimeoutMilliseconds: conditionLimit },
  });
  onTestFinished(() => sandbox.close());
  const folder = temporaryFolder();
  const variables = {
    HOME: folder,
    UCCTL_STATE_DIR: folder,
    UCCTL_CONFIG_DIR: folder,
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
  };
  const tail = `bin/ucctl.cjs subscribe tail --ready-file ${folder}/ready.json`;
  const ready = () =>
    eventually(async () => expect(await readFile(join(folder, 'ready.json'), 'utf8')).toContain('pid'));
  return { sandbox, folder, variables, tail, ready };
}

it('subscribe tail | head -1 exits with 0 and deletes its subscription without a further event', async () => {
  const { sandbox, folder, variables, tail, ready } = await openSandbox();
  const script = `{ ${execPath} ${tail}; echo $? > ${folder}/exit; } | head -1`;
  const { ended } = startProcess('sh', ['-c', script], { env: variables });
  await ready();
  expect(sandbox.subscriptions()).toHaveLength(1);
  await runUcctl(sendText, { env: variables });
  const { stdout, stderr } = await ended;
  expect(JSON.parse(stdout)).toMatchObject({ body: { changes: [{ type: 'SMS' }] } });
  expect(await readFile(join(folder, 'exit'), 'utf8')).toBe('0\n');
  expect(stderr).toMatch(/^Ready: .*\nSubscription \S+\nSubscription \S+ deleted\.\n$/);
  expect(sandbox.subscriptions()).toEqual([]);
});

it('subscribe tail exits if a reader behind a socket disconnects before any event', async () => {
  const { sandbox, variables, tail, ready } = await openSandbox();
  const { child, ended } = startProcess(execPath, tail.split(' '), { env: variables });
  await ready();
  child.stdout.destroy();
  expect(await ended).toMatchObject({ exit: 0, signal: null });
  expect(sandbox.subscriptions()).toEqual([]);
});

it('subscribe tail deletes its subscription after SIGTERM', async () => {
  const { sandbox, variables, tail, ready } = await openSandbox();
  const { child, ended } = startProcess(execPath, tail.split(' '), { env: variables });
  await ready();
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ exit: 0, signal: null });
  expect(sandbox.subscriptions()).toEqual([]);
});

it('subscribe tail without a terminal continues after SIGHUP, as under nohup', async () => {
  const { sandbox, variables, tail, ready } = await openSandbox();
  const { child, ended } = startProcess(execPath, tail.split(' '), { env: variables });
  await ready();
  let shown = '';
  child.stdout.on('data', (text: string) => (shown += text));
  child.kill('SIGHUP');
  await runUcctl(sendText, { env: variables });
  await eventually(() => expect(shown).toContain('"type":"SMS"'));
  expect(sandbox.subscriptions()).toHaveLength(1);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ exit: 0, signal: null });
});

it('presence watch exits if its reader disconnects while nothing changes', async () => {
  const { sandbox, variables } = await openSandbox();
  const { child, ended } = startUcctl(['presence', 'watch', '100'], { env: variables });
  await eventually(() => expect(sandbox.subscriptions()).toHaveLength(1));
  child.stdout.destroy();
  expect(await ended).toMatchObject({ exit: 0, signal: null });
  expect(sandbox.subscriptions()).toEqual([]);
});
