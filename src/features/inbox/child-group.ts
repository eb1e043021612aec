import type { ChildProcess } from 'node:child_process';
import { ownProcess } from '../../platform/own-process.ts';

const farewell = 2000;
/** After a kill, for what has left the group and holds the output still. */
const lastWait = 500;

/**
 * Ends a program of the user, which leads a group of its own (`detached`), and what it started: by SIGTERM, after 2 s by SIGKILL. Resolves when
 * nobody holds its output any more; what has left the group, as a daemon does, is not waited for.
 */
export async function endGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined || isOver(child)) return;
  const timers: NodeJS.Timeout[] = [];
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    ownProcess.signalGroup(pid, 'SIGTERM');
    const cut = (): void => {
      ownProcess.signalGroup(pid, 'SIGKILL');
      timers.push(setTimeout(resolve, lastWait));
    };
    timers.push(setTimeout(cut, farewell));
  });
  for (const timer of timers) clearTimeout(timer);
  // Held open, they would keep this process from ending.
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}

function isOver(child: ChildProcess): boolean {
  const isEnded = child.exitCode !== null || child.signalCode !== null;
  return isEnded && child.stdio.every((stream) => stream === null || stream === undefined || stream.closed);
}
