import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { fillLargeOffice } from '../../support/large-office.ts';
import { conditionLimit } from '../../support/limits.ts';
import { signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openTerminal, terminalMissing, type Terminal } from '../../support/terminal.ts';
import { eventually } from '../../support/eventually.ts';

const missing = terminalMissing();

/** What a person may be called, by what it would do to a terminal. */
const names = [
  '\u001B[2J\u001B]0;owned\u0007Eve',
  '\u009B31mC1\u009D0;t\u009C',
  'New\r\nLine\tTab',
  'Right\u202Eleft\u200B',
  '王小明',
  'Jose\u0301 A\u0301lvarez U\u0308nlu\u0308',
  'ﾊﾝｶｸ ｶﾅ',
  'An Extraordinarily Long Name Of One Single Person',
];
const queue = '50000';

/** A queue of people with those names, served on a socket. */
async function hostileOffice(folder: string): Promise<{ readonly sandbox: Sandbox; readonly token: string }> {
  const database = join(folder, 'office.db');
  const { agents } = fillLargeOffice(database, {
    agents: names.length,
    queues: 1,
    members: () => [...names.keys()],
  });
  const db = openDatabase(database);
  const rename = db.prepare('UPDATE extension SET name = ? WHERE id = ?');
  for (const [at, agent] of agents.entries()) rename.run(names[at] ?? '', agent.id);
  db.close();
  const sandbox = await startSandbox({
    database,
    clock: 'real',
    rateLimits: 'off',
    // On a busy machine, a board would poll after a late reply to the handshake.
    settings: { webhookTimeoutMilliseconds: conditionLimit },
  });
  onTestFinished(() => sandbox.close());
  return { sandbox, token: await signInAs(sandbox, 'administrator') };
}

/** The command in a terminal, for the administrator of such an office. */
async function inTerminal(command: string, env: Readonly<Record<string, string>> = {}) {
  const { sandbox, token } = await hostileOffice(temporaryFolder());
  return { sandbox, ...openTerminal(command, { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token, ...env }) };
}

/** A board in a shell with job control, which reads Enter after any stop and then continues the board. */
async function underJobControl(): Promise<Terminal> {
  const { sandbox, token } = await hostileOffice(temporaryFolder());
  return openTerminal(
    `--version; set -m; '${process.execPath}' '${resolve('bin/ucctl.cjs')}' queue watch ${queue}; code=$?; stty icrnl; echo "stopped $code"; read -r _; fg`,
    { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token },
  );
}

function isWiderThan60(lines: readonly string[]): boolean {
  return lines.some((line) => stringWidth(line) > 60);
}

function isComplete(lines: readonly string[]): boolean {
  // On a narrow terminal, the names of hidden columns can take several lines.
  const hidden = lines.findIndex((line) => line.startsWith('Hidden: '));
  const footer = lines.findIndex((line) => line.startsWith('live · '));
  const shown = hidden === -1 ? lines : [...lines.slice(0, hidden), ...lines.slice(footer)];
  // On a narrow terminal, the state of the connection has a line of its own.
  const rows = shown.filter((line) => !/^live · [\d:]+ UTC$/.test(line));
  return rows.length === names.length + 3 && !lines.some((line) => line.includes('not read yet'));
}

describe.skipIf(missing)(`a board in a real terminal${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('shows hostile names without effect, fits every size, and restores the terminal', async () => {
    const { sandbox, screen, resize, type, state } = await inTerminal(`queue watch ${queue}`);
    await eventually(() => expect(isComplete(screen())).toBe(true));
    expect(screen()[0]).toBe(`Queue ${queue} (${queue})  ${names.length} available`);
    expect(screen().at(-1)).toMatch(/^live · \d\d:\d\d:\d\d UTC · q quit · \/ filter · s sort · \? help$/);
    const shown = screen().join('\n');
    for (const name of [
      '␛[2J␛]0;owned␇Eve',
      '<U+009B>31mC1',
      'New␍⏎Line→Tab',
      '王小明',
      'Jose\u0301 A\u0301lvarez U\u0308nlu\u0308',
    ]) {
      expect(shown).toContain(name);
    }
    // The title, the clipboard and the second screen are the terminal's own.
    expect([state('pane_title').includes('owned'), state('alternate_on'), state('cursor_flag')]).toEqual([
      false,
      '1',
      '0',
    ]);
    for (const columns of [70, 41, 40, 33, 24, 60]) {
      resize(columns, 20);
      // A line that is wider for the terminal than for us would wrap.
      await eventually(() => {
        expect(isComplete(screen())).toBe(true);
        expect(screen().filter((line) => stringWidth(line) > columns)).toEqual([]);
      });
    }
    resize(60, 6);
    await eventually(() => expect(screen().length === 6 && screen()[4]).toBe('… and 6 more'));
    resize(100, 20);
    await eventually(() => expect(isComplete(screen())).toBe(true));
    type('C-c');
    await eventually(() => expect(screen().at(-1)).toBe('exit 0'));
    expect([state('alternate_on'), state('cursor_flag')]).toEqual(['0', '1']);
    expect(screen()[0]).toContain(`${names.length} available`);
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it('filters, sorts, scrolls and quits by keys on 80 columns and 24 rows', async () => {
    const { sandbox, screen, resize, type, state } = await inTerminal(`queue watch ${queue}`);
    resize(80, 24);
    await eventually(() => expect(isComplete(screen())).toBe(true));
    type('?');
    await eventually(() => expect(screen().join('\n')).toMatch(/Ctrl-C +quit[\s\S]*5m\+ means\s+at\s+least/));
    type('?');
    type('/');
    for (const letter of 'jose') type(letter);
    await eventually(() => expect(screen().at(-1)).toBe('Filter: jose▏ Enter apply · Esc clear'));
    type('Escape');
    await eventually(() => expect(isComplete(screen())).toBe(true));
    type('s');
    await eventually(() => expect(screen().at(-1)).toContain('by STATE · q quit'));
    resize(80, 6);
    await eventually(() => expect(screen()[4]).toBe('… and 6 more'));
    type('NPage');
    type('Down');
    await eventually(() => expect(screen()[4]).toBe('… rows 3 to 4 of 8'));
    type('End');
    await eventually(() => expect(screen()[4]).toBe('… rows 7 to 8 of 8'));
    type('q');
    await eventually(() => expect(screen().at(-1)).toBe('exit 0'));
    expect([state('alternate_on'), state('cursor_flag')]).toEqual(['0', '1']);
    expect(sandbox.subscriptions()).toEqual([]);
  });

  it('is suspended by Ctrl-Z and continued by fg', async () => {
    const { screen, resize, type, state } = await underJobControl();
    resize(60, 20);
    await eventually(() => expect([isComplete(screen()), isWiderThan60(screen())]).toEqual([true, false]));
    type('C-z');
    await eventually(() => expect(screen().join('\n')).toContain('stopped 148'));
    expect([state('alternate_on'), state('cursor_flag')]).toEqual(['0', '1']);
    // The window may change while the board is stopped.
    resize(100, 20);
    type('Enter');
    await eventually(() =>
      expect([state('alternate_on'), isComplete(screen()), isWiderThan60(screen())]).toEqual([
        '1',
        true,
        true,
      ]),
    );
    type('q');
    await eventually(() => expect(screen().at(-1)).toBe('exit 0'));
  });

  it('has the width of the window after another process stopped it and fg continued it', async () => {
    const { screen, resize, type, state } = await underJobControl();
    resize(60, 20);
    await eventually(() => expect([isComplete(screen()), isWiderThan60(screen())]).toEqual([true, false]));
    const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', state('pane_pid')], { encoding: 'utf8' });
    process.kill(Number(pids), 'SIGSTOP');
    await eventually(() => expect(screen().join('\n')).toContain('stopped 147'));
    resize(100, 20);
    type('Enter');
    await eventually(() => expect([isComplete(screen()), isWiderThan60(screen())]).toEqual([true, true]));
    type('q');
    await eventually(() => expect(screen().at(-1)).toBe('exit 0'));
    expect([state('alternate_on'), state('cursor_flag')]).toEqual(['0', '1']);
  });

  it('shows who rings at an agent, and since when', async () => {
    const { sandbox, screen } = await inTerminal(`queue watch ${queue}`);
    await eventually(() => expect(isComplete(screen())).toBe(true));
    expect(screen()[2]).toMatch(/ \? /);
    await sandbox.control('POST', '/triggers/call', { from: '+16505550199', to: '10000' });
    await eventually(() => expect(screen()[2]).toMatch(/^\* ringing .* \d+s +from \+1 650 555 0199/));
    expect(screen()[0]).toContain('1 ringing');
  });

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['colours', {}, true],
    ['no colours under NO_COLOR', { NO_COLOR: '1' }, false],
  ])('draws with %s', async (_title, env, coloured) => {
    const { screen, state } = await inTerminal(`queue watch ${queue} --poll`, env);
    await eventually(() => expect(isComplete(screen())).toBe(true));
    expect(state('alternate_on')).toBe('1');
    expect(screen('-e').join('\n').includes('\u001B')).toBe(coloured);
  });

  it('writes lines if TERM is dumb', async () => {
    const { screen, state, type } = await inTerminal(`queue watch ${queue} --poll`, { TERM: 'dumb' });
    await eventually(() => expect(screen().length >= names.length).toBe(true));
    expect(state('alternate_on')).toBe('0');
    expect(screen('-J', '-e').join('\n')).not.toContain('\u001B');
    expect(screen()[0]).toMatch(/^\d\d:\d\d:\d\d  10000  ␛\[2J␛\]0;owned␇Eve: available$/);
    type('C-c');
    await eventually(() => expect(screen().at(-1)).toMatch(/exit 0$/));
  });
});
