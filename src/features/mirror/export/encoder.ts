import type { ExportRow } from './row.ts';

/** Makes the bytes of one file out of messages, some of them at a time. */
export interface FileEncoder {
  /** Takes a message. @returns bytes that are ready to be written; undefined while more are to come first. */
  add(row: ExportRow): Promise<Uint8Array | undefined>;
  /** What is left, and what ends the file. */
  end(): Uint8Array;
}

/** What an earlier export wrote and this one continues. */
export interface Continued {
  /** Length of the file, in bytes. */
  readonly bytes: number;
  /** Reads of the file. */
  readonly read: (position: number, length: number) => Promise<Uint8Array>;
}
