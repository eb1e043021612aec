import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A tmux server of its own with one window, without the configuration of the user. */
export interface Tmux {
  /** Runs a command of tmux and returns its output. @throws {Error} if the command fails. */
  readonly run: (...args: readonly string[]) => string;
  /** Runs a command of tmux with this text as its standard input. @throws {Error} if the command fails. */
  readonly runWithInput: (input: string, ...args: readonly string[]) => string;
  /** Opens the window with a command of bash in it. */
  readonly open: (columns: number, rows: number, command: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** The lines of the screen without trailing empty lines, from `capture-pane` with these flags. */
  readonly screen: (...flags: readonly string[]) => readonly string[];
  /** Ends the server and its programs. */
  readonly close: () => void;
}

/**
 * A runner for a tmux server. The first command starts the server with this environment, so that no argument contains
 * secrets.
 * @param folder folder of the socket, and working directory of the programs
 */
export function tmuxIn(folder: string, env: Readonly<Record<string, string>>): Tmux {
  const runWithInput = (input: string, ...args: readonly string[]): string => {
    const argv = ['-S', join(folder, 'socket'), '-f', '/dev/null', '-u', ...args];
    const { status, stdout, stderr } = spawnSync('tmux', argv, { env, encoding: 'utf8', cwd: folder, input });
    if (status !== 0) throw new Error(`tmux ${args[0] ?? ''}: ${stderr}`);
    return stdout;
  };
  const run = (...args: readonly string[]): string => runWithInput('', ...args);
  return {
    run,
    runWithInput,
    // Without bash, tmux would use the login shell of the user. For example, dash ends at a Ctrl-C for its program.
    open: (columns, rows, command) =>
      void run('new-session', '-d', '-x', String(columns), '-y', String(rows), 'bash', '-c', command),
    resize: (columns, rows) => void run('resize-window', '-x', String(columns), '-y', String(rows)),
    screen: (...flags) =>
      run('capture-pane', '-p', ...flags)
        .trimEnd()
        .split('\n'),
    close: () => void run('kill-server'),
  };
}
