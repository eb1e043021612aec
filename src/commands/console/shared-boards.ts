import { LineQueue } from '../../platform/line-queue.ts';
import type { Context } from '../../runtime/context.ts';
import type { BackgroundWork } from './background-work.ts';
import { boardLines, type PageLine } from './board-lines.ts';

/**
 * Milliseconds for which a board continues without readers. A user who returns to a tab finds the durations and needs no
 * requests.
 */
const lingerMilliseconds = 300_000;

/** The boards of queues. All tabs with the board of a queue share one. */
export class SharedBoards {
  readonly #ctx: Context;
  readonly #background: BackgroundWork;
  readonly #boards = new Map<string, SharedBoard>();

  constructor(ctx: Context, background: BackgroundWork) {
    this.#ctx = ctx;
    this.#background = background;
  }

  /** Yields the lines of a board until the signal aborts: first one for each person, then one for each change. */
  async *read(queue: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    if (signal.aborted) return;
    const known = this.#boards.get(queue);
    const board = known && !known.isOver ? known : this.#start(queue);
    const reader = board.join();
    const leave = (): void => reader.end();
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* reader;
    } finally {
      signal.removeEventListener('abort', leave);
      board.leave(reader);
    }
  }

  #start(queue: string): SharedBoard {
    const board = new SharedBoard(this.#ctx);
    this.#boards.set(queue, board);
    this.#background.add(board.run((signal) => boardLines(this.#ctx, queue, signal)));
    return board;
  }
}

/** One run of `queue watch`, for any number of readers. */
class SharedBoard {
  readonly #ctx: Context;
  readonly #end = new AbortController();
  /** The newest line of each person, by ID. */
  readonly #lines = new Map<string, string>();
  readonly #readers = new Set<LineQueue<string>>();
  #linger = new AbortController();

  constructor(ctx: Context) {
    this.#ctx = ctx;
  }

  /** Whether the board ends or has ended, so that a reader would receive nothing. */
  get isOver(): boolean {
    return this.#end.signal.aborted;
  }

  /** Passes the lines to the readers until the board ends. */
  async run(lines: (signal: AbortSignal) => AsyncIterable<PageLine>): Promise<void> {
    try {
      for await (const line of lines(AbortSignal.any([this.#ctx.signal, this.#end.signal]))) this.#pass(line);
    } finally {
      this.#over();
    }
  }

  /** Adds a reader, who first receives the known lines. */
  join(): LineQueue<string> {
    this.#linger.abort();
    const reader = new LineQueue<string>();
    for (const line of this.#lines.values()) reader.add(line);
    this.#readers.add(reader);
    return reader;
  }

  leave(reader: LineQueue<string>): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0 && !this.isOver) void this.#endLater();
  }

  #pass({ text, extensionId, state }: PageLine): void {
    for (const reader of this.#readers) reader.add(text);
    if (extensionId === undefined) this.#over();
    else if (state === 'removed') this.#lines.delete(extensionId);
    else this.#lines.set(extensionId, text);
  }

  /** Ends the board for its readers. `queue watch` may need some seconds to end, and nobody must join the old states. */
  #over(): void {
    this.#end.abort();
    this.#linger.abort();
    for (const reader of this.#readers) reader.end();
  }

  async #endLater(): Promise<void> {
    this.#linger = new AbortController();
    const { signal } = this.#linger;
    await this.#ctx.sleep(lingerMilliseconds, signal).catch(() => undefined);
    if (!signal.aborted) this.#end.abort();
  }
}
