import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { unlessRequired } from './required.ts';
import { checkShown, secretsOfEnvironment } from './secrets.ts';
import { temporaryFolder } from './temporary.ts';

/** Why there is no real terminal here; undefined where there is one. */
export function terminalMissing(): string | undefined {
  const there = spawnSync('tmux', ['-V']).status === 0;
  return unlessRequired('tmux', there ? undefined : 'tmux is not installed');
}

export interface Terminal {
  /** The lines on the terminal, without the empty ones below; of tmux's `capture-pane` with these flags. */
  readonly screen: (...flags: readonly string[]) => readonly string[];
  /** Everything that was ever written to it, with what draws and moves. */
  readonly written: () => string;
  readonly resize: (columns: number, rows: number) => void;
  /** Presses a key, as tmux calls it: `C-c`, `Enter`. */
  readonly type: (key: string) => void;
  /** As from the clipboard. */
  readonly paste: (text: string) => void;
  /** As who closes its window; tells afterwards whether the program still runs. */
  readonly close: () => () => boolean;
  /** A format variable of tmux, such as `cursor_flag`. */
  readonly state: (variable: string) => string;
}

/** `ucctl` in a terminal of its own, 100 by 20, which can be looked at, resized and typed into. After its end the terminal says `exit N`. */
export function openTerminal(command: string, env: Readonly<Record<string, string>>): Terminal {
  const folder = temporaryFolder();
  const { TERM = 'screen-256color', ...more } = env;
  const all = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    UCCTL_CONFIG_DIR: join(folder, 'config'),
    UCCTL_STATE_DIR: join(folder, 'state'),
    UCCTL_CACHE_DIR: join(folder, 'cache'),
    UCCTL_DATA_DIR: join(folder, 'data'),
    // The first call starts the server, whose environment is that of the program: secrets are in no argv.
    ...more,
  };
  const run = (input: string, ...args: readonly string[]): string => {
    const argv = ['-S', join(folder, 'socket'), '-f', '/dev/null', '-u', ...args];
    const { status, stdout, stderr } = spawnSync('tmux', argv, { env: all, encoding: 'utf8', input });
    if (status !== 0) throw new Error(stderr);
    return stdout;
  };
  const tmux = (...args: readonly string[]): string => run('', ...args);
  const log = join(folder, 'written');
  const started = join(folder, 'started');
  const program = `TERM='${TERM}' '${process.execPath}' '${resolve('bin/ucctl.cjs')}' ${command}`;
  // It begins when all that it writes is kept, and the shell stays: what it leaves behind is looked at too.
  const shell = `until [ -e '${started}' ]; do sleep 0.01; done; ${program}; echo "exit $?"; cat`;
  tmux('new-session', '-d', '-x', '100', '-y', '20', shell);
  onTestFinished(() => {
    tmux('kill-server');
    checkShown(secretsOfEnvironment(env), [program], { stdout: readFileSync(log, 'utf8') });
  });
  tmux('pipe-pane', `touch '${started}'; exec cat > '${log}'`);
  return {
    screen: (...flags) =>
      tmux('capture-pane', '-p', ...flags)
        .trimEnd()
        .split('\n'),
    written: () => readFileSync(log, 'utf8'),
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    type: (key) => void tmux('send-keys', key),
    paste(text) {
      run(text, 'load-buffer', '-');
      tmux('paste-buffer', '-d', '-p');
    },
    close() {
      const shellId = tmux('display-message', '-p', '#{pane_pid}').trim();
      const ps = (...args: readonly string[]): string => spawnSync('ps', args, { encoding: 'utf8' }).stdout;
      const ids = ps('-A', '-o', 'pid=,ppid=')
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      const [id = ''] = ids.find(([, parent]) => parent === shellId) ?? [];
      tmux('new-window', '-d', 'cat');
      tmux('kill-window', '-t', ':0');
      // Who is dead and not yet missed counts as ended.
      return () => /^[^Z\s]/.test(ps('-o', 'stat=', '-p', id).trim());
    },
    state: (variable) => tmux('display-message', '-p', `#{${variable}}`).trim(),
  };
}
