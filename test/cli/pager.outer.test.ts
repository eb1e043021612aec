import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { unlessRequired } from '../support/required.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTerminal, terminalMissing } from '../support/terminal.ts';

const missing =
  terminalMissing() ??
  unlessRequired('less', spawnSync('less', ['--version']).status === 0 ? undefined : 'less is not installed');

const firstLine = 'ucctl - queues, calls, messages and live events of a business telephone service';

describe.skipIf(missing)('the pager, on a terminal of 20 lines', () => {
  it.each(['--help', 'queue assign --help --all'])('less shows %s, also after two Ctrl-C', async (line) => {
    const terminal = openTerminal(line, {});
    await eventually(() => expect(terminal.screen().at(-1)).toBe(':'));
    terminal.type('C-c');
    terminal.type('C-c');
    await eventually(() => {
      // less discards keys that arrive while it handles Ctrl-C.
      terminal.type('G');
      expect(terminal.screen().at(-1)).toBe('(END)');
    });
    terminal.type('q');
    await eventually(() => expect(terminal.screen().at(-1)).toBe('exit 0'));
  });

  it('gets the environment without secrets', async () => {
    const file = join(temporaryFolder(), 'environment');
    const terminal = openTerminal('--help', {
      UCCTL_PAGER: `env > '${file}'; cat > /dev/null`,
      UCCTL_TOKEN: 'secret-of-the-pager',
      LESS: 'S',
    });
    await eventually(() => expect(terminal.screen().at(-1)).toBe('exit 0'));
    const names = readFileSync(file, 'utf8');
    expect(names).toMatch(/^LESS=S$/m);
    expect(names).not.toContain('UCCTL_TOKEN');
  });

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ['that is missing', { UCCTL_PAGER: '/nonexistent/pager' }],
    ['named cat', { PAGER: 'cat' }],
    ['named by an empty text', { UCCTL_PAGER: '', PAGER: 'less' }],
    ['in CI', { CI: 'true' }],
  ])('%s is not used: the text goes to the terminal', async (_name, env) => {
    const terminal = openTerminal('--help', env);
    await eventually(() => expect(terminal.screen().at(-1)).toBe('exit 0'));
    expect(terminal.screen('-S', '-').filter((text) => text === firstLine)).toHaveLength(1);
  });
});
