import { spawn, type ChildProcess } from 'node:child_process';
import { execPath } from 'node:process';
import { cleanEnvironment } from './measure.ts';

/** How a run of the program ended. */
export interface DayEnd {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Number of runs that ended without being stopped. */
  readonly completed: number;
}

/** Stores only the end of the output, except for an export. */
const mostStderr = 2000;

/** One program of the day in a separate process; its output is read and discarded, except that of the last run. */
export class DayProgram {
  readonly #args: readonly string[];
  readonly #env: NodeJS.ProcessEnv;
  readonly #keepsOutput: boolean;
  #child: ChildProcess;
  #again = false;
  #completed = 0;
  ended: Promise<DayEnd>;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.#args = args;
    this.#env = cleanEnvironment(env);
    this.#keepsOutput = args.includes('export') || args.includes('--help');
    [this.#child, this.ended] = this.#start();
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Starts the program again whenever it succeeds. */
  repeat(): this {
    this.#again = true;
    return this;
  }

  /** Sends Ctrl-C, twice to a program that finishes its work after the first. */
  async interrupt(): Promise<DayEnd> {
    this.#again = false;
    this.#child.kill('SIGINT');
    const late = setTimeout(() => this.#child.kill('SIGTERM'), 5000);
    const end = await this.ended;
    clearTimeout(late);
    return end;
  }

  kill(): void {
    this.#again = false;
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
  }

  #start(): [ChildProcess, Promise<DayEnd>] {
    const child = spawn(execPath, ['bin/ucctl.cjs', ...this.#args], {
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (piece: Buffer) => {
      if (this.#keepsOutput) stdout += piece.toString();
    });
    child.stderr.on('data', (piece: Buffer) => (stderr = (stderr + piece.toString()).slice(-mostStderr)));
    const ended = new Promise<DayEnd>((resolve) => {
      child.once('close', (exit) => {
        if (exit === 0) this.#completed += 1;
        else if (exit !== 130 && exit !== 143)
          process.stdout.write(`ucctl ${this.#args.join(' ').slice(0, 60)} ended with ${exit}: ${stderr}\n`);
        if (this.#again && exit === 0) [this.#child, this.ended] = this.#start();
        resolve({ exit, stdout, stderr, completed: this.#completed });
      });
    });
    return [child, ended];
  }
}
