import { usageError } from '../errors/command.ts';
import type { BoardFrame, OutputFormat, View } from '../runtime/output.ts';
import { wantsColor } from './color.ts';
import type { Messages } from './messages.ts';
import type { OutputSettings } from './output-settings.ts';
import { loadPaint } from './paint.ts';
import type { Renderer, Rows, Surface } from './renderer.ts';
import { ResultSink } from './result-sink.ts';
import { untilUnread } from './until-unread.ts';

const renderers: Readonly<Record<OutputFormat, (surface: Surface) => Promise<Renderer>>> = {
  table: async (surface) => (await import('./table.ts')).tableRenderer(surface),
  json: async (surface) => (await import('./json.ts')).jsonRenderer(surface),
  ndjson: async (surface) => (await import('./json.ts')).ndjsonRenderer(surface),
  csv: async (surface) => (await import('./delimited.ts')).csvRenderer(surface),
  tsv: async (surface) => (await import('./delimited.ts')).tsvRenderer(surface),
  yaml: async (surface) => (await import('./yaml.ts')).yamlRenderer(surface),
};

/** The format of lists and records when none was asked for. */
function defaultFormat(isTerminal: boolean): OutputFormat {
  return isTerminal ? 'table' : 'tsv';
}

/** Results on stdout, in the format that was chosen. Formats are loaded when they are used. */
export class Results {
  /** The format of lists and records. */
  readonly format: OutputFormat;
  readonly #settings: OutputSettings;
  readonly #messages: Messages;
  readonly #sink: ResultSink;

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

  /** Shows a list; a terminal is told when it is empty. */
  async list<T extends object>(rows: Rows<T>, view: View<T>): Promise<void> {
    await this.#messages.settled();
    const renderer = await this.#rendererFor(this.format, (text) => this.#sink.write(text));
    const count = await renderer.list(await this.#inOrder(rows, view), view);
    const isForPeople = this.#settings.stdout.isTerminal && ['table', 'tsv'].includes(this.format);
    if (count === 0 && isForPeople) this.#messages.note(view.empty ?? 'Nothing to show.');
  }

  /** Shows one thing. */
  async record<T extends object>(row: T, view: View<T>): Promise<void> {
    await this.#messages.settled();
    await (await this.#rendererFor(this.format, (text) => this.#sink.write(text))).record(row, view);
  }

  /** Shows rows as they come, until their reader goes away. */
  async stream<T extends object>(rows: AsyncIterable<T>, view: View<T>): Promise<void> {
    await this.#messages.settled();
    const { format, sort, stdout, finishesUnread } = this.#settings;
    if (sort?.length) throw usageError('--sort needs a list that ends', 'these come as they happen');
    const live = format ?? (stdout.isTerminal ? 'table' : 'ndjson');
    const renderer = await this.#rendererFor(live, (text, onTaken) => this.#sink.writeOrEnd(text, onTaken));
    // A command that changes something is not ended by its reader.
    const read = finishesUnread ? rows : untilUnread(rows, stdout);
    await this.#sink.untilClosed(() => renderer.stream(read, view));
  }

  /** Whether a board can be drawn, as far as the format and the terminal decide. */
  get canDrawBoard(): boolean {
    const { isTerminal, stream } = this.#settings.stdout;
    return this.format === 'table' && isTerminal && stream !== undefined;
  }

  /** Draws frames over each other on the terminal; `signal` gives it back at once. */
  async board<T extends object>(
    frames: AsyncIterable<BoardFrame<T>>,
    view: View<T>,
    signal?: AbortSignal,
  ): Promise<void> {
    await this.#messages.settled();
    const { stream: terminal } = this.#settings.stdout;
    if (!terminal) return;
    const { drawBoard, BoardNotices } = await import('./board.ts');
    const notices = new BoardNotices();
    await this.#messages.duringBoard(notices, async () => {
      const surface = await this.#surface((text, onTaken) => this.#sink.writeOrEnd(text, onTaken));
      await drawBoard({ surface, terminal, view, notices, signal }, frames);
    });
  }

  /** Refuses settings that no result could be shown with. @throws {CommandError} `usage`. */
  async check(): Promise<void> {
    const { sort, zone, jq } = this.#settings;
    if (sort?.length) (await import('./sort.ts')).readOrders(sort);
    if (zone !== undefined) (await import('./zone.ts')).checkZone(zone);
    if (jq !== undefined) await (await import('./jq.ts')).checkJq(this.format, jq);
  }

  async #rendererFor(format: OutputFormat, write: Surface['write']): Promise<Renderer> {
    const surface = await this.#surface(write);
    const { jq } = this.#settings;
    if (jq === undefined) return renderers[format](surface);
    return (await import('./jq.ts')).jqRenderer(format, jq, surface);
  }

  async #surface(write: Surface['write']): Promise<Surface> {
    const { stdout, env, color, header, fields, jsonFields, csvRaw, zone } = this.#settings;
    return {
      write,
      lastBytes: stdout.lastBytes,
      isTerminal: stdout.isTerminal,
      columns: stdout.columns,
      paint: await loadPaint(this.format === 'table' && wantsColor(color, env, stdout.isTerminal)),
      marks: this.#messages.marks,
      header: header ?? true,
      fields,
      jsonFields,
      csvRaw: csvRaw ?? false,
      zone,
      onStrayField: this.#onStrayField(),
      now: () => this.#settings.now(),
    };
  }

  async #inOrder<T extends object>(rows: Rows<T>, view: View<T>): Promise<Rows<T>> {
    const { sort } = this.#settings;
    if (!sort?.length) return rows;
    const { readOrders, sorted } = await import('./sort.ts');
    return sorted(rows, view, readOrders(sort), { onStrayField: this.#onStrayField() });
  }

  /** What was done is done: a misspelt column must not look as if nothing had been sent. */
  #onStrayField(): Surface['onStrayField'] {
    return this.#settings.finishesUnread ? (message) => this.#messages.sayWarning(message) : undefined;
  }
}
