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

/**
 * Returns the values for the client library. PostgreSQL rejects texts with U+0000, so one such text of the service would
 * prevent the storage of everything with it. The character is replaced as in the columns of SQLite.
 */
export function storableValues(values: readonly SqlParameter[]): SqlParameter[] {
  return values.map((value) =>
    Array.isArray(value) ? (value as readonly (string | number | null)[]).map(withoutNul) : withoutNul(value),
  );
}

function withoutNul<T>(value: T): T | string {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}
