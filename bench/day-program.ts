import { spawn, type ChildProcess } from 'node:child_process';
import { execPath } from 'node:process';
import { cleanEnvironment } from './measure.ts';

/** How a run of the program ended. */
export interface DayEnd {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Runs that came to their end by themselves. */
  readonly completed: number;
}

/** Only the end of what it said is of use, but for an export. */
const mostStderr = 2000;

/** One program of the day, as a process of its own; its output is read and forgotten, but for that of the last run. */
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

  /** Begins anew whenever it ends well. */
  repeat(): this {
    this.#again = true;
    return this;
  }

  /** Ctrl-C, twice for one that waits. */
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
