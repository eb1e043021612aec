import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { rmSync } from 'node:fs';
import { conditionLimit } from './limits.ts';

/** How a shell starts a server, and what its log says when it is ready. */
interface ServerStart {
  readonly name: string;
  /** Starts the server with the words as its command line, and ends it after one line or the end of standard input. */
  readonly script: string;
  readonly words: readonly string[];
  readonly user?: Pick<SpawnOptions, 'uid' | 'gid'> | undefined;
  readonly ready: RegExp;
}

/** A server in its own folder. A shell ends it when this process ends in any way, because its standard input then ends. */
export class ServerProcess {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts the server, and waits until it is ready. */
  protected async run({ name, script, words, user, ready }: ServerStart): Promise<void> {
    const child = spawn('sh', ['-c', script, 'sh', ...words], {
      ...user,
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child = child;
    let log = '';
    await new Promise<void>((resolve, reject) => {
      const fail = (): void => reject(new Error(`${name} did not start: ${log}`));
      const timer = setTimeout(fail, conditionLimit);
      child.once('close', fail);
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-10_000);
        if (!ready.test(log)) return;
        clearTimeout(timer);
        child.off('close', fail);
        resolve();
      });
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => {
      child.once('close', resolve);
    });
    child.stdin?.end('\n');
    await closed;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
