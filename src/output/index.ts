import type { BoardFrame, Output } from '../runtime/output.ts';
import { Messages } from './messages.ts';
import { drawsInPlace } from './motion.ts';
import type { OutputSettings } from './output-settings.ts';
import { Results } from './results.ts';

export { isClosedPipe } from './result-sink.ts';
export type { OutputSettings } from './output-settings.ts';
export { ClosedPipe } from './until-unread.ts';

/** What the program itself needs beyond what commands see. */
export interface ProgramOutput extends Output {
  /** Whether lines of the terminal may be drawn anew. */
  readonly drawsInPlace: boolean;
  /** Refuses what no result could be shown with, before anything is done. @throws {CommandError} `usage`. */
  check(): Promise<void>;
  /** Resolves when everything said so far has reached stderr. */
  settled(): Promise<void>;
  /** Sanitises a text and shows its styled pieces, for stderr. */
  forStderr(text: string): Promise<string>;
}

/** Makes the one way to the user. Nothing is loaded before it is used. */
export function createOutput(settings: OutputSettings): ProgramOutput {
  const { stdout, quiet, unasked } = settings;
  const messages = new Messages(settings);
  const results = new Results(settings, messages);
  return {
    format: results.format,
    csvRaw: settings.csvRaw ?? false,
    zone: settings.zone,
    isTerminal: stdout.isTerminal,
    columns: stdout.isTerminal ? stdout.columns : undefined,
    drawsInPlace: drawsInPlace(settings),
    list: (rows, view) => results.list(rows, view),
    record: (row, view) => results.record(row, view),
    stream: (rows, view) => results.stream(rows, view),
    text: (finished) => results.text(finished),
    board(frames, view, { signal } = {}) {
      const isDrawn = results.canDrawBoard && this.drawsInPlace;
      return isDrawn ? results.board(frames, view, signal) : this.stream(changesOf(frames), view);
    },
    note: (text) => messages.note(text),
    warn: (text) => messages.warn(text),
    show: (text) => messages.say(text, true),
    preview(text) {
      if (!quiet || !unasked) messages.say(text, true);
    },
    progress(label, work) {
      return messages.progress(label, work, (text) => this.note(text));
    },
    style: (kind, text) => messages.marks.mark(kind, text),
    check: () => results.check(),
    settled: () => messages.settled(),
    forStderr: (text) => messages.forStderr(text, true),
  };
}

async function* changesOf<T extends object>(
  frames: AsyncIterable<BoardFrame<T>>,
): AsyncGenerator<T, void, undefined> {
  for await (const { changed } of frames) yield* changed;
}
