/** The formats of results. */
export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv' | 'yaml';

/** What a cell of a table holds; empty for null and undefined. */
export type CellValue = string | number | bigint | boolean | null | undefined;

/** How a column reads on a terminal. Other formats take the plain value. */
export type ColumnKind =
  | 'text'
  | 'id'
  | 'number'
  | 'phone'
  | 'time' // ISO 8601; shown relative on a terminal, full in UTC elsewhere
  | 'status'; // coloured by meaning, never by colour alone

/** One column of a list, and one member of `--fields`. */
export interface Column<T> {
  /** Name for `--fields` and the csv header. */
  readonly key: string;
  /** Heading of the table. */
  readonly title: string;
  readonly kind?: ColumnKind;
  readonly value: (row: T) => CellValue;
  /** Left out of the table when the terminal is narrow; low numbers go first. */
  readonly priority?: number;
  /** Others are left out before it becomes narrower than this, where 8 say too little: a telephone number with a name. */
  readonly least?: number;
  /** Never cut: a part of it is of no use, e.g. an id to be copied. */
  readonly whole?: boolean;
  /** Goes on below where it is wider than its column of a terminal, instead of being cut: text that says what to do. */
  readonly folds?: boolean;
}

/** How records of one type are shown as table, csv and tsv; json and yaml take the record itself. */
export interface View<T> {
  readonly columns: readonly Column<T>[];
  /** For an empty list on a terminal, e.g. `No queues.` */
  readonly empty?: string;
  /** For live streams: the newest row is with the system, which a kill no longer undoes; not called where that is not known. */
  readonly onTaken?: () => void;
  /** For live streams as NDJSON: a member with a text that no two rows share. Rows that a file ends with already are not written to it again. */
  readonly unique?: string;
  /** For live streams on a terminal: one event, one line. Times are those of `zone`; UTC without one. */
  readonly line?: (row: T, zone?: string) => string;
}

/** One state of a board. */
export interface BoardFrame<T> {
  /** Above the rows, a line. */
  readonly title: string;
  readonly rows: readonly T[];
  /** Below the rows, a line: counts, how fresh it is, how to leave. */
  readonly footer: string;
  /** What differs from the frame before, with when it came to be: for line-wise views and pipes. */
  readonly changed: readonly T[];
}
export interface BoardOptions {
  /** Aborted: the terminal is given back at once. */
  readonly signal?: AbortSignal;
}

/**
 * The one way to the user. Commands hand over results; the format was chosen before they ran. stdout carries result data only;
 * everything else goes to stderr.
 */
export interface Output {
  readonly format: OutputFormat;
  /** `--csv-raw`: no guards in CSV, neither on stdout nor in files. */
  readonly csvRaw: boolean;
  /** Time zone of the times shown (`--tz`); UTC when undefined. For text that is not made of columns. */
  readonly zone: string | undefined;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Width of that terminal, for text that is drawn by nature; undefined when it is none. */
  readonly columns: number | undefined;
  /** A list: one valid document in json, streamed in the line formats. */
  list<T extends object>(rows: Iterable<T> | AsyncIterable<T>, view: View<T>): Promise<void>;
  /** One thing: an object in json, a two-column table on a terminal. */
  record<T extends object>(row: T, view: View<T>): Promise<void>;
  /** Live events: lines on a terminal, NDJSON when piped, each flushed as it comes. */
  stream<T extends object>(rows: AsyncIterable<T>, view: View<T>): Promise<void>;
  /** Finished text for stdout, where the result is text by nature. */
  text(finished: string): Promise<void>;
  /** A line for people on stderr: what happened, what to do next. Silent under `--quiet`. */
  note(text: string): void;
  /** As `note`, not silenced. */
  warn(text: string): void;
  /** What the command is for and no result, on stderr, also under `--quiet`: a URL to open, a trace that was asked for, what is refused. */
  show(text: string): void;
  /** What a question is about: a plan, a diff, a text. Silent under `--quiet` where no question follows (`--yes`, `--dry-run`). */
  preview(text: string): void;
  /**
   * A live view of things that change: redrawn in place on a terminal; a line for each change where that is not wanted or not possible
   * (`--accessible`, TERM=dumb, another format), NDJSON when piped, under `-o json` too. Ends when `frames` ends.
   */
  board<T extends object>(
    frames: AsyncIterable<BoardFrame<T>>,
    view: View<T>,
    options?: BoardOptions,
  ): Promise<void>;
  /**
   * Runs `work` under a spinner on a terminal, else silently. Work that says how far it is through `update` shows that beside the spinner and
   * the parts of it on lines below, or the first alone every 10 s where there is no terminal, or nothing that moves is wanted.
   */
  progress<T>(
    label: string,
    work: (update: (text: string, parts?: readonly string[]) => void) => Promise<T>,
  ): Promise<T>;
  /** Whether a note or a warning came out as a line already; used by tests and by live views. */
  style(kind: 'good' | 'bad' | 'warning' | 'dim' | 'strong', text: string): string;
}
