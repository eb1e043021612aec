import type { Client } from '../../client/index.ts';
import type { Archive } from '../../store/archive.ts';
import type { OnDelete } from '../../store/reply.ts';
import type { Context } from '../../runtime/context.ts';
import type { SyncOptions } from './sync-options.ts';

/** Settings that are the same for all mailboxes of one run. */
export interface CopyRun {
  readonly ctx: Context;
  /** Ends the requests. */
  readonly signal: AbortSignal;
  readonly api: Client;
  readonly archive: Archive;
  readonly options: SyncOptions;
  /** The policy for messages that the service deleted. */
  readonly onDelete: OnDelete;
  /** The time of `--since`; ISO 8601. */
  readonly dateFrom: string | undefined;
  readonly place: PlaceState;
  /** Number of messages with repaired columns, by mailbox; undefined without `--full`. */
  readonly repaired?: ReadonlyMap<string, number> | undefined;
}

/** The place of the attachments during a run. */
export interface PlaceState {
  /** Why the place cannot be used. The run then copies only messages, and ends with this error. */
  failure?: Error;
  /** The error of an unused file that could not be deleted. The run continues, and ends with this error. */
  fileFailure?: Error;
}
