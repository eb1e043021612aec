import type { OpenFile } from './part-file.ts';
import type { OpenContent } from './transfer.ts';

/** The handling of existing and partial files. */
export type Existing = 'fail' | 'skip' | 'clobber' | 'continue';

/** One file to be downloaded. */
export interface FetchOptions {
  readonly open: OpenContent;
  /** URL of the content, which identifies a partial file. */
  readonly uri: string;
  readonly folder: string;
  /**
   * Whether `folder` is the real path of an existing folder. If so, the caller runs `syncFolder` once for many files.
   */
  readonly isFolderReady?: boolean;
  /** Name of the file, as returned by `safeName`. */
  readonly name: string;
  readonly existing: Existing;
  /** Content type from the metadata. */
  readonly expectedType?: string | undefined;
  /** Whether the file may be JSON, such as a file of a message store report. By default, JSON is an error message. */
  readonly mayBeJson?: boolean | undefined;
  /**
   * Size in bytes from the metadata. An empty reply, and a reply without a length, must have this size, which is then the
   * only check that the file is complete. A shorter content of another reply gives a warning.
   */
  readonly expectedSize?: number | undefined;
  readonly wantsChecksum: boolean;
  /** Whether to compute the checksum of an existing file, too. */
  readonly wantsOldChecksum?: boolean;
  /** Maximum number of connections for one large file. */
  readonly connections: number;
  /** Maximum number of further connections after a lost connection (`--retry`). Each received byte resets the count. */
  readonly retries: number;
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
  /** Returns the milliseconds since any fixed time. */
  elapsed(): number;
  readonly onBytes?: ((count: number, progress: Progress) => void) | undefined;
  /** Called when all bytes are received and only disk writes remain. */
  readonly onRead?: (() => void) | undefined;
  /** Called when the download failed and its partial file is stored, so that a later run can resume it. */
  readonly onStored?: (() => void) | undefined;
  readonly openFile?: OpenFile | undefined;
}

/** The progress of one file in bytes. */
export interface Progress {
  readonly received: number;
  /** Total size in bytes; undefined until the service has sent it. */
  readonly total: number | undefined;
}

/** A complete file, and whether it was downloaded, resumed or already existed. */
export interface Fetched {
  readonly status: 'downloaded' | 'resumed' | 'exists';
  /** Absolute path of the file. */
  readonly file: string;
  readonly bytes: number;
  readonly contentType: string | undefined;
  readonly sha256: string | undefined;
  readonly warnings: readonly string[];
}
