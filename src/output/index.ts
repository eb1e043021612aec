import { fileTrouble } from '../platform/file-trouble.ts';
import { CommandError, Exit, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { BoardFrame, Output, OutputFormat, View } from '../runtime/output.ts';
import type { Sink } from '../runtime/system.ts';
import { type ColorFlag, wantsColor } from './color.ts';
import { isolateRuns } from './isolate.ts';
import { drawsInPlace, showsSpinner } from './motion.ts';
import { loadPaint, StyleMarks } from './paint.ts';
import { everyTenSeconds } from './progress-lines.ts';
import type { BoardNotices } from './board.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { type Spinner, startSpinner } from './spinner.ts';
import { ClosedPipe, untilUnread } from './until-unread.ts';

export { ClosedPipe };

export interface OutputSettings {
  /** Undefined: a table on a terminal, TSV in a pipe, NDJSON for live events in a pipe. */
  readonly format: OutputFormat | undefined;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly color?: ColorFlag | undefined;
  readonly quiet?: boolean | undefined;
  /** No question is put: `--yes`, or a dry run. */
  readonly unasked?: boolean | undefined;
  readonly header?: boolean | undefined;
  readonly fields?: readonly string[] | undefined;
  /** Members of the records, where the command names them. */
  readonly jsonFields?: readonly string[] | undefined;
  readonly csvRaw?: boolean | undefined;
  /** Orders of lists, `FIELD` or `FIELD:desc`. */
  readonly sort?: readonly string[] | undefined;
  /** Time zone that times are shown in; UTC. */
  readonly zone?: string | undefined;
  /** No picture that moves: for screen readers. */
  readonly accessible?: boolean | undefined;
  /** A jq expression that the JSON goes through. */
  readonly jq?: string | undefined;
  /** A command that changes something finishes although nobody reads its output any more. */
  readonly finishesUnread?: boolean | undefined;
  now(): number;
}

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

const renderers: Readonly<Record<OutputFormat, (surface: Surface) => Promise<Renderer>>> = {
  table: async (surface) => (await import('./table.ts')).tableRenderer(surface),
  json: async (surface) => (await import('./json.ts')).jsonRenderer(surface),
  ndjson: async (surface) => (await import('./json.ts')).ndjsonRenderer(surface),
  csv: async (surface) => (await import('./delimited.ts')).csvRenderer(surface),
  tsv: async (surface) => (await import('./delimited.ts')).tsvRenderer(surface),
  yaml: async (surface) => (await import('./yaml.ts')).yamlRenderer(surface),
};

const ascii = /^[\0-\u007F]*$/;

/** The format of lists and records when none was asked for. */
function defaultFormat(isTerminal: boolean): OutputFormat {
  return isTerminal ? 'table' : 'tsv';
}

/** Whether a write failed because nobody reads any more. */
export function isClosedPipe(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED';
}

/** A command that changes something has done so by the time it prints: "local, nothing happened" would make a script do it twice. */
function unwritten(cause: unknown, mayHaveChanged: boolean): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause)) return cause;
  const message = `the result could not be written to stdout: ${fileTrouble(cause)}`;
  if (!mayHaveChanged) return new CommandError('output_lost', Exit.local, message, { cause });
  return new CommandError('outcome_unknown', Exit.outcomeUnknown, `${message}; it was done, or part of it`, {
    hint: nextStep`look before you repeat it: ${ucctl('outcome list')}, ${ucctl('history list')}`,
    cause,
  });
}

/** Warnings of a board that are said once more after it. */
const lastWarnings = 5;

/** Makes the one way to the user. Nothing is loaded before it is used. */
export function createOutput(settings: OutputSettings): ProgramOutput {
  const { stdout, stderr } = settings;
  const format = settings.format ?? defaultFormat(stdout.isTerminal);
  const marks = new StyleMarks();
  const stderrPaint = (): ReturnType<typeof loadPaint> =>
    loadPaint(wantsColor(settings.color, settings.env, stderr.isTerminal));
  let unread = false;
  let said: Promise<void> = Promise.resolve();
  let spinner: Spinner | undefined;
  // While a board is drawn on the same terminal that reads stderr.
  let notices: BoardNotices | undefined;

  // What was done is done: a misspelt column must not look as if nothing had been sent.
  const onStrayField = settings.finishesUnread
    ? (message: string): void => say(`${marks.mark('warning', 'warning:')} ${message}`, false)
    : undefined;
  const write = async (text: string): Promise<void> => {
    if (unread) return;
    try {
      await writeOrEnd(text);
    } catch (error) {
      if (!settings.finishesUnread || !(error instanceof ClosedPipe)) throw error;
      unread = true;
    }
  };
  const writeOrEnd = async (text: string, onTaken?: () => void): Promise<void> => {
    try {
      await stdout.write(text, onTaken);
    } catch (error) {
      if (isClosedPipe(error)) throw new ClosedPipe('nobody reads stdout', { cause: error });
      throw unwritten(error, settings.finishesUnread ?? false);
    }
  };
  const rendererFor = async (kind: OutputFormat, onWrite: Surface['write']): Promise<Renderer> => {
    const onto = await surface(onWrite);
    if (settings.jq === undefined) return renderers[kind](onto);
    const { jqRenderer } = await import('./jq.ts');
    return jqRenderer(kind, settings.jq, onto);
  };
  const surface = async (onWrite: Surface['write']): Promise<Surface> => ({
    write: onWrite,
    lastBytes: stdout.lastBytes,
    isTerminal: stdout.isTerminal,
    columns: stdout.columns,
    paint: await loadPaint(format === 'table' && wantsColor(settings.color, settings.env, stdout.isTerminal)),
    marks,
    header: settings.header ?? true,
    fields: settings.fields,
    jsonFields: settings.jsonFields,
    csvRaw: settings.csvRaw ?? false,
    zone: settings.zone,
    onStrayField,
    now: () => settings.now(),
  });
  const inOrder = async <T extends object>(rows: Rows<T>, view: View<T>): Promise<Rows<T>> => {
    if (!settings.sort?.length) return rows;
    const { readOrders, sorted } = await import('./sort.ts');
    return sorted(rows, view, readOrders(settings.sort), { onStrayField });
  };
  const forStderr = async (text: string, lines: boolean): Promise<string> => {
    const painted = marks.finish(text, await stderrPaint(), lines);
    const finished = stderr.isTerminal && !ascii.test(painted) ? isolateRuns(painted) : painted;
    // A character takes two columns at most.
    if (stderr.columns === undefined || finished.length * 2 <= stderr.columns) return finished;
    return (await import('./hang.ts')).hang(finished, stderr.columns);
  };
  const say = (text: string, lines: boolean): void => {
    said = sayAfter(said, text, lines);
  };
  const sayAfter = async (before: Promise<void>, text: string, lines: boolean): Promise<void> => {
    await before;
    if (notices) {
      const plain = marks.finish(text, (_kind, piece) => piece);
      notices.add(plain, settings.now());
      return;
    }
    const line = `${await forStderr(text, lines)}\n`;
    const print = (): Promise<void> => stderr.write(line);
    // Nobody reads stderr any more: there is no one left to tell.
    await (spinner ? spinner.aside(print) : print()).catch(() => undefined);
  };

  const warn = (text: string): void => {
    notices?.warnings.add(text);
    say(`${marks.mark('warning', 'warning:')} ${text}`, false);
  };

  return {
    format,
    csvRaw: settings.csvRaw ?? false,
    zone: settings.zone,
    isTerminal: stdout.isTerminal,
    columns: stdout.isTerminal ? stdout.columns : undefined,
    drawsInPlace: drawsInPlace(settings),

    async list<T extends object>(rows: Rows<T>, view: View<T>) {
      await said;
      const renderer = await rendererFor(format, write);
      const count = await renderer.list(await inOrder(rows, view), view);
      if (count === 0 && stdout.isTerminal && (format === 'table' || format === 'tsv') && !settings.quiet) {
        say(view.empty ?? 'Nothing to show.', false);
      }
    },

    async record(row, view) {
      await said;
      await (await rendererFor(format, write)).record(row, view);
    },

    async stream(rows, view) {
      await said;
      if (settings.sort?.length)
        throw usageError('--sort needs a list that ends', 'these come as they happen');
      const live = settings.format ?? (stdout.isTerminal ? 'table' : 'ndjson');
      const renderer = await rendererFor(live, writeOrEnd);
      try {
        // A command that changes something is not ended by its reader.
        await renderer.stream(settings.finishesUnread ? rows : untilUnread(rows, stdout), view);
      } catch (error) {
        // The reader has seen enough: the stream ends as if it were over, and the command cleans up.
        if (!(error instanceof ClosedPipe)) throw error;
        unread = true;
      }
    },

    note(text) {
      if (!settings.quiet) say(text, false);
    },
    warn,
    show: (text) => say(text, true),
    preview(text) {
      if (!settings.quiet || !settings.unasked) say(text, true);
    },

    async progress(label, work) {
      await said;
      if (!showsSpinner(settings) || !stderr.stream || spinner) {
        const lines = everyTenSeconds(
          () => settings.now(),
          (text) => this.note(`${label}: ${text}`),
        );
        // Also while the work waits, for the service's rate limits.
        const beat = setInterval(() => lines.again(), 1000).unref();
        try {
          return await work((text) => lines.update(text));
        } finally {
          clearInterval(beat);
        }
      }
      const own = startSpinner(label, stderr.stream);
      spinner = own;
      try {
        return await work((text, parts) => own.update(text, parts));
      } finally {
        await said;
        own.stop();
        spinner = undefined;
      }
    },

    async board(frames, view, options = {}) {
      const drawn =
        format === 'table' && stdout.isTerminal && stdout.stream !== undefined && this.drawsInPlace;
      if (!drawn) return this.stream(changesOf(frames), view);
      await said;
      const { drawBoard, BoardNotices } = await import('./board.ts');
      const shown = new BoardNotices();
      if (stderr.isTerminal) notices = shown;
      try {
        await drawBoard(await surface(writeOrEnd), stdout.stream, frames, view, options.signal, shown);
      } finally {
        await said;
        notices = undefined;
        for (const text of [...shown.warnings].slice(-lastWarnings)) warn(text);
      }
    },

    style: (kind, text) => marks.mark(kind, text),
    text: write,
    async check() {
      if (settings.sort?.length) (await import('./sort.ts')).readOrders(settings.sort);
      if (settings.zone !== undefined) (await import('./zone.ts')).checkZone(settings.zone);
      if (settings.jq === undefined) return;
      const { checkJq } = await import('./jq.ts');
      await checkJq(format, settings.jq);
    },
    settled: () => said,
    forStderr: (text) => forStderr(text, true),
  };
}

async function* changesOf<T extends object>(
  frames: AsyncIterable<BoardFrame<T>>,
): AsyncGenerator<T, void, undefined> {
  for await (const { changed } of frames) yield* changed;
}
