import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptFiles, scripts, type Shell } from '../../src/commands/completion/scripts/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { conditionLimit } from '../support/limits.ts';
import { unlessRequired } from '../support/required.ts';
import { signInAs } from '../support/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { spawnNode } from '../support/example-program.ts';

function missing(shell: string): string | undefined {
  const found = spawnSync(shell, ['--version']).status === 0;
  return unlessRequired(shell, found ? undefined : `${shell} is not installed`);
}

/** A home whose cache knows the queues of a sandbox, as `queue list` leaves it, and a `ucctl` on its path. */
async function knowing(): Promise<{ readonly home: string; readonly env: Record<string, string> }> {
  const home = temporaryFolder();
  mkdirSync(join(home, 'bin'));
  const program = join(home, 'bin/ucctl');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/ucctl.cjs')}' "$@"\n`);
  chmodSync(program, 0o755);
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const env = {
    HOME: home,
    PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_TOKEN: await signInAs(sandbox, 'administrator'),
  };
  const { exit } = await spawnNode([resolve('bin/ucctl.cjs'), 'queue', 'list'], env);
  expect(exit).toBe(0);
  // What a Tab offers comes from the cache alone.
  await sandbox.close();
  return { home, env };
}

const lines: readonly (readonly [string, readonly string[]])[] = [
  ['ucctl que', ['queue']],
  ['ucctl queue mem', ['members']],
  ['ucctl queue list --memb', ['--members']],
  ['ucctl queue list -o nd', ['ndjson']],
  ['ucctl queue members Sup', ['Support']],
  ['ucctl help exit', ['exit-codes']],
];

function asBash(line: string, env: Record<string, string>): readonly string[] {
  const program = `source completions/ucctl.bash
COMP_LINE=$1; COMP_POINT=\${#1}; _ucctl; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return output('bash', ['--norc', '-c', program, 'bash', line], env);
}

function asFish(line: string, env: Record<string, string>): readonly string[] {
  const program = 'source completions/ucctl.fish; complete -C $argv[1]';
  return output('fish', ['--no-config', '-c', program, line], env).map((row) => row.split('\t')[0] ?? '');
}

function output(shell: string, args: readonly string[], env: Record<string, string>): readonly string[] {
  const text = execFileSync(shell, args, { env: { ...env, XDG_CONFIG_HOME: env['HOME'] }, encoding: 'utf8' });
  return text.split('\n').filter((line) => line !== '');
}

/** A real interactive zsh on a pseudo-terminal: the line, a Tab, and what the line is then. */
function asZsh(line: string, env: Record<string, string>): string {
  const driver = `zmodload zsh/zpty
zpty shell "PS1= PS2= TERM=dumb zsh -f -i"
zpty -w shell "autoload -Uz compinit; compinit -u -D; source completions/_ucctl"
zpty -w shell "show() { print -r -- \\"<<\\$BUFFER>>\\" }; zle -N show; bindkey '^X' show; print READ''Y"
zpty -r -m shell text '*READY*'
zpty -w -n shell "$1"$'\\t\\x18'
zpty -r -m shell text '*<<*>>*'
print -r -- "$text"
zpty -d shell`;
  const text = execFileSync('zsh', ['-f', '-c', driver, 'zsh', line], {
    env,
    encoding: 'utf8',
    timeout: conditionLimit,
  });
  return /<<(.*)>>/s.exec(text)?.[1] ?? text;
}

describe('the scripts in completions/', () => {
  it.each(Object.keys(scripts) as Shell[])('%s is the script that the program prints', (shell) => {
    expect(readFileSync(`completions/${scriptFiles[shell]}`, 'utf8')).toBe(scripts[shell]);
  });

  it('PowerShell sends the same request (not run here: PowerShell is not installed)', () => {
    expect(scripts.powershell).toContain('Register-ArgumentCompleter -Native -CommandName ucctl');
    expect(scripts.powershell).toContain('ucctl __complete words "=$wordToComplete" @words');
  });
});

describe.skipIf(missing('bash'))('in bash', () => {
  it('offers commands, flags, values of flags, live values', async () => {
    const { env, home } = await knowing();
    for (const [line, expected] of lines) expect([line, asBash(line, env)]).toEqual([line, expected]);
    expect(asBash('ucctl queue list --output=nd', env)).toEqual(['ndjson']);
    // The common beginning of the candidates replaces the word.
    expect(asBash('ucctl queue members 20', env)).toEqual(['201', '202', '203']);
    const cache = join(home, '.cache/ucctl/completion/default.json');
    expect(statSync(cache).mode % 0o1000).toBe(0o600);
  });
});

describe.skipIf(missing('fish'))('in fish', () => {
  it('offers commands, flags, values of flags, live values', async () => {
    const { env } = await knowing();
    for (const [line, expected] of lines) expect([line, asFish(line, env)]).toEqual([line, expected]);
  });
});

describe.skipIf(missing('fish'))('a word with blanks or a joined value in fish', () => {
  /** Completes a line in a folder with files, with a `ucctl` that prints `answer`. */
  function fishWith(answer: string, line: string): readonly string[] {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'new agents'));
    for (const file of ['agents.csv', 'all agents.csv']) writeFileSync(join(folder, file), '');
    const program = join(folder, 'ucctl');
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' ${answer}\n`);
    chmodSync(program, 0o755);
    const script = `source '${resolve('completions/ucctl.fish')}'; cd '${folder}'; complete -C $argv[1]`;
    const env = { HOME: folder, PATH: `${folder}:${process.env['PATH']}` };
    return output('fish', ['--no-config', '-c', script, line], env).map((row) => row.split('\t')[0] ?? '');
  }

  it.each(["'Front D", '"Front D', String.raw`Front\ D`, "'Front D'"])(
    'is sent without quotes: %s',
    (word) => {
      const answer = `none "$([ "$3" = '=Front D' ] && echo 'Front Desk')"`;
      expect(fishWith(answer, `ucctl queue show ${word}`)).toEqual(['Front Desk']);
    },
  );

  it.each([
    ['files', '--file=ag', ['--file=agents.csv']],
    ['files', 'ag', ['agents.csv']],
    ['files', "'all a", ['all agents.csv']],
    ['files', String.raw`--file=all\ a`, ['--file=all agents.csv']],
    ['folders', '--dir=ne', ['--dir=new agents/']],
  ])('completes %s: %s', (kind, word, expected) => {
    expect(fishWith(kind, `ucctl queue assign ${word}`)).toEqual(expected);
  });
});

describe.skipIf(missing('zsh'))('in zsh', () => {
  it('completes commands, flags, values of flags, live values', async () => {
    const { env } = await knowing();
    for (const [line, [expected = '']] of lines) {
      const whole = `${line.slice(0, line.lastIndexOf(' '))} ${expected}`;
      expect(asZsh(line, env).trimEnd()).toBe(whole);
    }
    // Several queues match by number, so the line does not change.
    expect(asZsh('ucctl queue members 20', env)).toBe('ucctl queue members 20');
  });
});

/** The running processes with this home folder; none where the system has no /proc. */
function processesWith(home: string): readonly string[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}

describe('names without a list before', () => {
  it('are read at Tab', async () => {
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const token = await signInAs(sandbox, 'administrator');
    const env = { HOME: temporaryFolder(), UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token };
    const tab = () => spawnNode([resolve('bin/ucctl.cjs'), '__complete', 'words', '=', 'agent', 'show'], env);
    // On a slow machine, the names arrive after the first Tab.
    await eventually(async () => expect((await tab()).stdout).toContain('102\t'));
    // A command that a Tab no longer waits for still writes to this home folder.
    await eventually(() => expect(processesWith(env.HOME)).toEqual([]));
  });

  it('are not offered if the service cannot be reached', async () => {
    const env = { HOME: temporaryFolder(), UCCTL_BASE_URL: 'http://127.0.0.1:9', UCCTL_TOKEN: 'none' };
    const words = ['__complete', 'words', '=', 'agent', 'show'];
    const { exit, stdout, stderr } = await spawnNode([resolve('bin/ucctl.cjs'), ...words], env);
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: 'none\n', stderr: '' });
  });
});
