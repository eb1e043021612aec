import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { noBash } from './bash.ts';
import { lendCompiledCode, takeCompiledCode } from './compiled-code.ts';
import { unlessRequired } from './required.ts';
import { checkShown, secretsOfEnvironment } from './secrets.ts';
import { temporaryFolder } from './temporary.ts';
import { tmuxIn } from './tmux.ts';

/** Why no real terminal can be used here; undefined when one can. */
export function terminalMissing(): string | undefined {
  const there = spawnSync('tmux', ['-V']).status === 0;
  return unlessRequired('tmux', there ? undefined : 'tmux is not installed') ?? noBash;
}

export interface Terminal {
  /** The lines on the terminal, without trailing empty lines; from tmux's `capture-pane` with these flags. */
  readonly screen: (...flags: readonly string[]) => readonly string[];
  /** Everything that was ever written to it, including control sequences. */
  readonly written: () => string;
  readonly resize: (columns: number, rows: number) => void;
  /** Presses a key with its tmux name: `C-c`, `Enter`. */
  readonly type: (key: string) => void;
  /** Types text, as from the clipboard. */
  readonly paste: (text: string) => void;
  /** Closes the window; returns whether the program still runs afterwards. */
  readonly close: () => () => boolean;
  /** A format variable of tmux, such as `cursor_flag`. */
  readonly state: (variable: string) => string;
}

/**
 * `ucctl` in a separate terminal of 100 by 20, which can be read, resized and typed into. After the program ends, the
 * terminal shows `exit N`.
 */
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
    ...more,
  };
  lendCompiledCode(all.UCCTL_CACHE_DIR);
  const tmux = tmuxIn(folder, all);
  const log = join(folder, 'written');
  const started = join(folder, 'started');
  const program = `TERM='${TERM}' '${process.execPath}' '${resolve('bin/ucctl.cjs')}' ${command}`;
  // Recording starts before the program, and the shell stays after it, so that the remaining screen can be checked
  // too.
  const shell = `until [ -e '${started}' ]; do sleep 0.01; done; ${program}; echo "exit $?"; cat`;
  tmux.open(100, 20, shell);
  onTestFinished(() => {
    tmux.close();
    takeCompiledCode(all.UCCTL_CACHE_DIR);
    checkShown(secretsOfEnvironment(env), [program], { stdout: readFileSync(log, 'utf8') });
  });
  tmux.run('pipe-pane', `touch '${started}'; exec cat > '${log}'`);
  return {
    screen: tmux.screen,
    written: () => readFileSync(log, 'utf8'),
    resize: tmux.resize,
    type: (key) => void tmux.run('send-keys', key),
    paste(text) {
      tmux.runWithInput(text, 'load-buffer', '-');
      tmux.run('paste-buffer', '-d', '-p');
    },
    close() {
      const shellId = tmux.run('display-message', '-p', '#{pane_pid}').trim();
      const ps = (...args: readonly string[]): string => spawnSync('ps', args, { encoding: 'utf8' }).stdout;
      const ids = ps('-A', '-o', 'pid=,ppid=')
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      const [id = ''] = ids.find(([, parent]) => parent === shellId) ?? [];
      tmux.run('new-window', '-d', 'cat');
      tmux.run('kill-window', '-t', ':0');
      // A zombie process counts as ended.
      return () => /^[^Z\s]/.test(ps('-o', 'stat=', '-p', id).trim());
    },
    state: (variable) => tmux.run('display-message', '-p', `#{${variable}}`).trim(),
  };
}
