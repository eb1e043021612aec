import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { lendToRuns } from '../../test/support/compiled-code.ts';
import { tmuxIn, type Tmux } from '../../test/support/tmux.ts';

/** A shell in a terminal of tmux with `ucctl` on its path and an empty home folder. */
export interface Pane {
  /** Types a line and presses Enter. */
  readonly type: (line: string) => void;
  /** Types a line, waits until the screen shows it, and presses Enter. For pictures in which the line must be visible. */
  readonly enter: (line: string) => Promise<void>;
  /** Presses keys, as tmux calls them: `C-c`, `Enter`, `Down`. */
  readonly press: (...keys: readonly string[]) => void;
  /** Waits until the text of the screen matches, and returns its lines with their colors. */
  readonly until: (pattern: RegExp) => Promise<readonly string[]>;
  /** Waits for the prompt of the shell after all typed lines have run. */
  readonly prompt: () => Promise<readonly string[]>;
  readonly clear: () => Promise<void>;
  /** Resolves when programs that start in the pane see the new size. */
  readonly resize: (columns: number, rows: number) => Promise<void>;
  /**
   * Sends a request to the control API of the sandbox whose ready file is `ready.json` in the home folder. For
   * actions that no picture shows, because a typed command would start the program. @throws {Error} if the sandbox
   * rejects the request.
   */
  readonly control: (method: string, path: string, body?: object) => Promise<unknown>;
  readonly close: () => void;
}

/** Longest wait for a screen, in milliseconds; a machine with much other load needs more than a minute for some. */
export const limit = 240_000;

/** Opens the pane; `close` ends its processes and removes its folder. */
export function openPane(columns: number, rows: number): Pane {
  const home = mkdtempSync(join(tmpdir(), 'ucctl-screens-'));
  const shim = join(home, 'bin', 'ucctl');
  mkdirSync(join(home, 'bin'));
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/ucctl.cjs')}' "$@"\n`);
  chmodSync(shim, 0o755);
  const counter = join(home, 'prompts');
  // The number of prompts shows that a line has run, even if the screen looks the same before and after it.
  writeFileSync(join(home, 'rc'), `PS1='$ '\nPROMPT_COMMAND='echo $((++prompts)) > ${counter}'\n`);
  const env = {
    PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    TERM: 'screen-256color',
    UCCTL_STORE: 'file',
    HISTFILE: '',
  };
  const takeBack = lendToRuns(env);
  const tmux = tmuxIn(home, env);
  tmux.open(columns, rows, `bash --noprofile --rcfile ${join(home, 'rc')}`);
  const terminal = tmux.run('display-message', '-p', '#{pane_tty}').trim();
  const written = writtenTo(tmux, join(home, 'written'));
  const text = (): string => tmux.screen().join('\n');
  const until = async (pattern: RegExp): Promise<readonly string[]> => {
    const end = Date.now() + limit;
    for (;;) {
      const before = written();
      const lines = tmux.screen('-e');
      if (pattern.test(stripVTControlCharacters(lines.join('\n')))) return lines;
      // Reading the screen starts a process, so it is read again only after a change.
      do {
        if (Date.now() > end) throw new Error(`the screen does not show ${String(pattern)}:\n${text()}`);
        await wait(20);
      } while (written() === before);
    }
  };
  // The first prompt, and one after each line.
  let expected = 1;
  const prompt = async (pattern = /(^|\n)\$$/): Promise<readonly string[]> => {
    const end = Date.now() + limit;
    const shown = (): number => (existsSync(counter) ? Number(readFileSync(counter, 'utf8')) : 0);
    while (shown() < expected) {
      if (Date.now() > end) throw new Error(`the shell is still busy:\n${text()}`);
      await wait(50);
    }
    return until(pattern);
  };
  const type = (line: string): void => {
    expected += 1;
    tmux.run('send-keys', '-l', line, ';', 'send-keys', 'Enter');
  };
  const enter = async (line: string): Promise<void> => {
    const shown = (): string => text().replaceAll(/\s/gu, '');
    expected += 1;
    tmux.run('send-keys', '-l', line);
    const end = Date.now() + limit;
    // The line may be broken at the width of the terminal.
    while (!shown().includes(line.replaceAll(/\s/gu, ''))) {
      if (Date.now() > end) throw new Error(`the shell does not show ${line}:\n${text()}`);
      await wait(50);
    }
    tmux.run('send-keys', 'Enter');
  };
  return {
    type,
    enter,
    press: (...keys) => void tmux.run('send-keys', ...keys),
    until,
    prompt: () => prompt(),
    clear: async () => {
      type('clear');
      await prompt(/^\$$/);
    },
    resize: async (columns, rows) => {
      tmux.resize(columns, rows);
      const end = Date.now() + limit;
      // If it was resized shortly before, tmux tells the terminal only later.
      while (sizeOf(terminal) !== `${rows} ${columns}`) {
        if (Date.now() > end)
          throw new Error(`the terminal does not have ${columns} columns and ${rows} rows`);
        await wait(20);
      }
    },
    async control(method, path, body) {
      const { url } = JSON.parse(readFileSync(join(home, 'ready.json'), 'utf8')) as { readonly url: string };
      const reply = await fetch(`${url}/sandbox/v1${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!reply.ok) throw new Error(`${method} ${path}: HTTP ${reply.status} ${await reply.text()}`);
      return reply.json();
    },
    close: () => {
      tmux.close();
      takeBack();
      rmSync(home, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** Records in a file what is written to the window. @returns a function that returns the number of bytes. */
function writtenTo(tmux: Tmux, file: string): () => number {
  tmux.run('pipe-pane', `exec cat > '${file}'`);
  return () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Returns the rows and columns of a terminal, as `stty` prints them. */
function sizeOf(terminal: string): string {
  return spawnSync('sh', ['-c', 'stty size <"$0"', terminal], { encoding: 'utf8' }).stdout.trim();
}
