import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { openTerminal, terminalMissing } from '../../support/terminal.ts';

const missing = terminalMissing();
const patient = { timeout: 20_000, interval: 50 };

async function watched(command: string) {
  const sandbox = await startSandbox({ clock: 'real', rateLimits: 'off' });
  onTestFinished(() => sandbox.close());
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, 'administrator') };
  const terminal = openTerminal(command, env);
  await expect.poll(() => sandbox.subscriptions().length, patient).toBe(1);
  return { sandbox, terminal };
}

describe.skipIf(missing)(`a closed terminal${missing === undefined ? '' : ` (${missing})`}`, () => {
  it.each(['subscribe tail', 'webhook listen', 'presence watch 100'])(
    'ends %s as Ctrl-C does: no subscription is left',
    async (command) => {
      const { sandbox, terminal } = await watched(command);
      const isRunning = terminal.close();
      await expect.poll(isRunning, patient).toBe(false);
      expect(sandbox.subscriptions()).toEqual([]);
    },
  );
});
