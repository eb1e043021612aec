import type { ExportRow } from '../../../store/export-row.ts';

/** Encodes messages as the bytes of one file, piece by piece. */
export interface FileEncoder {
  /**
   * Adds a message. @returns bytes that are ready to be written; undefined if the encoder needs more messages first.
   */
  add(row: ExportRow): Promise<Uint8Array | undefined>;
  /** Returns the remaining bytes and the end of the file. */
  end(): Uint8Array;
}

/** The file of an earlier export that this export continues. */
export interface Continued {
  /** Length of the file in bytes. */
  readonly bytes: number;
  /** Reads bytes of the file. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>;
}
