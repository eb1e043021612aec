import { usageError } from '../errors/command.ts';
import { counted } from '../platform/counted.ts';
import { checkZone } from '../runtime/check-zone.ts';
import type { BoardScreen, OutputFormat, View } from '../runtime/output.ts';
import { wantsColor } from './color.ts';
import type { Messages } from './messages.ts';
import type { OutputSettings } from './output-settings.ts';
import { loadPaint } from './paint.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { ResultSink } from './result-sink.ts';
import { untilReaderGone } from './until-reader-gone.ts';
import { type CommandText, nextStep } from '../errors/hint.ts';

const renderers: Readonly<Record<OutputFormat, (surface: Surface) => Promise<Renderer>>> = {
  table: async (surface) => (await import('./table.ts')).tableRenderer(surface),
  json: async (surface) => (await import('./json.ts')).jsonRenderer(surface),
  ndjson: async (surface) => (await import('./json.ts')).ndjsonRenderer(surface),
  csv: async (surface) => (await import('./delimited.ts')).csvRenderer(surface),
  tsv: async (surface) => (await import('./delimited.ts')).tsvRenderer(surface),
  yaml: async (surface) => (await import('./yaml.ts')).yamlRenderer(surface),
};

/** Returns the format of lists and records if none was requested. */
function defaultFormat(isTerminal: boolean): OutputFormat {
  return isTerminal ? 'table' : 'tsv';
}

/** Writes results to stdout in the chosen format. Renderers are loaded when they are used. */
export class Results {
  /** The format of lists and records. */
  readonly format: OutputFormat;
  readonly #settings: OutputSettings;
  readonly #messages: Messages;
  readonly #sink: ResultSink;
  /** Titles of the hidden columns, until a note names them; afterwards undefined. */
  #hidden: readonly string[] | undefined = [];

  constructor(settings: OutputSettings, messages: Messages) {
    this.#settings = settings;
    this.#messages = messages;
    this.#sink = new ResultSink(settings);
    this.format = settings.format ?? defaultFormat(settings.stdout.isTerminal);
  }

  /** Writes finished text. */
  text(finished: string): Promise<void> {
    return this.#sink.write(finished);
  }

  /** Writes a list; on a terminal, a note reports an empty list. */
  async list<T extends object>(rows: Rows<T>, view: View<T>): Promise<void> {
    await this.#messages.settled();
    const count = await this.#writeList(await this.#inOrder(rows, view), view);
    this.#noteHidden(view.again);
    const isForPeople = this.#settings.stdout.isTerminal && ['table', 'tsv'].includes(this.format);
    const empty = view.empty ?? 'Nothing to show.';
    if (count === 0 && isForPeople && empty !== '') this.#messages.note(empty);
  }

  /** Writes a list as paragraphs or in the chosen format; returns the number of rows. */
  async #writeList<T extends object>(rows: Rows<T>, view: View<T>): Promise<number> {
    const { stdout, fields, zone } = this.#settings;
    if (view.prose && this.format === 'table' && stdout.isTerminal && !fields) {
      const all: T[] = [];
      for await (const row of rows) all.push(row);
      const { drawProse } = await import('./prose.ts');
      const surface = await this.#surface((text) => this.#sink.write(text));
      await surface.write(drawProse(view.prose(all, zone), surface));
      return all.length;
    }
    const renderer = await this.#rendererFor(
      this.format,
      (text) => this.#sink.write(text),
      (titles) => (this.#hidden &&= titles),
    );
    return renderer.list(rows, view);
  }

  /**
   * Names the hidden columns, once per command. After a change, the note names a command that shows the columns without
   * repeating the change.
   */
  #noteHidden(again: CommandText | undefined): void {
    const hidden = this.#hidden ?? [];
    if (hidden.length === 0) return;
    this.#hidden = undefined;
    const { fields, finishesWithoutReader } = this.#settings;
    const way = `use ${fields ? 'fewer --fields' : '--fields'} or -o json`;
    const change = again === undefined ? `next time, ${way}` : nextStep`show the changes again: ${again}`;
    this.#messages.note(
      nextStep`${counted(hidden.length, 'column')} hidden: ${hidden.join(', ')}; ${finishesWithoutReader ? change : way}`,
    );
  }

  /** Writes one record. */
  async record<T extends object>(row: T, view: View<T>): Promise<void> {
    await this.#messages.settled();
    await (await this.#rendererFor(this.format, (text) => this.#sink.write(text))).record(row, view);
  }

  /** Writes rows as they arrive, until the reader of stdout closes the pipe. */
  async stream<T extends object>(rows: AsyncIterable<T>, view: View<T>): Promise<void> {
    await this.#messages.settled();
    const { format, sort, stdout, finishesWithoutReader } = this.#settings;
    if (sort?.length) throw usageError('--sort cannot be used with live results', 'omit --sort');
    const live = format ?? (stdout.isTerminal ? 'table' : 'ndjson');
    const renderer = await this.#rendererFor(live, (text, onWritten) =>
      this.#sink.writeOrEnd(text, onWritten),
    );
    // A command that makes changes continues after the program that reads stdout has exited.
    const read = finishesWithoutReader ? rows : untilReaderGone(rows, stdout);
    await this.#sink.untilClosed(() => renderer.stream(read, view));
  }

  /** Whether format and terminal allow a board. */
  get canDrawBoard(): boolean {
    const { isTerminal, stream } = this.#settings.stdout;
    return this.format === 'table' && isTerminal && stream !== undefined;
  }

  /**
   * Draws a board on the terminal; `signal` restores the terminal at once.
   * @returns whether a key ended the board, or the terminal was closed
   */
  async board<T extends object>(
    screens: AsyncIterable<BoardScreen<T>>,
    view: View<T>,
    signal?: AbortSignal,
  ): Promise<boolean> {
    await this.#messages.settled();
    const { stream: terminal } = this.#settings.stdout;
    if (!terminal) return false;
    const { drawBoard, BoardNotices } = await import('./board.ts');
    const notices = new BoardNotices();
    return this.#messages.duringBoard(notices, async () => {
      const surface = await this.#surface((text, onWritten) => this.#sink.writeOrEnd(text, onWritten));
      const board = { surface, terminal, view, notices, stdin: this.#settings.stdin, signal };
      let hasQuit = true;
      await this.#sink.untilClosed(async () => void (hasQuit = await drawBoard(board, screens)));
      return hasQuit;
    });
  }

  /** Checks the settings. @throws {CommandError} `usage`. */
  async check(): Promise<void> {
    const { sort, zone, jq } = this.#settings;
    if (sort?.length) (await import('./sort.ts')).readOrders(sort);
    if (zone !== undefined) checkZone(zone);
    if (jq !== undefined) await (await import('./jq.ts')).checkJq(this.format, jq);
  }

  /** Loads the modules that write results. @throws the error of the system if a module cannot be loaded. */
  async load(): Promise<void> {
    await this.#rendererFor(this.format, (text) => this.#sink.write(text));
  }

  async #rendererFor(
    format: OutputFormat,
    write: Surface['write'],
    onHidden?: Surface['onHidden'],
  ): Promise<Renderer> {
    const surface = await this.#surface(write, onHidden);
    const { jq } = this.#settings;
    if (jq === undefined) return renderers[format](surface);
    return (await import('./jq.ts')).jqRenderer(format, jq, surface);
  }

  async #surface(write: Surface['write'], onHidden?: Surface['onHidden']): Promise<Surface> {
    const { stdout, env, color, header, fields, knownFields, checkPath, csvRaw, zone } = this.#settings;
    return {
      write,
      lastBytes: stdout.lastBytes,
      isTerminal: stdout.isTerminal,
      // The width is read for each line, because the terminal may be resized.
      get columns() {
        return stdout.columns;
      },
      paint: await loadPaint(this.format === 'table' && wantsColor(color, env, stdout.isTerminal)),
      marks: this.#messages.marks,
      header: header ?? true,
      fields,
      knownFields,
      checkPath,
      csvRaw: csvRaw ?? false,
      zone,
      onUnknownField: this.#onUnknownField(),
      onUnfiltered: this.#onUnfiltered(),
      onHidden,
      now: () => this.#settings.now(),
    };
  }

  async #inOrder<T extends object>(rows: Rows<T>, view: View<T>): Promise<Rows<T>> {
    const { sort, knownFields, checkPath } = this.#settings;
    if (!sort?.length) return rows;
    const { readOrders, sorted } = await import('./sort.ts');
    const onUnknownField = this.#onUnknownField();
    return sorted(rows, view, readOrders(sort), { knownFields, checkPath, onUnknownField });
  }

  /** After changes were made, an unknown column is only a warning, because an error would suggest that nothing was sent. */
  #onUnknownField(): Surface['onUnknownField'] {
    return this.#settings.finishesWithoutReader ? (message) => this.#messages.sayWarning(message) : undefined;
  }
  #onUnfiltered(): Surface['onUnfiltered'] {
    return this.#settings.finishesWithoutReader
      ? (json) => this.#messages.say(json, { lines: true })
      : undefined;
  }
}
