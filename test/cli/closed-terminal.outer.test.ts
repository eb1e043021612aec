import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env, execPath, kill } from 'node:process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { signInAs } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { terminalMissing } from '../support/terminal.ts';
import { tmuxIn } from '../support/tmux.ts';

/** Runs a command in a terminal until it shows a text, and closes the terminal without a signal to the command. */
async function inClosedTerminal(
  command: string,
  shown: string,
  variables: Readonly<Record<string, string>> = {},
) {
  const folder = temporaryFolder();
  const [started, exit] = [join(folder, 'pid'), join(folder, 'exit')];
  const tmux = tmuxIn(folder, { PATH: env['PATH'] ?? '', HOME: folder, ...variables });
  onTestFinished(() => tmux.close());
  const program = `sh -c 'echo $$ > "${started}"; exec "${execPath}" "${resolve('bin/ucctl.cjs')}" ${command}'`;
  // If the shell ignores the signal of the terminal, the kernel sends it to no other program.
  tmux.open(100, 20, `ulimit -c 0; trap '' HUP; ${program}; echo $? > '${exit}'`);
  tmux.run('set-option', '-g', 'exit-empty', 'off');
  await eventually(() => expect(tmux.screen().join('\n')).toContain(shown));
  tmux.run('kill-pane');
  return {
    pid: Number(readFileSync(started, 'utf8')),
    exit: () => eventually(() => /^\d+(?=\n)/.exec(readFileSync(exit, 'utf8'))?.[0] ?? missing()),
  };
}

function missing(): never {
  throw new Error('no exit code yet');
}

describe.skipIf(terminalMissing() !== undefined)('a program whose terminal was closed', () => {
  it('ends with its exit code', async () => {
    const { pid, exit } = await inClosedTerminal('sandbox start --port 0', 'Main number');
    kill(pid, 'SIGTERM');
    expect(await exit()).toBe('0');
  });

  it('ends with 129 if it cannot write its results', async () => {
    const sandbox = await startSandbox({ clock: 'real' });
    onTestFinished(() => sandbox.close());
    const { exit } = await inClosedTerminal('queue watch 201 --poll', 'polling', {
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
    });
    expect(await exit()).toBe('129');
  });
});
