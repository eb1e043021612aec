import type { LogEntry } from '../runtime/output.ts';
import type { BoardNotices } from './board.ts';
import { wantsColor } from './color.ts';
import { isolateRuns } from '../platform/isolate.ts';
import { showsSpinner } from './motion.ts';
import type { OutputSettings } from './output-settings.ts';
import { loadPaint, StyleMarks } from './paint.ts';
import { everyTenSeconds } from './progress-lines.ts';
import { type Spinner, startSpinner } from './spinner.ts';
import { timeOfDay } from '../platform/moment.ts';
import { ownProcess } from '../platform/own-process.ts';
import { type Hint, hintText } from '../errors/hint.ts';

const ascii = /^[\0-\u007F]*$/;

/** Maximum number of warnings that ucctl repeats after a board closes; only the newest are repeated. */
const maxWarnings = 5;

/** Work that reports its progress. */
type ReportingWork<T> = (update: (text: string, parts?: readonly string[]) => void) => Promise<T>;

interface SayOptions {
  readonly lines?: boolean;
  readonly onBoard?: string | undefined;
}

interface Message {
  readonly text: string;
  readonly lines: boolean;
  readonly onBoard: string;
}

/** Writes messages to stderr in order, together with a spinner or board. */
export class Messages {
  readonly marks = new StyleMarks();
  readonly #settings: OutputSettings;
  #written: Promise<void> = Promise.resolve();
  #spinner: Spinner | undefined;
  /** Set while a board is shown and stderr is a terminal. */
  #notices: BoardNotices | undefined;

  constructor(settings: OutputSettings) {
    this.#settings = settings;
  }

  /** Resolves when all messages so far are written to stderr. */
  settled(): Promise<void> {
    return this.#written;
  }

  /**
   * Writes a text and escapes its control characters; `lines` preserves line breaks. A board shows `onBoard` instead.
   */
  say(text: string, { lines = false, onBoard = text }: SayOptions = {}): void {
    if (this.#settings.logFormat === 'json') return this.log({ level: 'info', message: text });
    this.#written = this.#sayAfter(this.#written, { text, lines, onBoard });
  }

  /** Writes an entry of the structured log, if messages are written as such. */
  log(entry: LogEntry): void {
    const { logFormat, stderr, sentSecrets } = this.#settings;
    if (logFormat !== 'json') return;
    const at = this.#settings.now();
    const message = this.marks.finish(entry.message, (_kind, piece) => piece);
    const before = this.#written;
    this.#written = (async () => {
      const { logLine } = await import('./log-line.ts');
      await before;
      await stderr.write(logLine({ ...entry, message }, at, sentSecrets)).catch(() => undefined);
    })();
  }

  /** Returns a message as text. Its commands name the profile of `-p`, so that they can be copied. */
  textOf(message: Hint): string {
    return hintText(message, this.#settings.profile);
  }

  /** Writes a text unless `--quiet` is set. A board shows `onBoard` instead. */
  note(text: Hint, onBoard?: string): void {
    if (!this.#settings.quiet) this.say(this.textOf(text), { onBoard });
  }

  /** Writes a warning. */
  warn(text: Hint): void {
    const shown = this.textOf(text);
    this.#notices?.warnings.add(shown);
    this.sayWarning(shown);
  }

  /** Writes a warning that is not repeated after a board. */
  sayWarning(text: string): void {
    if (this.#settings.logFormat === 'json') this.log({ level: 'warn', message: text });
    else {
      const line = `${this.marks.mark('warning', 'warning:')} ${text}`;
      this.say(`${this.#timeText()}${line}`, { onBoard: line });
    }
  }

  /** Registers a warning for a signal that ends the process at once. @returns a function that removes the warning */
  warnIfKilled(text: () => Hint): () => void {
    // The terminal has written `^C` to the current line, or the line shows a spinner.
    const start = this.#settings.stderr.isTerminal ? '\n' : '';
    return ownProcess.reportIfKilled(() => `${start}warning: ${this.textOf(text())}\n`);
  }

  /** Returns the start of a warning: the time of day, in the format of live events. */
  #timeText(): string {
    const { timesWarnings, zone } = this.#settings;
    return timesWarnings ? `${timeOfDay(new Date(this.#settings.now()).toISOString(), zone)}  ` : '';
  }

  /** Escapes a text, applies its styles and breaks it at the width of the terminal. */
  async forStderr(text: string, lines: boolean): Promise<string> {
    const { stderr, color, env } = this.#settings;
    const paint = await loadPaint(wantsColor(color, env, stderr.isTerminal));
    const painted = this.marks.finish(text, paint, lines);
    const finished = stderr.isTerminal && !ascii.test(painted) ? isolateRuns(painted) : painted;
    // The text fits if it has at most half as many characters as columns, because a character is at most two columns wide.
    if (stderr.columns === undefined || finished.length * 2 <= stderr.columns) return finished;
    return (await import('./hang.ts')).hang(finished, stderr.columns);
  }

  /** Runs work under a spinner. Without one, `note` reports the progress every 10 s. */
  async progress<T>(label: string, work: ReportingWork<T>, note: (text: string) => void): Promise<T> {
    await this.settled();
    const { stream } = this.#settings.stderr;
    // On a terminal of 0 columns, the library would clear lines without end.
    return !showsSpinner(this.#settings) ||
      this.#settings.logFormat === 'json' ||
      !stream?.columns ||
      this.#spinner
      ? this.#withLines(work, (text) => note(`${label}: ${text}`))
      : this.#withSpinner(work, startSpinner(label, stream));
  }

  /** Draws a board, shows messages on it, and repeats its last warnings afterwards. */
  async duringBoard<T>(notices: BoardNotices, draw: () => Promise<T>): Promise<T> {
    if (this.#settings.stderr.isTerminal) this.#notices = notices;
    try {
      return await draw();
    } finally {
      await this.settled();
      this.#notices = undefined;
      for (const text of [...notices.warnings].slice(-maxWarnings)) this.warn(text);
    }
  }

  async #sayAfter(before: Promise<void>, { text, lines, onBoard }: Message): Promise<void> {
    await before;
    const { stderr } = this.#settings;
    if (this.#notices) {
      const plain = this.marks.finish(onBoard, (_kind, piece) => piece);
      this.#notices.add(plain, this.#settings.now());
      return;
    }
    const line = `${await this.forStderr(text, lines)}\n`;
    const print = (): Promise<void> => stderr.write(line);
    // The program that reads stderr has exited, so the message is dropped.
    await (this.#spinner ? this.#spinner.printAbove(print) : print()).catch(() => undefined);
  }

  async #withLines<T>(work: ReportingWork<T>, say: (text: string) => void): Promise<T> {
    const lines = everyTenSeconds(() => this.#settings.now(), say);
    let beat: NodeJS.Timeout | undefined;
    try {
      return await work((text) => {
        lines.update(text);
        // Repeats the progress while the work waits for rate limits.
        beat ??= setInterval(() => lines.again(), 1000).unref();
      });
    } finally {
      clearInterval(beat);
    }
  }

  async #withSpinner<T>(work: ReportingWork<T>, spinner: Spinner): Promise<T> {
    this.#spinner = spinner;
    try {
      return await work((text, parts) => spinner.update(text, parts));
    } finally {
      await this.settled();
      spinner.stop();
      this.#spinner = undefined;
    }
  }
}
