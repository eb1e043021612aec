/** A value of a parameter in a statement. */
export type SqlParameter =
  | string
  | number
  | bigint
  | boolean
  | Date
  | null
  | Uint8Array
  | readonly (string | number | null)[];

/** A statement that each connection parses once. */
export interface PreparedStatement {
  /** Identifies the text on a connection. */
  readonly name: string;
  readonly text: string;
}
