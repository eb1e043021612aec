import { appendFile, chmod, readFile, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../platform/make-folder.ts';
import { maskSecrets } from '../../platform/mask-secrets.ts';
import { shellLine } from '../../platform/shell-quoted.ts';
import type { Context } from '../../runtime/context.ts';
import type { CallOutcome, CallRow } from './call.rows.ts';

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

/** The log of the tool calls of AI agents: a file with one JSON object per line, which only the user can read. */
export class CallLog {
  readonly #ctx: Context;
  readonly #file: string;
  #tail: Promise<void> = Promise.resolve();

  constructor(ctx: Context) {
    this.#ctx = ctx;
    this.#file = join(ctx.paths.state, 'mcp-calls.ndjson');
  }

  /** Appends a tool call. @throws {Error} if the call cannot be written; the caller must then not make a change. */
  add(call: LoggedCall): Promise<void> {
    const { words, exit, ...rest } = call;
    const row: CallRow = {
      time: new Date(this.#ctx.now()).toISOString(),
      ...rest,
      command: shellLine(words.map((word) => maskSecrets(word, this.#ctx.sentSecrets))),
      ...(exit !== undefined && { exit }),
    };
    const written = this.#tail.then(() => this.#append(`${JSON.stringify(row)}\n`));
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** Returns the recorded tool calls, oldest first. A line that a crash truncated is skipped. */
  async read(): Promise<readonly CallRow[]> {
    const texts = await Promise.all([`${this.#file}.1`, this.#file].map(textOf));
    return texts
      .join('')
      .split('\n')
      .flatMap((line) => rowIn(line) ?? []);
  }

  async #append(line: string): Promise<void> {
    makeFolder(this.#ctx.paths.state, 0o700);
    const size = await stat(this.#file).then(
      (found) => found.size,
      () => 0,
    );
    if (size > maxBytes) await rename(this.#file, `${this.#file}.1`);
    await appendFile(this.#file, line, { mode: 0o600 });
    if (size === 0) await chmod(this.#file, 0o600);
  }
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
