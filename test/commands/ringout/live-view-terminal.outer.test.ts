import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { eventually } from '../../support/eventually.ts';
import { signInAs } from '../../support/sandbox.ts';
import { openTerminal, terminalMissing } from '../../support/terminal.ts';

const missing = terminalMissing();
const [caller, callee] = ['+16505550140', '+12025550111'];

/** Starts a call in a terminal whose phones are answered only by `answer`. */
async function callInTerminal(options: string) {
  const sandbox = await startSandbox({ clock: 'real', settings: { callProgression: 'manual' } });
  onTestFinished(() => sandbox.close());
  const terminal = openTerminal(`ringout start --to ${callee} --yes --interval 1 ${options}`, {
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
  });
  const shown = (): string => terminal.screen().join('\n');
  return {
    ...terminal,
    shown,
    showsTitle: (text: string) => eventually(() => expect(terminal.screen()[0]).toContain(text)),
    ends: () => eventually(() => expect(shown()).toMatch(/^exit \d+$/m)),
    answer: (phone: string) => sandbox.control('POST', `/phones/${phone}/answer`),
    operations: () => sandbox.requestLog().map(({ operation }) => operation),
  };
}

describe.skipIf(missing)(
  `ringout start --wait in a real terminal${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    it.each(['C-c', 'q'])(
      'spec:CLIENT-12 %s cancels the call, reports it and exits with 130',
      async (key) => {
        const { type, shown, showsTitle, ends, operations } = await callInTerminal('--wait');
        await showsTitle('Quitting cancels the call');
        type(key);
        await ends();
        expect(shown()).toMatch(/canceled call \d+/);
        expect(shown()).toMatch(/^exit 130$/m);
        const after = operations();
        expect(after.slice(after.indexOf('cancelRingOut'))).toEqual(['cancelRingOut', 'readRingOut']);
      },
    );

    it('spec:CLIENT-12 cancels the call when its terminal is closed', async () => {
      const { close, showsTitle, operations } = await callInTerminal('--wait');
      await showsTitle('Quitting cancels the call');
      const isRunning = close();
      await eventually(() => expect(isRunning()).toBe(false));
      expect(operations()).toContain('cancelRingOut');
    });

    it.each(['C-c', 'q'])('spec:CLIENT-12 after both have answered, %s only ends the wait', async (key) => {
      const { type, shown, showsTitle, ends, operations, answer } = await callInTerminal('--wait=finished');
      await showsTitle('Quitting cancels the call');
      await answer(caller);
      await answer(callee);
      await showsTitle('Quitting does not end the call');
      type(key);
      await ends();
      expect(shown()).toMatch(/warning: call \d+ continues \(both parties were connected/);
      expect(shown()).toMatch(/^exit 130$/m);
      expect(operations()).not.toContain('cancelRingOut');
    });
  },
);
