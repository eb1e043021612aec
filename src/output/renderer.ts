import type { View } from '../runtime/output.ts';
import type { Sink } from '../runtime/system.ts';
import type { Paint, StyleMarks } from './paint.ts';

/** Where a renderer writes and what it was told about it. */
export interface Surface {
  /** `onTaken`: see Sink. */
  write(text: string, onTaken?: () => void): Promise<void>;
  /** See Sink. */
  readonly lastBytes?: Sink['lastBytes'];
  readonly isTerminal: boolean;
  /** Undefined: as wide as it needs. */
  readonly columns: number | undefined;
  readonly paint: Paint;
  readonly marks: StyleMarks;
  readonly header: boolean;
  /** Columns or record fields that the user picked. */
  readonly fields: readonly string[] | undefined;
  /** Members of the records, where the command names them. */
  readonly jsonFields?: readonly string[] | undefined;
  readonly csvRaw: boolean;
  /** Time zone that times are shown in; UTC. */
  readonly zone?: string | undefined;
  /** Told of a field that does not exist, where that must not end the command; its column is then empty. */
  readonly onStrayField?: ((message: string) => void) | undefined;
  now(): number;
}

export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** One format. `list` answers how many rows there were. */
export interface Renderer {
  list<T extends object>(rows: Rows<T>, view: View<T>): Promise<number>;
  record<T extends object>(row: T, view: View<T>): Promise<void>;
  stream<T extends object>(rows: AsyncIterable<T>, view: View<T>): Promise<void>;
}
