import type { BoardNotices } from './board.ts';
import { wantsColor } from './color.ts';
import { isolateRuns } from './isolate.ts';
import { showsSpinner } from './motion.ts';
import type { OutputSettings } from './output-settings.ts';
import { loadPaint, StyleMarks } from './paint.ts';
import { everyTenSeconds } from './progress-lines.ts';
import { type Spinner, startSpinner } from './spinner.ts';

const ascii = /^[\0-\u007F]*$/;

/** Warnings of a board that are said once more after it. */
const lastWarnings = 5;

/** Work that reports how far it is. */
type ReportingWork<T> = (update: (text: string, parts?: readonly string[]) => void) => Promise<T>;

/** Lines for people on stderr, in the order in which they were said, beside the spinner or the board that is shown. */
export class Messages {
  readonly marks = new StyleMarks();
  readonly #settings: OutputSettings;
  #said: Promise<void> = Promise.resolve();
  #spinner: Spinner | undefined;
  /** While a board is drawn on the terminal that reads stderr. */
  #notices: BoardNotices | undefined;

  constructor(settings: OutputSettings) {
    this.#settings = settings;
  }

  /** Resolves when everything said so far has reached stderr. */
  settled(): Promise<void> {
    return this.#said;
  }

  /** Says a text that is not yet safe; `lines` keeps its line breaks. */
  say(text: string, lines: boolean): void {
    this.#said = this.#sayAfter(this.#said, text, lines);
  }

  /** Says a text unless under `--quiet`. */
  note(text: string): void {
    if (!this.#settings.quiet) this.say(text, false);
  }

  /** Says a warning. */
  warn(text: string): void {
    this.#notices?.warnings.add(text);
    this.sayWarning(text);
  }

  /** Says a warning that a board does not repeat after it. */
  sayWarning(text: string): void {
    this.say(`${this.marks.mark('warning', 'warning:')} ${text}`, false);
  }

  /** A safe text with its styled pieces painted, folded to the width of the terminal. */
  async forStderr(text: string, lines: boolean): Promise<string> {
    const { stderr, color, env } = this.#settings;
    const paint = await loadPaint(wantsColor(color, env, stderr.isTerminal));
    const painted = this.marks.finish(text, paint, lines);
    const finished = stderr.isTerminal && !ascii.test(painted) ? isolateRuns(painted) : painted;
    // A character takes two columns at most.
    if (stderr.columns === undefined || finished.length * 2 <= stderr.columns) return finished;
    return (await import('./hang.ts')).hang(finished, stderr.columns);
  }

  /** Runs work under a spinner, or with a line from time to time, said by `note`, where none is shown. */
  async progress<T>(label: string, work: ReportingWork<T>, note: (text: string) => void): Promise<T> {
    await this.settled();
    const { stream } = this.#settings.stderr;
    return !showsSpinner(this.#settings) || !stream || this.#spinner
      ? this.#withLines(work, (text) => note(`${label}: ${text}`))
      : this.#withSpinner(work, startSpinner(label, stream));
  }

  /** Runs the drawing of a board, which shows what is said meanwhile, and repeats its last warnings afterwards. */
  async duringBoard(notices: BoardNotices, draw: () => Promise<void>): Promise<void> {
    if (this.#settings.stderr.isTerminal) this.#notices = notices;
    try {
      await draw();
    } finally {
      await this.settled();
      this.#notices = undefined;
      for (const text of [...notices.warnings].slice(-lastWarnings)) this.warn(text);
    }
  }

  async #sayAfter(before: Promise<void>, text: string, lines: boolean): Promise<void> {
    await before;
    const { stderr } = this.#settings;
    if (this.#notices) {
      const plain = this.marks.finish(text, (_kind, piece) => piece);
      this.#notices.add(plain, this.#settings.now());
      return;
    }
    const line = `${await this.forStderr(text, lines)}\n`;
    const print = (): Promise<void> => stderr.write(line);
    // Nobody reads stderr any more: there is no one left to tell.
    await (this.#spinner ? this.#spinner.aside(print) : print()).catch(() => undefined);
  }

  async #withLines<T>(work: ReportingWork<T>, say: (text: string) => void): Promise<T> {
    const lines = everyTenSeconds(() => this.#settings.now(), say);
    // Also while the work waits, for the service's rate limits.
    const beat = setInterval(() => lines.again(), 1000).unref();
    try {
      return await work((text) => lines.update(text));
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
