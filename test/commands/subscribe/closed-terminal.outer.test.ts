import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ownProcess } from '../../../src/platform/own-process.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { conditionLimit } from '../../support/limits.ts';
import { openTerminal, terminalMissing } from '../../support/terminal.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { tmuxIn } from '../../support/tmux.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sendText } from '../webhook/listening.ts';
import { eventually } from '../../support/eventually.ts';

const missing = terminalMissing();

async function watched(command: string) {
  const sandbox = await startSandbox({
    clock: 'real',
    rateLimits: 'off',
    // On a busy machine, a board would poll after a late reply to the handshake.
    settings: { webhookTimeoutMilliseconds: conditionLimit },
  });
  onTestFinished(() => sandbox.close());
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, 'administrator') };
  const terminal = openTerminal(command, env);
  await eventually(() => expect(sandbox.subscriptions().length).toBe(1));
  return { sandbox, terminal };
}

describe.skipIf(missing)(`a closed terminal${missing === undefined ? '' : ` (${missing})`}`, () => {
  it.each(['subscribe tail', 'webhook listen', 'presence watch 100'])(
    'ends %s like Ctrl-C: the subscription is deleted',
    async (command) => {
      const { sandbox, terminal } = await watched(command);
      const isRunning = terminal.close();
      await eventually(() => expect(isRunning()).toBe(false));
      expect(sandbox.subscriptions()).toEqual([]);
    },
  );

  it('does not end a listener that nohup started', async () => {
    const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off' });
    onTestFinished(() => sandbox.close());
    const folder = temporaryFolder();
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      UCCTL_STATE_DIR: folder,
      UCCTL_CONFIG_DIR: folder,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
    };
    const tmux = tmuxIn(folder, env);
    onTestFinished(() => tmux.close());
    const listen = `'${process.execPath}' '${resolve('bin/ucctl.cjs')}' subscribe tail -o ndjson --ready-file ready.json`;
    tmux.open(80, 20, `nohup ${listen} & cat`);
    const file = join(folder, 'ready.json');
    await eventually(() => expect(existsSync(file)).toBe(true));
    const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { readonly pid: number };
    onTestFinished(async () => {
      process.kill(pid, 'SIGTERM');
      // Its last writes must not meet the removal of the folder.
      await eventually(() => expect(ownProcess.isAlive(pid)).toBe(false));
      expect(sandbox.subscriptions()).toEqual([]);
    });
    tmux.run('new-window', '-d', 'cat');
    tmux.run('kill-window', '-t', ':0');
    await runUcctl(sendText, { env });
    await eventually(() => expect(readFileSync(join(folder, 'nohup.out'), 'utf8')).toContain('"type":"SMS"'));
    expect(sandbox.subscriptions()).toHaveLength(1);
  });
});
