import { readFile, stat } from 'node:fs/promises';
import { isNullDevice } from './atomic-file.ts';
import { machineName } from './machine-name.ts';
import { ownProcess } from './own-process.ts';
import { deleteFile } from './delete-file.ts';

/** The members by which a JSON file names the process that wrote it. */
export interface ProcessMark {
  readonly pid: number;
  /** The name of `machineName`, because a process ID can belong to another process after a restart. */
  readonly machine: string;
}

export function ownMark(): ProcessMark {
  return { pid: ownProcess.pid, machine: machineName() };
}

/** Whether a value that was read from a file names a running process of this machine. */
export function isOfRunningProcess(value: unknown): boolean {
  const { pid, machine } = (value ?? {}) as Partial<Record<keyof ProcessMark, unknown>>;
  return typeof pid === 'number' && machine === machineName() && ownProcess.isAlive(pid);
}

/**
 * Removes a file that an earlier process has left. A file of another running process is not removed.
 * @throws the error of the system, with the path of the file; `ESPIPE` for a pipe or device, which must not be removed
 */
export async function removeStaleFile(file: string): Promise<void> {
  if (await isNullDevice(file)) return;
  const value = await contentOf(file);
  const { pid } = (value ?? {}) as Partial<ProcessMark>;
  if (pid !== ownProcess.pid && isOfRunningProcess(value)) return;
  await deleteFile(file);
}

/** Removes a file of this process. A file that another process has written to the same path is not removed. */
export async function removeOwnFile(file: string): Promise<void> {
  const { pid, machine } = ((await contentOf(file)) ?? {}) as Partial<ProcessMark>;
  const own = ownMark();
  if (pid === own.pid && machine === own.machine) await deleteFile(file);
}

/** Returns the JSON value in a regular file; undefined if there is none. */
async function contentOf(file: string): Promise<unknown> {
  try {
    return (await stat(file)).isFile() ? JSON.parse(await readFile(file, 'utf8')) : undefined;
  } catch {
    return undefined;
  }
}
