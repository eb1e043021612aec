import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { fromSnapshot } from '../support/fixture-snapshot.ts';
import { signInAs } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openTerminal, terminalMissing, type Terminal } from '../support/terminal.ts';

const missing = terminalMissing();

/** Every test only reads from it: its fixture takes more processor time than all the rest. */
let sandbox: Sandbox;
let token = '';

const inTerminal = (command: string): Terminal =>
  openTerminal(command, { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token });

/** Runs the command in a shell with job control, which continues it after Enter. */
const withJobControl = (command: string): Terminal =>
  inTerminal(
    `--version; set -m; '${process.execPath}' '${resolve('bin/ucctl.cjs')}' ${command}; echo "stopped $?"; read -r _; fg`,
  );

/** A command that does not start before `start` is called. Until then, the terminal collects the keys. */
const waiting = async (command: string): Promise<{ terminal: Terminal; start: () => void }> => {
  const gate = join(temporaryFolder(), 'gate');
  const terminal = inTerminal(
    `--version; until [ -e '${gate}' ]; do sleep 0.01; done; '${process.execPath}' '${resolve('bin/ucctl.cjs')}' ${command}`,
  );
  await shows(terminal, /^\d+\.\d+\.\d+$/m);
  return { terminal, start: () => writeFileSync(gate, '') };
};

const shows = (terminal: Terminal, ...texts: readonly (string | RegExp)[]): Promise<void> =>
  eventually(() => {
    const screen = terminal.screen().join('\n');
    for (const text of texts) expect(screen).toMatch(text);
  });

describe.skipIf(missing)(
  `a missing argument on a terminal${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    beforeAll(async () => {
      sandbox = await startSandbox(await fromSnapshot({ fixture: 'call-center', rateLimits: 'off' }));
      token = await signInAs(sandbox, 'administrator');
      return () => sandbox.close();
    });

    it('for an agent to remove offers the agents of the queue', async () => {
      const terminal = inTerminal('queue unassign Sales --dry-run');
      await shows(terminal, /Choose AGENT:/, /106 +Mei Lin +agent/);
      const rows = terminal.screen().filter((line) => / agent\b/.test(line));
      expect(rows.map((line) => /\d+/.exec(line)?.[0])).toEqual(['104', '105', '106']);
      terminal.type('C-c');
      await shows(terminal, 'exit 130');
    });

    it('is chosen from a list, and the complete command is printed', async () => {
      const terminal = inTerminal('queue members');
      await shows(terminal, /Choose QUEUE:/, /201 +Support +queue/);
      terminal.paste('supprt');
      await eventually(() => expect(terminal.screen().join('\n')).not.toMatch(/Sales +queue/));
      terminal.type('Enter');
      await shows(terminal, /^ucctl queue members 201$/m, 'exit 0');
      expect(terminal.state('cursor_flag')).toBe('1');
    });

    it.each([
      ['C-c', 'Ctrl-C'],
      ['Escape', 'Esc'],
    ])('ends with 130 at %s (%s)', async (key) => {
      const terminal = inTerminal('agent show');
      await shows(terminal, /Choose AGENT:/, / agent/, /type to search \d{4} matches/);
      terminal.type(key);
      await shows(terminal, 'exit 130');
      expect(terminal.state('cursor_flag')).toBe('1');
    });

    it('is chosen after Ctrl-Z and fg', async () => {
      const terminal = withJobControl('queue members');
      await shows(terminal, /Choose QUEUE:/, /201 +Support +queue/);
      terminal.paste('sup');
      await shows(terminal, /Choose QUEUE: sup$/m);
      terminal.type('C-z');
      await shows(terminal, 'stopped 148');
      expect(terminal.state('cursor_flag')).toBe('1');
      expect(terminal.screen().join('\n')).not.toContain('Choose QUEUE');
      terminal.type('Enter');
      await shows(terminal, /Choose QUEUE: sup$/m, /201 +Support +queue/);
      terminal.paste('port');
      await shows(terminal, /Choose QUEUE: support$/m);
      terminal.type('Enter');
      await shows(terminal, /^ucctl queue members 201$/m, 'exit 0');
    });

    it('asks for confirmation again after Ctrl-Z and fg, also for a screen reader', async () => {
      const terminal = withJobControl('pager send --to 102 hello --accessible');
      await shows(terminal, /\(y\/N\)/);
      terminal.type('C-z');
      await shows(terminal, 'stopped 148');
      terminal.type('Enter');
      await shows(terminal, /^Send this message\? \(y\/N\)$(?![^]*stopped)/m);
      terminal.paste('n\n');
      await shows(terminal, /exit \d/);
      expect(terminal.screen().at(-1)).toBe('exit 9');
    });

    it('asks for confirmation again after Ctrl-Z and fg', async () => {
      const terminal = withJobControl('pager send --to 102 hello');
      await shows(terminal, /\(y\/N\)/);
      terminal.type('C-z');
      await shows(terminal, 'stopped 148');
      expect(terminal.screen().join('\n')).not.toContain('(y/N)');
      terminal.type('Enter');
      await shows(terminal, /\(y\/N\)/);
      terminal.paste('n\n');
      await shows(terminal, /exit [1-9]/);
    });

    it('fits on a terminal with few lines', async () => {
      const { terminal, start } = await waiting('agent show');
      terminal.resize(40, 8);
      start();
      await shows(terminal, /type to search/);
      expect(terminal.screen()[0]).toBe('? Choose AGENT:');
      expect(terminal.screen()[1]).toMatch(/^❯ \d+/);
      terminal.type('Escape');
      await shows(terminal, 'exit 130');
    });

    it('is not chosen by keys that were typed before the list', async () => {
      const { terminal, start } = await waiting('queue members');
      terminal.paste('\n');
      start();
      await shows(terminal, /Choose QUEUE:/, /201 +Support +queue/);
      terminal.type('Escape');
      await shows(terminal, /exit \d/);
      expect(terminal.screen().at(-1)).toBe('exit 130');
    });

    it.each([
      ['', 'y\n'],
      ['', 'y'],
      ['', 'n\ny\n'],
      ['--accessible', 'y\n'],
      ['--accessible', 'y'],
    ])('is not confirmed by keys that were typed before the question: %s %j', async (flag, keys) => {
      const { terminal, start } = await waiting(`pager send --to 102 hello ${flag}`);
      terminal.paste(keys);
      // The terminal itself shows the keys, because no program has read them.
      await shows(terminal, /^y$/m);
      start();
      await shows(terminal, /\(y\/N\) *$/);
      terminal.paste('n\n');
      await shows(terminal, /exit \d/);
      expect(terminal.screen().join('\n')).toContain('not confirmed; nothing was sent\nexit 9');
    });

    it.each([
      ['queue members --no-input'],
      ['queue members --accessible'],
      ['queue members < /dev/null'],
      ['queue members 2>&1 | cat'],
      ['queue members | cat'],
    ])('is a usage error for %s', async (command) => {
      const terminal = inTerminal(command);
      await eventually(() => expect(terminal.screen().join('\n')).toContain('QUEUE is missing'));
      expect(terminal.screen().join('\n')).not.toContain('Choose');
    });

    it('reports an empty list', async () => {
      const terminal = inTerminal('history show');
      await shows(terminal, 'exit 2');
      expect(terminal.screen().join(' ')).toContain('RUN is missing, and there are no runs to choose from');
    });
  },
);
