import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ownProcess } from '../../../platform/own-process.ts';

const shutdownMilliseconds = 2000;
/** Milliseconds to wait after SIGKILL for processes that left the group but still have the output open. */
const killWait = 500;
const pollInterval = 20;

/**
 * Starts a shell command in its own process group, so that `terminateGroup` also reaches its child processes and Ctrl-C
 * does not. Windows has no process groups, and a detached program would open a window there.
 */
export function spawnGroup(
  command: string,
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
): ChildProcess {
  const child = spawn(command, {
    ...options,
    shell: true,
    detached: ownProcess.hasGroups,
    windowsHide: true,
  });
  const { pid } = child;
  if (pid !== undefined) child.once('exit', ownProcess.ownGroup(pid));
  return child;
}

/**
 * Terminates a program of `spawnGroup` and its child processes: SIGTERM, then SIGKILL after 2 s. Resolves when the
 * output of the program is closed. If ucctl does not read the output, resolves when no process of the group is left.
 * Does not wait for processes that left the group, such as daemons.
 */
export async function terminateGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || isOver(child)) return;
  let isClosed = false;
  child.once('close', () => (isClosed = true));
  // The `close` event covers all processes that have the output open. Without piped output, the group
  // itself is checked. This check counts zombies, which some containers never reap.
  const isGone = (): boolean => isClosed && (child.stdout !== null || !ownProcess.isGroupAlive(pid));
  // The leader may end before the other processes of its group.
  let forget = ownProcess.ownGroup(pid);
  child.once('exit', () => (forget = ownProcess.ownGroup(pid)));
  signalTree(pid, 'SIGTERM');
  await until(isGone, shutdownMilliseconds);
  if (!isGone()) await killGroup(child, pid, isGone);
  forget();
}

async function killGroup(child: ChildProcess, pid: number, isGone: () => boolean): Promise<void> {
  signalTree(pid, 'SIGKILL');
  await until(isGone, killWait);
  if (isGone()) return;
  // Open streams would keep ucctl running.
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}

function signalTree(pid: number, signal: NodeJS.Signals): void {
  if (ownProcess.hasGroups) ownProcess.signalGroup(pid, signal);
  // Windows has no signals: taskkill ends the process tree immediately.
  else spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined);
}

async function until(isDone: () => boolean, milliseconds: number): Promise<void> {
  for (let left = milliseconds; !isDone() && left > 0; left -= pollInterval) await delay(pollInterval);
}

function isOver(child: ChildProcess): boolean {
  const isEnded = child.exitCode !== null || child.signalCode !== null;
  return isEnded && child.stdio.every((stream) => stream === null || stream === undefined || stream.closed);
}
