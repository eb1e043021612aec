import type { PathCheck } from '../runtime/field-path.ts';
import type { View } from '../runtime/output.ts';
import type { Sink } from '../runtime/streams.ts';
import type { Paint, StyleMarks } from './paint.ts';

/** The destination of a renderer, with its settings. */
export interface Surface {
  /** Writes a text. `onWritten`: see `Sink.write`. */
  write(text: string, onWritten?: () => void): Promise<void>;
  /** See `Sink.lastBytes`. */
  readonly lastBytes?: Sink['lastBytes'];
  readonly isTerminal: boolean;
  /** Width in columns; undefined for unlimited. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  readonly marks: StyleMarks;
  readonly header: boolean;
  /** Columns or record fields selected by the user. */
  readonly fields: readonly string[] | undefined;
  /** All JSON fields of the records, if the command defines them. A selected field among them needs no sample. */
  readonly knownFields?: readonly string[] | undefined;
  /** Checks a path into the records, if the command describes them. */
  readonly checkPath?: PathCheck | undefined;
  readonly csvRaw: boolean;
  /** Time zone for displayed times; default UTC. */
  readonly zone?: string | undefined;
  /** Reports an unknown field, and its column is empty. Without this function, an unknown field is an error. */
  readonly onUnknownField?: ((message: string) => void) | undefined;
  /** After changes were made, receives the JSON that `--jq` could not filter. */
  readonly onUnfiltered?: ((json: string) => void) | undefined;
  /** Receives the titles of the columns of a list that do not fit the terminal. */
  readonly onHidden?: ((titles: readonly string[]) => void) | undefined;
  now(): number;
}

export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** An output format. `list` resolves with the number of rows. */
export interface Renderer {
  list<T extends object>(rows: Rows<T>, view: View<T>): Promise<number>;
  record<T extends object>(row: T, view: View<T>): Promise<void>;
  stream<T extends object>(rows: AsyncIterable<T>, view: View<T>): Promise<void>;
}
