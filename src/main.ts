import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { version } from '../package.json';
import { runApp } from './app.ts';
import { currentFolder } from './cli/current-folder.ts';
import { Interrupted } from './errors/interrupted.ts';
import { isSecretVariable } from './platform/secret-environment.ts';
import type { Input } from './runtime/context.ts';
import type { Sink, System } from './runtime/system.ts';

// Makes a System of the process; which leaves may touch it too, test/architecture says. It never calls process.exit(): that cuts output that a pipe has not taken yet.

/** The stream is opened when it is first asked about: opening costs, and most runs never use stderr. */
function sinkOf(
  open: () => NodeJS.WriteStream,
  watch?: Sink['onUnread'],
  lastBytes?: Sink['lastBytes'],
): Sink {
  let failure: Error | undefined;
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => {
    if (opened) return opened;
    opened = open();
    opened.on('error', (error) => {
      failure = error;
    });
    return opened;
  };
  return {
    get isTerminal() {
      return stream().isTTY ?? false;
    },
    get columns() {
      // A serial line does not know, and says 0.
      return this.isTerminal ? stream().columns || undefined : undefined;
    },
    get stream() {
      return this.isTerminal ? stream() : undefined;
    },
    get onUnread() {
      return this.isTerminal ? undefined : watch;
    },
    lastBytes,
    write: (text, onTaken) =>
      new Promise((resolve, reject) => {
        if (failure) {
          reject(failure);
          return;
        }
        stream().write(text, (error) => {
          if (error) reject(error);
          else resolve();
        });
        if (stream().writableLength === 0 && !stream().errored) onTaken?.();
      }),
  };
}

/** Loaded when a live command asks: most runs are over before their reader can be. */
function watchStdout(tell: () => void): () => void {
  const stop = new AbortController();
  void import('./platform/pipe-reader.ts').then(({ watchStdoutReader }) =>
    watchStdoutReader(stop.signal, tell),
  );
  return () => stop.abort();
}

/** Loaded when a live command asks, as above. */
async function lastBytesOfStdout(count: number): Promise<Uint8Array> {
  const { endOfStdout } = await import('./platform/file-end.ts');
  return endOfStdout(count);
}

function inputOf(): Input & { end(): void } {
  let opened: NodeJS.ReadStream | undefined;
  // Opened only when it is asked about or read: opening costs.
  const stdin = (): NodeJS.ReadStream => (opened ??= process.stdin);
  return {
    get isTerminal() {
      return stdin().isTTY ?? false;
    },
    get stream() {
      return stdin();
    },
    /** A pipe that its writer keeps open would keep this process from ending. */
    end: () => void opened?.destroy(),
    async *lines() {
      const decoder = new TextDecoder();
      let rest = '';
      for await (const piece of stdin()) {
        const lines = (rest + decoder.decode(piece as Uint8Array, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield line.replace(/\r$/, '');
      }
      if (rest !== '') yield rest;
    },
    text: async () => (await readAll(stdin())).toString('utf8'),
    bytes: () => readAll(stdin()),
  };
}

async function readAll(stream: NodeJS.ReadStream): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece as Uint8Array);
  return Buffer.concat(pieces);
}

/** What a command that was asked to finish may take for it when its terminal is gone, and with it whoever could press Ctrl-C again. */
const farewellMilliseconds = 15_000;

/** By signal and not by exit: a native call that hangs can hold an exit back. */
function die(name: NodeJS.Signals): void {
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

/**
 * The first Ctrl-C, SIGTERM or end of the terminal asks the command to finish; a second Ctrl-C or SIGTERM ends the process on the spot, as does a
 * farewell that takes too long.
 */
function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) die(name);
      else controller.abort(new Interrupted(name));
    });
  }
  process.on('SIGHUP', () => {
    // The system and the shell send it both.
    if (controller.signal.aborted) return;
    controller.abort(new Interrupted('SIGHUP'));
    setTimeout(die, farewellMilliseconds, 'SIGHUP').unref();
  });
  return controller.signal;
}

const experimental = /(SQLite|WASI) is an experimental feature/;

/** Node announces parts of itself as experimental at every use; that is settled in docs/adr and no news for users. */
function withoutExperimentalWarnings(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (experimental.test(String(warning))) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}

/**
 * On Node 20 the HTTP parser is WebAssembly, and the process would wait at its end for a compiler that it no longer needs. As late as can be:
 * changing a flag of V8 makes Node compile those of its own modules anew that are loaded afterwards.
 */
async function beforeFirstRequest(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return;
  const { mayChangeFlags } = await import('./code-cache.ts');
  if (!mayChangeFlags()) return;
  process.getBuiltinModule('node:v8').setFlagsFromString('--liftoff-only');
}

/**
 * The environment of this run. Its secrets leave the process's own, which every child would inherit: a browser, a keychain helper, a command of the user.
 */
function takeEnvironment(): Readonly<Record<string, string | undefined>> {
  const env = { ...process.env };
  for (const name of Object.keys(env).filter(isSecretVariable)) delete process.env[name];
  return env;
}

/** HOME, or what the system knows where that says nothing. Empty when nobody knows one, such as in a container that runs as any number. */
function homeDirectory(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // Neither HOME nor an account.
    }
  }
  return '';
}

async function main(): Promise<void> {
  withoutExperimentalWarnings();
  const env = takeEnvironment();
  // Node would open its inspector to every program of this machine, and with it the tokens in memory.
  process.on('SIGUSR1', () => undefined);
  const stdin = inputOf();
  const system: System = {
    env,
    get cwd() {
      return currentFolder(() => process.cwd());
    },
    program: process.argv[1],
    platform: process.platform,
    homeDirectory: homeDirectory(),
    version,
    stdin,
    stdout: sinkOf(() => process.stdout, watchStdout, lastBytesOfStdout),
    stderr: sinkOf(() => process.stderr),
    signal: signalOfProcess(),
    beforeFirstRequest,
    now: () => Date.now(),
    async sleep(milliseconds, signal) {
      const { setTimeout: delay } = await import('node:timers/promises');
      await delay(milliseconds, undefined, { signal });
    },
    async openUrl(url) {
      const { openUrl } = await import('./cli/open-url.ts');
      return openUrl(url, env);
    },
  };
  process.exitCode = await runApp(process.argv.slice(2), system);
  stdin.end();
  const reason: unknown = system.signal.reason;
  // At an exit Node would set the terminal back, and aborts where there is none any more.
  if (reason instanceof Interrupted && reason.signal === 'SIGHUP') die('SIGHUP');
}

void main();
