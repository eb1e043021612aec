/** An output stream of the process. */
export interface Sink {
  readonly isTerminal: boolean;
  /** Width in columns; undefined if it is not a terminal. */
  readonly columns: number | undefined;
  /** Height in lines; undefined or absent if it is not a terminal. */
  readonly rows?: number | undefined;
  /**
   * Resolves when the reader can accept more. Rejects with code EPIPE if the reader has closed the stream. `onWritten`
   * is called before `write` returns if the
   * operating system has accepted the whole text by then (a file or a pipe), else never.
   */
  write(text: string, onWritten?: () => void): Promise<void>;
  /**
   * Calls `onGone` once when the reader closes the stream, even if nothing is written. Returns a function that stops
   * watching. Absent if the reader cannot be
   * watched, e.g. for a terminal.
   */
  readonly onReaderGone?: ((onGone: () => void) => () => void) | undefined;
  /**
   * Reads at most `count` bytes from the end of the file that the stream writes to; none if the stream does not write
   * to a file, or the file cannot be read.
   */
  readonly lastBytes?: ((count: number) => Promise<Uint8Array>) | undefined;
  /** The terminal stream, for spinners and prompts; absent in tests and pipes. */
  readonly stream?: NodeJS.WriteStream | undefined;
}

/** Standard input, for `--password-stdin`, `-f -` and the like. */
export interface Input {
  readonly isTerminal: boolean;
  /** Returns the whole input, decoded as UTF-8. */
  text(): Promise<string>;
  /** Lines as they arrive, without line breaks; the writer may keep the pipe open. */
  lines(): AsyncGenerator<string, void, undefined>;
  /** Returns the whole input as bytes, for lists whose encoding is checked. */
  bytes(): Promise<Uint8Array>;
  /** The terminal that standard input reads from, for prompts; absent in tests and pipes. */
  readonly stream?: NodeJS.ReadStream;
}

/** How another command line is run in this process. */
export interface NestedRun {
  /** Keeps stdout free for other results. */
  readonly resultsToStderr?: boolean;
  /** Replaces streams and signal. The flags about results are not passed to it, because the caller reads the results. */
  readonly streams?: NestedStreams;
  /** The time to which relative times refer, in milliseconds since 1970; the current time if absent. */
  readonly baseTime?: number | undefined;
}

/** The streams of a nested command line whose output is read by its caller. */
export interface NestedStreams {
  readonly stdin: Input;
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** Aborted to interrupt the nested command line. Its reason is `Interrupted`. */
  readonly signal: AbortSignal;
  /** Called with the ID of each run of changes that the nested command line executes. */
  readonly onRun?: (run: string) => void;
  /** Called when a board of the nested command line no longer shows the present, with the reason. */
  readonly onOutdated?: (reason: string) => void;
}
