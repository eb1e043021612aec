import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Paths } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../runtime/errors.ts';
import type { ReadyFile } from '../../sandbox/index.ts';

/** Where a running sandbox leaves word for `sandbox env`. */
export function recordFile(paths: Paths): string {
  return join(paths.state, 'sandbox.json');
}

/**
 * Reads what a sandbox wrote when it was ready.
 * @throws {CommandError} `sandbox_not_running` when there is no such file, `ready_file_broken` when it is none of ours.
 */
export async function readReadyFile(file: string): Promise<ReadyFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandError('sandbox_not_running', Exit.local, `no sandbox has left word in ${file}`, {
      hint: 'start one in another terminal: ucctl sandbox start',
      cause: error,
    });
  });
  const ready = parse(text);
  if (typeof ready?.url === 'string' && typeof ready.clientId === 'string' && Array.isArray(ready.users))
    return ready;
  throw new CommandError('ready_file_broken', Exit.local, `${file} is not the ready file of a sandbox`);
}

/** Removes the word of the sandbox with this process id, and of no other: one started later may have taken its place. */
export async function forgetSandbox(file: string, pid: number): Promise<void> {
  const ready = parse(await readFile(file, 'utf8').catch(() => ''));
  if (ready?.pid === pid) await rm(file, { force: true });
}

function parse(text: string): ReadyFile | undefined {
  try {
    return JSON.parse(text) as ReadyFile;
  } catch {
    return undefined;
  }
}
