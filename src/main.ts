import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { version } from '../package.json';
import { runApp } from './app.ts';
import { currentFolder } from './cli/current-folder.ts';
import { interruptExit } from './cli/interrupt-exit.ts';
import {
  inputOf,
  isStdoutTerminalClosed,
  lastBytesOfStdout,
  sinkOf,
  watchStdout,
} from './cli/standard-streams.ts';
import { Interrupted } from './errors/interrupted.ts';
import { ownProcess } from './platform/own-process.ts';
import { SentSecrets } from './platform/sent-secrets.ts';
import { isSecretVariable } from './platform/secret-environment.ts';
import type { System } from './runtime/system.ts';

// Creates a System from the process; test/architecture lists the other files that may use the process. It
// never calls process.exit(), which would cut output to a pipe.

/** Time for a command to shut down after its terminal was closed, when nobody can press Ctrl-C again. */
const shutdownMilliseconds = 15_000;

/**
 * Ends the process by a signal, because a native call that hangs can block an exit. Programs of `--exec` and `--tunnel` end too:
 * their process groups do not get the signal. The user learns which requests have no reply.
 */
function die(name: NodeJS.Signals): void {
  ownProcess.killOwnGroups();
  ownProcess.writeKilledTexts();
  process.removeAllListeners(name);
  process.kill(process.pid, name);
}

const endingSignals = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first Ctrl-C, SIGTERM or SIGHUP asks the command to shut down. A second Ctrl-C or SIGTERM ends the process at
 * once, as does a shutdown after SIGHUP that takes too long. Without a terminal, SIGHUP is ignored.
 */
function signalOfProcess(): AbortSignal {
  const controller = new AbortController();
  for (const name of endingSignals) {
    process.on(name, () => {
      if (controller.signal.aborted) die(name);
      else controller.abort(new Interrupted(name));
    });
  }
  process.on('SIGHUP', () => {
    // A command without a terminal continues, so that `nohup` has an effect. Whether `nohup` ignored the signal cannot be
    // found out, because Node resets all signals when it starts.
    if (!ownProcess.hasTerminal()) return;
    // The operating system and the shell each send SIGHUP.
    if (controller.signal.aborted) return;
    controller.abort(new Interrupted('SIGHUP'));
    setTimeout(die, shutdownMilliseconds, 'SIGHUP').unref();
  });
  return controller.signal;
}

/** Runs `work` and ignores Ctrl-C meanwhile, because a child process on the same terminal handles it. */
async function withoutCtrlC<T>(work: () => Promise<T>): Promise<T> {
  const listeners = process.listeners('SIGINT');
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  try {
    return await work();
  } finally {
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  }
}

/** Runs `work` with the default actions of the signals that end the program. */
async function withDefaultSignals<T>(work: () => Promise<T>): Promise<T> {
  // Without a terminal, SIGHUP remains ignored.
  const names: readonly NodeJS.Signals[] = ownProcess.hasTerminal()
    ? [...endingSignals, 'SIGHUP']
    : endingSignals;
  const removed = names.map((name) => [name, process.listeners(name)] as const);
  for (const name of names) process.removeAllListeners(name);
  try {
    return await work();
  } finally {
    for (const [name, listeners] of removed) for (const listener of listeners) process.on(name, listener);
  }
}

const experimental = /(SQLite|WASI) is an experimental feature/;

/** Hides Node's warnings about the experimental features that ucctl uses (docs/adr/0002-sqlite.md, 0018-reader-gone.md). */
function withoutExperimentalWarnings(): void {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (experimental.test(String(warning))) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
}

/**
 * On Node 20 the HTTP parser is WebAssembly, and the process would wait at its end for the optimizing compiler. Called
 * as late as possible, because Node recompiles its own modules that are loaded after a change of V8 flags.
 */
async function beforeFirstRequest(): Promise<void> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return;
  const { changeFlags } = await import('./code-cache.ts');
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  changeFlags(
    () => setFlagsFromString('--liftoff-only'),
    // V8 derives the other two flags from the first, but does not set them back with it.
    () => setFlagsFromString('--no-liftoff-only --wasm-tier-up --wasm-dynamic-tiering'),
  );
}

/**
 * Returns the environment of this run. Secrets are removed from the environment of the process, which children inherit:
 * a browser, a keychain helper, a command of the user.
 */
function takeEnvironment(): Readonly<Record<string, string | undefined>> {
  const env = { ...process.env };
  for (const [name, value] of Object.entries(env))
    if (isSecretVariable(name, value)) delete process.env[name];
  return env;
}

/**
 * HOME, else the home folder of the account. Empty if neither is known, for example in a container that runs as an
 * arbitrary user ID.
 */
function homeDirectory(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // This user has neither HOME nor an account.
    }
  }
  return '';
}

async function main(): Promise<void> {
  withoutExperimentalWarnings();
  const env = takeEnvironment();
  process.on('exit', () => ownProcess.forgetClosedTerminal());
  const stdin = inputOf(() => process.stdin);
  const signal = signalOfProcess();
  const system: System = {
    env,
    get cwd() {
      return currentFolder(() => process.cwd());
    },
    get program() {
      return ownProcess.packedFiles() ? process.execPath : process.argv[1];
    },
    platform: process.platform,
    homeDirectory: homeDirectory(),
    version,
    stdin,
    stdout: sinkOf(() => process.stdout, watchStdout, lastBytesOfStdout),
    stderr: sinkOf(() => process.stderr),
    signal,
    sentSecrets: new SentSecrets(),
    beforeFirstRequest,
    // The kernel ignores signals with a default action for the first process of a container.
    withDefaultSignals: ownProcess.pid === 1 ? undefined : withDefaultSignals,
    now: () => Date.now(),
    elapsed: () => ownProcess.monotonicMilliseconds(),
    async sleep(milliseconds, signal) {
      const { setTimeout: delay } = await import('node:timers/promises');
      await delay(milliseconds, undefined, { signal });
    },
    async openUrl(url) {
      const { openUrl } = await import('./cli/open-url.ts');
      return openUrl(url, env);
    },
    async openPageFile(file) {
      const { openPageFile } = await import('./cli/open-url.ts');
      return openPageFile(file, env);
    },
    async page(text) {
      const { showInPager } = await import('./cli/pager.ts');
      return withoutCtrlC(() => showInPager(text, { env, platform: process.platform, signal }));
    },
  };
  process.exitCode = await runApp(process.argv.slice(2), system);
  stdin.end();
  const reason: unknown = signal.reason;
  const isLate = isLookingUp();
  const isInterrupted = process.exitCode === interruptExit(reason, signal);
  // A failed write can precede the signal of the terminal.
  if (isStdoutTerminalClosed()) die('SIGHUP');
  if (reason instanceof Interrupted && (reason.signal === 'SIGHUP' || (isLate && isInterrupted)))
    die(reason.signal);
  // A signal ends the process at once, because no command runs that could shut down.
  if (isLate) for (const name of endingSignals) process.removeAllListeners(name);
}

/**
 * Whether a lookup of a host name is in progress. It cannot be aborted, and the process would run until the name
 * server replies or all attempts of the operating system have failed.
 */
function isLookingUp(): boolean {
  return process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
}

/** Tells bin/ucctl.cjs that this file is complete. */
export const isLoaded = true;

void main();
