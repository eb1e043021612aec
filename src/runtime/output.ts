import type { CommandText, Hint } from '../errors/hint.ts';
export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'tsv' | 'yaml';

/** Whether a format writes a record as a document, whose members have the names of JSON fields. All other formats are tables. */
export function writesDocument(format: OutputFormat): boolean {
  return format === 'json' || format === 'ndjson' || format === 'yaml';
}

/** The value of a table cell; null and undefined are shown as empty. */
export type CellValue = string | number | bigint | boolean | null | undefined;

/** The presentation of a column on a terminal. Other formats use the plain value. */
export type ColumnKind =
  | 'text'
  | 'id'
  | 'number'
  | 'phone'
  | 'time' // ISO 8601; short on a terminal, full in UTC elsewhere
  | 'status'; // colored by meaning

/** One column of a list, and one member of `--fields`. */
export interface Column<T> {
  /** Name for `--fields` and the csv header. */
  readonly key: string;
  /** Heading of the table. */
  readonly title: string;
  readonly kind?: ColumnKind;
  readonly value: (row: T) => CellValue;
  /** The value in a table, if it differs: a name with its number instead of the number. */
  readonly shown?: (row: T) => CellValue;
  /**
   * Whether another column of a table shows this value. Tables then show this column only if it is selected by name.
   */
  readonly isIncluded?: boolean;
  /** The value by which a board sorts this column, if it is not the value that is shown. */
  readonly order?: (row: T) => CellValue;
  /** Importance: columns with low numbers are hidden first on a narrow terminal. */
  readonly priority?: number;
  /** Minimum width, if it differs from the default for cells of several words. Less important columns are hidden first. */
  readonly least?: number;
  /** Whether values are never truncated, because a part of a value is useless, e.g. of an ID. */
  readonly whole?: boolean;
  /**
   * For sentences, such as the text of a message: the column gets the remaining width first, and its cells are wrapped to
   * at most this many lines; `true` for any number.
   */
  readonly folds?: true | number;
  /**
   * For values without which a row cannot be understood, such as the caller: if the column does not fit the terminal,
   * the value is shown on a separate line below the row, after this text.
   */
  readonly below?: string;
  /**
   * For names, which may be equal: key of the column that tells them apart, e.g. the extension number. If that column does not fit
   * the terminal, its value follows names that are equal, or that look equal after truncation.
   */
  readonly apartBy?: string;
}

/** A paragraph on a terminal. Line breaks in the text are preserved, and long lines are wrapped. */
export interface Paragraph {
  readonly text: string;
  /** Number of spaces before each line. */
  readonly indent?: number;
  readonly style?: 'bad' | 'dim' | 'strong';
}

/** How records of one type are shown as table, csv and tsv; json and yaml show the record itself. */
export interface View<T> {
  readonly columns: readonly Column<T>[];
  /** The text for an empty list on a terminal, e.g. `No queues.`; '' if the command has already said so. */
  readonly empty?: Hint;
  /** The command that shows hidden columns again, for commands that must not be repeated. */
  readonly again?: CommandText;
  /** For lists that are not a table on a terminal, unless `--fields` selects columns. Times are in `zone`, by default UTC. */
  readonly prose?: (rows: readonly T[], zone?: string) => readonly Paragraph[];
  /** For live streams: called when the operating system has accepted the newest row, so that a kill cannot lose it. Not called if that is unknown. */
  readonly onWritten?: () => void;
  /** For live streams as NDJSON: a text member that is unique to each row. Rows at the end of an existing file are not written again. */
  readonly unique?: string;
  /**
   * For live streams on a terminal: the line of an event, or its lines if it was wrapped. Times are in `zone`, by default UTC. `columns` is the present
   * width of the terminal; undefined for unlimited.
   */
  readonly line?: (row: T, zone?: string, columns?: number) => string | readonly string[];
}

/** One state of a board. */
export interface BoardScreen<T> {
  /** The line above the rows. */
  readonly title: string;
  readonly rows: readonly T[];
  /** The line below the rows: source and time of the data. The board adds how to exit. */
  readonly footer: string;
  /** Terms of the board with their meanings, for its help (`?`). */
  readonly help?: readonly (readonly [term: string, meaning: string])[] | undefined;
  /** Explanations of cells on this screen, below the rows. Each is shown while its column is. */
  readonly notes?: readonly { readonly column: string; readonly text: string }[] | undefined;
  /** The rows that differ from the previous screen, for line output and pipes. */
  readonly changed: readonly T[];
}
export interface BoardOptions {
  /** Restores the terminal at once when aborted. */
  readonly signal?: AbortSignal;
}

/** An entry of the structured log, such as the end of a task. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  /** What the entry is about, such as `task`, `event`, `extensionId` and `run`. Never a secret. */
  readonly [field: string]: string | number | boolean | null | object | undefined;
}

/**
 * The output of a command. Commands pass results; the format was chosen before they run. Only results go to stdout,
 * everything else goes to stderr.
 */
export interface Output {
  readonly format: OutputFormat;
  /** `--csv-raw`: formulas in CSV are not escaped, neither on stdout nor in files. */
  readonly csvRaw: boolean;
  /** Time zone for displayed times (`--tz`) in text outside of columns; undefined for UTC. */
  readonly zone: string | undefined;
  /** Whether stdout is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal, for drawn text such as charts; undefined if stdout is not a terminal. */
  readonly columns: number | undefined;
  /** Writes a list: one document in json, streamed in the line formats. */
  list<T extends object>(rows: Iterable<T> | AsyncIterable<T>, view: View<T>): Promise<void>;
  /** Writes one record: an object in json, a two-column table on a terminal. */
  record<T extends object>(row: T, view: View<T>): Promise<void>;
  /** Writes live events as they arrive: lines on a terminal, NDJSON in a pipe. */
  stream<T extends object>(rows: AsyncIterable<T>, view: View<T>): Promise<void>;
  /** Writes finished text to stdout, for results that are text. */
  text(finished: string): Promise<void>;
  /** Yields rows until the reader of stdout closes the pipe, and then throws ClosedPipe. */
  untilReaderGone<T>(rows: AsyncIterable<T>): AsyncIterable<T>;
  /**
   * Writes a line to stderr: what happened, what to do next. Hidden by `--quiet`. A board shows `onBoard` instead, for
   * texts that would be out of date while they are shown.
   */
  note(text: Hint, onBoard?: string): void;
  /** Writes a warning to stderr, also under `--quiet`. */
  warn(text: Hint): void;
  /**
   * Registers a warning, which is written to stderr if a second signal ends the process.
   * @returns a function that removes the warning
   */
  warnIfKilled(text: () => Hint): () => void;
  /** Writes an entry of the structured log to stderr. Only with `--log-format json`. */
  log(entry: LogEntry): void;
  /** Writes essential text to stderr, also under `--quiet`: a URL to open, a requested trace, skipped rows. */
  show(text: Hint): void;
  /** Writes the subject of a confirmation to stderr: a plan, a diff, a text. Hidden by `--quiet` if no question follows (`--yes`, `--dry-run`). */
  preview(text: string): void;
  /**
   * Shows a live view: redrawn in place on a terminal; a line for each change under `--accessible`, TERM=dumb or another format;
   * NDJSON in a pipe and for `-o json`. Ends when `screens` ends, or when the user quits with `q` or Ctrl-C. These keys
   * do not abort the signal of the run, because the terminal sends no signal while keys are read.
   * @returns whether the user quit with a key or closed the terminal
   */
  board<T extends object>(
    screens: AsyncIterable<BoardScreen<T>>,
    view: View<T>,
    options?: BoardOptions,
  ): Promise<boolean>;
  /**
   * Runs `work` under a spinner on a terminal. `update` shows progress next to the spinner and its parts on lines below. Without a spinner,
   * the progress is a line every 10 s.
   */
  progress<T>(
    label: string,
    work: (update: (text: string, parts?: readonly string[]) => void) => Promise<T>,
  ): Promise<T>;
  /** Marks a text with a style for messages. */
  style(kind: 'good' | 'bad' | 'warning' | 'dim' | 'strong', text: string): string;
}
