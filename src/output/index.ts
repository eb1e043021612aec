import type { BoardScreen, Output } from '../runtime/output.ts';
import { Messages } from './messages.ts';
import { drawsInPlace } from './motion.ts';
import type { OutputSettings } from './output-settings.ts';
import { Results } from './results.ts';
import { untilReaderGone } from './until-reader-gone.ts';

export { drawsInPlace } from './motion.ts';
export { needsPager } from './needs-pager.ts';
export { isClosedPipe } from './result-sink.ts';
export type { OutputSettings } from './output-settings.ts';
export { ClosedPipe } from './until-reader-gone.ts';

/** The output with additional functions that only the program itself uses, not its commands. */
export interface ProgramOutput extends Output {
  /** Whether messages are written as objects. */
  readonly logsJson: boolean;
  /** Whether lines of the terminal may be redrawn. */
  readonly drawsInPlace: boolean;
  /** Checks the output settings before the command runs. @throws {CommandError} `usage`. */
  check(): Promise<void>;
  /** Loads the modules that write results, so that this cannot fail after a change was made. */
  load(): Promise<void>;
  /** Resolves when all messages so far are written to stderr. */
  settled(): Promise<void>;
  /** Escapes the control characters of a text and colors its styled pieces, for stderr. */
  forStderr(text: string): Promise<string>;
}

/** Creates the output of a run. Renderers and libraries are loaded at their first use. */
export function createOutput(settings: OutputSettings): ProgramOutput {
  const { stdout, quiet, skipsConfirmation } = settings;
  const messages = new Messages(settings);
  const results = new Results(settings, messages);
  return {
    format: results.format,
    csvRaw: settings.csvRaw ?? false,
    get zone() {
      return settings.zone;
    },
    isTerminal: stdout.isTerminal,
    columns: stdout.isTerminal ? stdout.columns : undefined,
    drawsInPlace: drawsInPlace(settings),
    logsJson: settings.logFormat === 'json',
    list: (rows, view) => results.list(rows, view),
    record: (row, view) => results.record(row, view),
    stream: (rows, view) => results.stream(rows, view),
    text: (finished) => results.text(finished),
    untilReaderGone: (rows) => untilReaderGone(rows, stdout),
    async board(screens, view, { signal } = {}) {
      if (results.canDrawBoard && this.drawsInPlace) return results.board(screens, view, signal);
      await this.stream(changesOf(screens), view);
      return false;
    },
    note: (text, onBoard) => messages.note(text, onBoard),
    warn: (text) => messages.warn(text),
    warnIfKilled: (text) => messages.warnIfKilled(text),
    log: (entry) => messages.log(entry),
    show: (text) => messages.say(messages.textOf(text), { lines: true }),
    preview(text) {
      if (!quiet || !skipsConfirmation) messages.say(text, { lines: true });
    },
    progress(label, work) {
      return messages.progress(label, work, (text) => this.note(text));
    },
    style: (kind, text) => messages.marks.mark(kind, text),
    check: () => results.check(),
    load: () => results.load(),
    settled: () => messages.settled(),
    forStderr: (text) => messages.forStderr(text, true),
  };
}

async function* changesOf<T extends object>(
  screens: AsyncIterable<BoardScreen<T>>,
): AsyncGenerator<T, void, undefined> {
  for await (const { changed } of screens) yield* changed;
}
