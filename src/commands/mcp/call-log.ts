import { open, readFile, rename, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { maskSecrets } from '../../platform/mask-secrets.ts';
import { requireOwn } from '../../platform/ownership.ts';
import { withProcessLock } from '../../platform/process-lock.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import type { CallOutcome, CallRow } from './call.rows.ts';
import { maskUserInfoIn } from '../../platform/user-info.ts';

/** Size in bytes at which a new file begins. The previous file remains, and older files are deleted. */
const maxBytes = 5_000_000;

/** A tool call to record. */
export interface LoggedCall {
  readonly client: string;
  readonly tool: string;
  readonly words: readonly string[];
  readonly outcome: CallOutcome;
  readonly exit: number | undefined;
}

type LogContext = Pick<Context, 'paths' | 'now' | 'sentSecrets'>;

/** The log of the tool calls of AI agents: a file with one JSON object per line, which only the user can read. */
export class CallLog {
  readonly #ctx: LogContext;
  readonly #file: string;
  #tail: Promise<void> = Promise.resolve();

  constructor(ctx: LogContext) {
    this.#ctx = ctx;
    this.#file = join(ctx.paths.state, 'mcp-calls.ndjson');
  }

  /** Appends a tool call. @throws {Error} if the call cannot be written; the caller must then not make a change. */
  add(call: LoggedCall): Promise<void> {
    const { words, exit, ...rest } = call;
    const row: CallRow = {
      time: new Date(this.#ctx.now()).toISOString(),
      ...rest,
      command: shellLine(words.map((word) => maskUserInfoIn(maskSecrets(word, this.#ctx.sentSecrets)))),
      ...(exit !== undefined && { exit }),
    };
    const written = this.#tail.then(() => this.#append(`${JSON.stringify(row)}\n`));
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** Returns the recorded tool calls, oldest first. A line that a crash truncated is skipped. */
  async read(): Promise<readonly CallRow[]> {
    const files = [`${this.#file}.1`, this.#file];
    for (const file of files) requireOwn(file);
    const texts = await Promise.all(files.map(textOf));
    return texts
      .join('\n')
      .split('\n')
      .flatMap((line) => rowIn(line) ?? []);
  }

  async #append(line: string): Promise<void> {
    makeFolder(this.#ctx.paths.state, 0o700);
    requireOwn(this.#file);
    if (await this.#isFull()) await this.#beginNewFile();
    const handle = await open(this.#file, 'a+', 0o600);
    try {
      const { size } = await handle.stat();
      if (size === 0) await handle.chmod(0o600);
      // After a line that a crash truncated, the record would become a part of that line.
      const isTruncated = size > 0 && !(await endsLine(handle, size));
      await handle.appendFile(isTruncated ? `\n${line}` : line);
    } finally {
      await handle.close();
    }
  }

  /** Another process may have begun a new file already, so the size is read again under a lock. */
  async #beginNewFile(): Promise<void> {
    await withProcessLock(`${this.#file}.lock`, {}, async () => {
      if (await this.#isFull()) await rename(this.#file, `${this.#file}.1`);
    });
  }

  async #isFull(): Promise<boolean> {
    return stat(this.#file).then(
      ({ size }) => size > maxBytes,
      () => false,
    );
  }
}

async function endsLine(handle: FileHandle, size: number): Promise<boolean> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() === '\n';
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

function rowIn(line: string): CallRow | undefined {
  try {
    return JSON.parse(line) as CallRow;
  } catch {
    return undefined;
  }
}
