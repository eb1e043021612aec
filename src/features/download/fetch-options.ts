import type { OpenFile } from './part-file.ts';
import type { OpenContent } from './transfer.ts';

/** What becomes of a file that is there, and of an unfinished one. */
export type Existing = 'refuse' | 'skip' | 'clobber' | 'continue';

/** One file to be downloaded. */
export interface FetchOptions {
  readonly open: OpenContent;
  /** The address, by which an unfinished file is known again. */
  readonly uri: string;
  readonly folder: string;
  /** The folder is there and `folder` its real path; the caller makes the names in it last (`syncFolder`), once for many files. */
  readonly isFolderReady?: boolean;
  /** A safe name. */
  readonly name: string;
  readonly existing: Existing;
  /** Content type by the metadata. */
  readonly expectedType?: string | undefined;
  /** Size by the metadata: the only check when the connection's end is the content's. */
  readonly expectedSize?: number | undefined;
  readonly wantsChecksum: boolean;
  /** Of a file that was there already too: it is read for it. */
  readonly wantsOldChecksum?: boolean;
  /** Connections for one large file. */
  readonly connections: number;
  readonly signal: AbortSignal;
  sleep(milliseconds: number): Promise<void>;
  readonly onBytes?: ((count: number, far: HowFar) => void) | undefined;
  /** All bytes came; what is left is the disk's part. */
  readonly onRead?: (() => void) | undefined;
  readonly openFile?: OpenFile | undefined;
}

/** How much of one file is there, in bytes. */
export interface HowFar {
  readonly received: number;
  /** Undefined until the service told it. */
  readonly total: number | undefined;
}

/** A file that is there, and how it came. */
export interface Fetched {
  readonly status: 'downloaded' | 'resumed' | 'exists';
  /** Absolute. */
  readonly file: string;
  readonly bytes: number;
  readonly contentType: string | undefined;
  readonly sha256: string | undefined;
  readonly warnings: readonly string[];
}
