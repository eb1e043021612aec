import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ownProcess } from '../../platform/own-process.ts';
import type { Context, Paths } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import type { ReadyFile } from '../../sandbox/index.ts';
import { fileFailureReason } from '../../platform/file-failure.ts';

/**
 * Returns the record by which other commands find the sandbox of a process. Each sandbox has a separate record, so that
 * several sandboxes can run at the same time.
 */
export function recordFile(paths: Paths, pid: number): string {
  return join(recordFolder(paths), `${pid}.json`);
}

function recordFolder(paths: Paths): string {
  return join(paths.state, 'sandboxes');
}

/**
 * Finds the sandbox for a command: the sandbox of the ready file, of --base-url, or of UCCTL_BASE_URL if this sandbox
 * is running; otherwise the most recently started sandbox that is running.
 * @throws {CommandError} `sandbox_not_running` if there is none, `ready_file_broken` for a file that is not a ready
 * file.
 */
export async function findSandbox(
  ctx: Pick<Context, 'paths' | 'settings'>,
  readyFile: string | undefined,
): Promise<ReadyFile> {
  if (readyFile !== undefined) return readReadyFile(readyFile);
  const folder = recordFolder(ctx.paths);
  const names = await readdir(folder).catch(() => []);
  const alive = names.filter((name) => ownProcess.isAlive(Number.parseInt(name, 10)));
  const dated = await Promise.all(
    alive.map(async (name) => ({ name, time: (await stat(join(folder, name))).mtimeMs })),
  );
  const newestFirst = dated.toSorted((a, b) => b.time - a.time);
  const running = await Promise.all(newestFirst.map(async ({ name }) => readReadyFile(join(folder, name))));
  const [newest] = running;
  if (!newest) throw notRunning('no sandbox is running');
  const { value, origin } = ctx.settings.baseUrl;
  const named = running.find(({ url }) => value !== undefined && sameOrigin(url, value));
  if (named && (origin === 'flag' || origin === 'environment')) return named;
  if (origin === 'flag') throw notRunning(`no sandbox is running at ${value}`);
  // UCCTL_BASE_URL may contain the address of the service or of a stopped sandbox, so an address without a running
  // sandbox is not an error.
  return newest;
}

function sameOrigin(one: string, other: string): boolean {
  return URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

async function readReadyFile(file: string): Promise<ReadyFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw notRunning(`cannot read the ready file ${file}: ${fileFailureReason(error)}`, error);
  });
  const ready = parse(text);
  if (typeof ready?.url === 'string' && typeof ready.clientId === 'string' && Array.isArray(ready.users))
    return ready;
  throw new CommandError('ready_file_broken', Exit.local, `${file} is not a valid sandbox ready file`, {
    hint: nextStep`to write a ready file: ${ucctl('sandbox start --ready-file FILE')}`,
  });
}

function notRunning(message: string, cause?: unknown): CommandError {
  return new CommandError('sandbox_not_running', Exit.local, message, {
    hint: nextStep`to start a sandbox in another terminal: ${ucctl('sandbox start')}`,
    cause,
  });
}

/** Removes the record of this process. A record that a later sandbox has written to the same file is not removed. */
export async function removeRecord(file: string, pid: number): Promise<void> {
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
