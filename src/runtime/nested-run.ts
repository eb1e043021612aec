import { Interrupted } from '../errors/interrupted.ts';
import { parseJson } from '../platform/json.ts';
import { inputOf, sinkTo } from './captured.ts';
import type { Context } from './context.ts';

/** The result of a command line that was run for a tool of an agent, or for the page in the browser. */
export interface NestedResult {
  readonly exit: number;
  /**
   * The JSON document on stdout, in which a long integer is a string of its digits; undefined if there is no document, or if
   * the document is too long.
   */
  readonly result: unknown;
  readonly error: unknown;
  /** The lines on stderr other than the error. */
  readonly notes: readonly string[];
  /** IDs of the runs of changes that the command executed. */
  readonly runs: readonly string[];
  /** Length of the result in UTF-16 code units; present only if the result is too long. */
  readonly tooLong: number | undefined;
}

export interface NestedRunOptions {
  /** Members of the result to return; all if empty. */
  readonly fields?: readonly string[];
  readonly signal: AbortSignal;
  /** Standard input; empty by default. */
  readonly input?: string;
  /** The time to which relative times refer, in milliseconds since 1970; the current time if absent. */
  readonly baseTime?: number | undefined;
  /** Maximum length of the result in UTF-16 code units. */
  readonly mostResult?: number;
  /** Called with each line that the command writes to stderr. */
  readonly onNote?: (line: string) => void;
  /** Called with each piece of stdout, also of a result that is too long. */
  readonly onOutput?: (text: string) => void;
}

/** Default maximum length of a result in UTF-16 code units: more would fill the context of an agent. */
const maxResult = 400_000;

/** Exit codes of success: `changesPresent` (10) also means that the command did its work. */
const successes: ReadonlySet<number> = new Set([0, 10]);

/** Returns whether the command of a nested run did its work. */
export function isSuccess({ exit }: Pick<NestedResult, 'exit'>): boolean {
  return successes.has(exit);
}

/** Runs a command line in this process and reads its JSON output. */
export async function runNested(
  ctx: Context,
  words: readonly string[],
  { signal, onNote, onOutput, fields = [], input = '', baseTime, mostResult = maxResult }: NestedRunOptions,
): Promise<NestedResult> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort(new Interrupted('SIGINT'));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  const stdout = new Collected(mostResult, onOutput);
  const stderr = new Lines(onNote);
  const runs: string[] = [];
  try {
    const exit = await ctx.run([jsonFlag(fields), '--no-input', ...words], {
      streams: {
        stdin: inputOf(input),
        stdout: sinkTo(stdout),
        stderr: sinkTo(stderr),
        signal: interrupt.signal,
        onRun: (run) => runs.push(run),
      },
      baseTime,
    });
    return { exit, runs, ...readOutput(stdout, stderr.end()) };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function jsonFlag(fields: readonly string[]): string {
  return fields.length === 0 ? '--output=json' : `--json=${fields.join(',')}`;
}

function readOutput(stdout: Collected, lines: readonly string[]): Omit<NestedResult, 'exit' | 'runs'> {
  const errors = lines.flatMap((line) => errorIn(line) ?? []);
  const notes = lines.filter((line) => errorIn(line) === undefined);
  const tooLong = stdout.isFull ? stdout.length : undefined;
  return {
    result: tooLong === undefined ? jsonIn(stdout.text) : undefined,
    error: errors.at(-1),
    notes,
    tooLong,
  };
}

function errorIn(line: string): unknown {
  if (!line.startsWith('{"error":')) return undefined;
  return (jsonIn(line) as { readonly error?: unknown } | undefined)?.error;
}

function jsonIn(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Collects text up to a length, then only counts. */
class Collected {
  readonly #most: number;
  readonly #onText: ((text: string) => void) | undefined;
  readonly #pieces: string[] = [];
  length = 0;

  constructor(most: number, onText: ((text: string) => void) | undefined) {
    this.#most = most;
    this.#onText = onText;
  }

  add(text: string): void {
    this.length += text.length;
    this.#onText?.(text);
    if (this.isFull) this.#pieces.length = 0;
    else this.#pieces.push(text);
  }

  get isFull(): boolean {
    return this.length > this.#most;
  }

  get text(): string {
    return this.#pieces.join('');
  }
}

/** Splits text into lines as it is written. */
class Lines {
  readonly #lines: string[] = [];
  readonly #onLine: ((line: string) => void) | undefined;
  #rest = '';

  constructor(onLine: ((line: string) => void) | undefined) {
    this.#onLine = onLine;
  }

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
  }

  end(): readonly string[] {
    if (this.#rest !== '') this.#take(this.#rest);
    this.#rest = '';
    return this.#lines;
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    this.#lines.push(line);
    this.#onLine?.(line);
  }
}
