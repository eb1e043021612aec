import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isOfRunningProcess, ownMark } from '../../platform/process-file.ts';
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

/** Returns the content of a record or ready file: what `ready` says, and the machine of the process. */
export function recordText(ready: ReadyFile): string {
  return `${JSON.stringify({ ...ready, ...ownMark() }, undefined, 2)}\n`;
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
  const records = await Promise.all(names.map(async (name) => runningRecord(join(folder, name))));
  const newestFirst = records.flat().toSorted((a, b) => b.time - a.time);
  const running = newestFirst.map(({ ready }) => ready);
  const [newest] = running;
  if (!newest) throw notRunning('no sandbox is running');
  const { value, origin } = ctx.settings.baseUrl;
  const named = running.find((ready) => value !== undefined && isAt(ready, value));
  if (named && (origin === 'flag' || origin === 'environment')) return named;
  if (origin === 'flag') throw notRunning(`no sandbox is running at ${value}`);
  // UCCTL_BASE_URL may contain the address of the service or of a stopped sandbox, so an address without a running
  // sandbox is not an error.
  return newest;
}

/** Whether an address is the local address or the public URL of a sandbox. */
function isAt({ url, publicUrl = url }: ReadyFile, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin } = new URL(address);
  return [url, publicUrl].some((one) => new URL(one).origin === origin);
}

interface DatedRecord {
  readonly ready: ReadyFile;
  /** When the sandbox wrote the record, in milliseconds since 1970. */
  readonly time: number;
}

/** Returns the record of a running sandbox in a list. The sandbox may remove the record at any time. */
async function runningRecord(file: string): Promise<readonly DatedRecord[]> {
  try {
    const ready = parse(await readFile(file, 'utf8'));
    return ready && isOfRunningProcess(ready) ? [{ ready, time: (await stat(file)).mtimeMs }] : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
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

function parse(text: string): ReadyFile | undefined {
  try {
    return JSON.parse(text) as ReadyFile;
  } catch {
    return undefined;
  }
}
