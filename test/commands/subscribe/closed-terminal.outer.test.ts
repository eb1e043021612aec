import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { conditionLimit } from '../../support/limits.ts';
import { openTerminal, terminalMissing } from '../../support/terminal.ts';
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
});
