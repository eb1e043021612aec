import { closeSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { devNull, userInfo } from 'node:os';
import { entryAt } from './entry-at.ts';

/** The files inside the single executable (docs/adr/0071-single-executable.md), by path in the package. */
export interface PackedFiles {
  /** @throws {Error} if there is no such file. */
  readonly read: (path: string) => Uint8Array;
  readonly paths: () => readonly string[];
}

/** The part of node:sea that ucctl uses; its types for Node 20 lack getAssetKeys, which Node 24.8 added. */
interface SingleExecutable {
  readonly isSea: () => boolean;
  readonly getRawAsset: (key: string) => ArrayBuffer;
  readonly getAssetKeys: () => readonly string[];
}

/** Leaders of the process groups that this process has started and that may still run. */
const startedGroups = new Set<number>();

/** Functions that return a text for standard error if a second signal ends this process. */
const killedTexts = new Set<() => string>();

/** Returns the standard descriptors that are devices other than the null device, such as a terminal. */
function standardDevices(): readonly number[] {
  // A root folder of only the program has no null device.
  const nothing = entryAt(devNull)?.rdev;
  return [0, 1, 2].filter((descriptor) => {
    try {
      const found = fstatSync(descriptor);
      return found.isCharacterDevice() && found.rdev !== nothing;
    } catch {
      return false;
    }
  });
}

/** Properties of this process for low-level modules. Higher-level modules use System instead. */
export const ownProcess = {
  pid: process.pid,
  /** Milliseconds of a monotonic clock. `performance.now` is not used, because it would load nine modules of Node. */
  monotonicMilliseconds: (): number => process.uptime() * 1000,
  /** Uptime and processor time of this process in seconds, and its resident memory in bytes. */
  usage(): {
    readonly uptimeSeconds: number;
    readonly processorSeconds: number;
    readonly residentBytes: number;
  } {
    const { user, system } = process.cpuUsage();
    return {
      uptimeSeconds: process.uptime(),
      processorSeconds: (user + system) / 1e6,
      residentBytes: process.memoryUsage.rss(),
    };
  },
  /** Path of the running Node, or of the single executable, to start child processes with. */
  executable: process.execPath,
  /** Version of Node, such as `v20.19.0`. */
  nodeVersion: process.version,
  /** Operating system and processor, such as `linux-x64`. */
  platform: `${process.platform}-${process.arch}`,
  /** Returns the files in this executable; undefined if Node runs ucctl from files. */
  packedFiles(): PackedFiles | undefined {
    const sea = process.getBuiltinModule('node:sea') as unknown as SingleExecutable | undefined;
    if (!sea?.isSea()) return undefined;
    return { read: (path) => new Uint8Array(sea.getRawAsset(path)), paths: () => sea.getAssetKeys() };
  },
  /**
   * Returns the names of damaged files of the installation, which bin/ucctl.cjs finds; empty if there are none, or if
   * another program started this code.
   */
  damagedFiles(): readonly string[] {
    const find: unknown = Reflect.get(globalThis, Symbol.for('ucctl.damagedFiles'));
    return typeof find === 'function' ? (Reflect.apply(find, undefined, []) as readonly string[]) : [];
  },
  /** Loads a native addon from a file. */
  loadAddon(file: string): unknown {
    const module = { exports: {} };
    process.dlopen(module, file);
    return module.exports;
  },
  /** User ID of this process; undefined on Windows. */
  userId: process.getuid?.(),
  /** Home folder of the user of this process. HOME does not affect it. Undefined if the system knows no home folder. */
  homeFolder(): string | undefined {
    try {
      return userInfo().homedir;
    } catch {
      return undefined;
    }
  },
  /** Name of the user of this process. Undefined if the system has no entry for its user ID, as in a container. */
  userName(): string | undefined {
    try {
      return userInfo().username;
    } catch {
      return undefined;
    }
  },
  /** Address of the session bus that native code of this process uses. `System.env` does not affect it. */
  sessionBus: process.env['DBUS_SESSION_BUS_ADDRESS'],
  /** Whether a process with this ID exists on this machine, whichever user owns it. */
  isAlive(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
  /** Whether a process is stopped (Ctrl-Z, SIGSTOP). Only Linux can report this; on other systems always false. */
  isSuspended(pid: number): boolean {
    try {
      // The program name precedes the status in the file. It is in parentheses and may contain any character.
      return /^.*\) [Tt] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  },
  /**
   * Whether standard input, output or error is a terminal, also if the terminal was closed. A closed terminal is still a
   * device, but `isatty` reports false for it.
   */
  hasTerminal(): boolean {
    return process.platform === 'win32' || standardDevices().length > 0;
  },
  /**
   * Closes the descriptors of a terminal that was closed. Node resets the terminal when it exits, and aborts if this is not
   * possible.
   */
  forgetClosedTerminal(): void {
    if (process.platform === 'win32') return;
    const devices = standardDevices();
    if (devices.length === 0) return;
    const { isatty } = process.getBuiltinModule('node:tty');
    for (const descriptor of devices) if (!isatty(descriptor)) closeSync(descriptor);
  },
  /** Whether the system can signal process groups; false on Windows. */
  hasGroups: process.platform !== 'win32',
  /** Sends a signal to all processes of the group with this leader. */
  signalGroup(leader: number, signal: NodeJS.Signals): void {
    try {
      process.kill(-leader, signal);
    } catch (error) {
      // EPERM means that the group has ended (macOS), or that its ID now belongs to another user.
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  },
  /** Records a process group, which ends with this process. @returns a function that records the end of the group. */
  ownGroup(leader: number): () => void {
    startedGroups.add(leader);
    return () => startedGroups.delete(leader);
  },
  /** Kills the recorded process groups. */
  killOwnGroups(): void {
    if (ownProcess.hasGroups) for (const leader of startedGroups) ownProcess.signalGroup(leader, 'SIGKILL');
  },
  /**
   * Registers a text, which is written to standard error if a second signal ends this process.
   * @returns a function that removes the text
   */
  reportIfKilled(text: () => string): () => void {
    killedTexts.add(text);
    return () => void killedTexts.delete(text);
  },
  /** Writes the registered texts to standard error. */
  writeKilledTexts(): void {
    const text = Array.from(killedTexts, (one) => one()).join('');
    if (text === '') return;
    try {
      writeSync(2, text);
    } catch {
      // The terminal was closed, or the program that reads standard error has exited.
    }
  },
  /** Whether a group has a process that can receive signals, even if its leader has ended. */
  isGroupAlive(leader: number): boolean {
    try {
      return ownProcess.hasGroups && process.kill(-leader, 0);
    } catch {
      return false;
    }
  },
  /**
   * Returns the largest size in bytes of a file that this process may write (`ulimit -f`); undefined if there is no
   * limit, as on Windows.
   */
  fileSizeLimit(): number | undefined {
    const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
    const { excludeNetwork = false } = report;
    // The diagnostic report is the only place where Node reports limits. If it included the network, Node
    // would resolve the addresses of open connections.
    report.excludeNetwork = true;
    const { userLimits } = report.getReport() as {
      readonly userLimits?: { readonly file_size_blocks?: { readonly soft?: number | string } };
    };
    report.excludeNetwork = excludeNetwork;
    const soft = userLimits?.file_size_blocks?.soft;
    return typeof soft === 'number' ? soft : undefined;
  },
  /**
   * Ends this process when its standard input ends, even while native code blocks its main thread. Nothing else may read
   * the input.
   */
  endWithInput(): void {
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const untilEnd = `require('node:fs').readSync(0, Buffer.alloc(1)); process.kill(process.pid, 'SIGKILL');`;
    // Otherwise the thread would use the outputs of this process, which Node then opens as non-blocking.
    new Worker(untilEnd, { eval: true, stdout: true, stderr: true }).once('error', ownProcess.kill);
  },
  /** Ends this process immediately, even if a native call hangs and blocks `process.exit`. */
  kill: (): void => void process.kill(process.pid, 'SIGKILL'),
} as const;

/** Milliseconds until the stop signal takes effect, because another thread of the process may receive the signal. */
const stopMilliseconds = 50;

/**
 * Stops this process and the other programs of its command line until the shell continues them. Has no effect without a
 * shell that can continue them, and on Windows.
 */
export async function stopProcess(): Promise<void> {
  if (process.platform === 'win32') return;
  process.kill(0, 'SIGTSTP');
  // This timer fires after the process has resumed.
  await new Promise((resolve) => setTimeout(resolve, stopMilliseconds));
  readWindowSize();
}

/** A stopped process receives no signal if the window changes. Node reads the size at this signal. */
function readWindowSize(): void {
  process.kill(process.pid, 'SIGWINCH');
}

/**
 * Calls a function whenever this process continues after it was stopped, by default to read the size of the window again.
 * @returns a function that ends this
 */
export function followContinuation(onContinued: () => void = readWindowSize): () => void {
  if (process.platform === 'win32') return () => undefined;
  process.on('SIGCONT', onContinued);
  return () => void process.off('SIGCONT', onContinued);
}
