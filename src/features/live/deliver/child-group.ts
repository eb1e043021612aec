import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { ownProcess } from '../../../platform/own-process.ts';

const shutdownMilliseconds = 2000;
/** After a kill, for processes that left the group and still have the output open. */
const lastWait = 500;
const betweenLooks = 20;

/**
 * Starts a command of the shell, which leads a group of its own: what it starts is ended with it, and by us, not by Ctrl-C. On Windows, which has
 * no groups, a detached program would open a window.
 */
export function spawnGroup(
  command: string,
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
): ChildProcess {
  return spawn(command, { ...options, shell: true, detached: ownProcess.hasGroups, windowsHide: true });
}

/**
 * Ends a program of `spawnGroup` and what it started: by SIGTERM, after 2 s by SIGKILL. Resolves when nobody has its output open any more,
 * or nobody of the group is left where that is not ours; what has left the group, as a daemon does, is not waited for.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || isOver(child)) return;
  let isClosed = false;
  child.once('close', () => (isClosed = true));
  // Where we read its output, `close` says it of all. Elsewhere the group is asked, in which the dead count until somebody takes notice of them: in
  // some containers nobody does.
  const isGone = (): boolean => isClosed && (child.stdout !== null || !ownProcess.isGroupAlive(pid));
  endTree(pid, 'SIGTERM');
  await until(isGone, shutdownMilliseconds);
  if (isGone()) return;
  endTree(pid, 'SIGKILL');
  await until(isGone, lastWait);
  // Left open, they would keep this process from ending.
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}

function endTree(pid: number, signal: NodeJS.Signals): void {
  if (ownProcess.hasGroups) ownProcess.signalGroup(pid, signal);
  // No signals either: it ends at once, with what it started.
  else spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore' }).on('error', () => undefined);
}

async function until(isDone: () => boolean, milliseconds: number): Promise<void> {
  for (let left = milliseconds; !isDone() && left > 0; left -= betweenLooks) await delay(betweenLooks);
}

function isOver(child: ChildProcess): boolean {
  const isEnded = child.exitCode !== null || child.signalCode !== null;
  return isEnded && child.stdio.every((stream) => stream === null || stream === undefined || stream.closed);
}
