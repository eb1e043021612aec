import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';

/** What a few leaves must know of the process they run in. Everything else about it comes through System. */
export const ownProcess = {
  pid: process.pid,
  /** Milliseconds since some moment, which no change of the clock affects. `performance.now` would load nine modules of Node. */
  monotonicMilliseconds: (): number => process.uptime() * 1000,
  /** The Node that runs us, to start a child with. */
  executable: process.execPath,
  /** Undefined on Windows. */
  userId: process.getuid?.(),
  /** Home folder of the user whose process this is, whatever HOME says; undefined when the system knows none. */
  homeFolder(): string | undefined {
    try {
      return userInfo().homedir;
    } catch {
      return undefined;
    }
  },
  /** Where native code of this process looks for the session bus; a changed `System.env` does not reach it. */
  sessionBus: process.env['DBUS_SESSION_BUS_ADDRESS'],
  /** Whether a process of this machine is there; one of another user counts. */
  isAlive(pid: number): boolean {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  },
  /** Whether a process was stopped (Ctrl-Z, SIGSTOP) and waits to be told to go on. Seen on Linux only. */
  isSuspended(pid: number): boolean {
    try {
      // The name of the program comes first, in brackets, and may hold anything.
      return /^.*\) [Tt] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  },
  /** Whether processes form groups that can be signalled; not on Windows. */
  hasGroups: process.platform !== 'win32',
  /** Signals a process that leads a group of its own, and all of that group. */
  signalGroup(leader: number, signal: NodeJS.Signals): void {
    try {
      process.kill(-leader, signal);
    } catch (error) {
      // EPERM: of a group that is ended and waited for (macOS), or of another user by now.
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  },
  /** Whether anybody is left in the group of a leader, who may be gone, that we may signal. */
  isGroupAlive(leader: number): boolean {
    try {
      return ownProcess.hasGroups && process.kill(-leader, 0);
    } catch {
      return false;
    }
  },
  /** Ends at once, also when a native call hangs and `process.exit` cannot end it. */
  kill: (): void => void process.kill(process.pid, 'SIGKILL'),
} as const;
