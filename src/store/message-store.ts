import type {
  ExportMedia,
  ExportRow,
  ExportState,
  ExportThread,
  Selection,
  ThreadPlace,
} from './export-row.ts';
import type { Mailbox, Stream, StreamStatus, SyncScope } from './mailbox.ts';
import type {
  ApplySettings,
  OnDelete,
  ReplySink,
  StoredOnDelete,
  SyncCounts,
  SyncInfo,
  SyncProblem,
} from './reply.ts';
import type { Hint } from '../errors/hint.ts';

/** Reads a time in milliseconds since 1970; undefined if the text is not a time. */
export type ReadTime = (text: string) => number | undefined;

/** The columns of a message that decide whether the archive may store it. */
export interface ExcludableRecord {
  readonly type: string;
  readonly creationTime: string;
  readonly fromNumber: string | null;
  readonly toNumbers: string;
}

/** A sequence that a store reads while it is consumed. */
export type Rows<T> = Iterable<T> | AsyncIterable<T>;

/** A message that a search found. */
export interface Found {
  readonly id: string;
  /** Number of the mailbox, or its ID. */
  readonly mailbox: string;
  readonly extensionId: string;
  readonly type: string;
  readonly direction: string | null;
  readonly creationTime: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly fromName: string | null;
  readonly toNames: string | null;
  readonly readStatus: string | null;
  readonly availability: string;
  readonly conversationId: string | null;
  readonly text: string | null;
}

/** The data of a number in the archive. */
export interface Traces {
  readonly messages: number;
  readonly versions: number;
  readonly attachments: number;
  readonly first: string | null;
  readonly last: string | null;
  /** Files that were exported from this archive and may contain the number. */
  readonly exports: readonly string[];
  /** The data that legal holds retain, as text, so that nothing can be erased; null if no hold applies. */
  readonly hold: string | null;
}

/** The result of one check. */
export interface Check {
  readonly check: string;
  readonly checked: number;
  readonly wrong: number;
  readonly details: readonly string[];
  /** The file of the database if SQLite reports that it is damaged. No sync repairs it. */
  readonly damagedFile?: string;
}

/** The data of a message that a comparison with the service needs. */
export interface CopiedMessage {
  readonly extensionId: string;
  readonly id: string;
  readonly raw: string;
  readonly availability: string;
  readonly missingSince: string | null;
}

/** An attachment that is not copied yet, with the record that describes it. */
export interface MissingMedia {
  readonly pk: number;
  readonly id: string;
  readonly uri: string;
  readonly contentType?: string | undefined;
  readonly fileName?: string | undefined;
  readonly size?: number | undefined;
}

/** The content of an attachment, which a message refers to. */
export interface SavedMedia {
  readonly pk: number;
  readonly id: string;
  readonly contentType: string | undefined;
  readonly fileName: string | undefined;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The result of storing the row of an attachment. The content of an attachment that its message no longer needs, for
 * example after an erasure, becomes garbage.
 */
export type SaveResult = 'saved' | 'not needed' | 'content deleted';

/** Rows that a statement of the user returned. */
export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: Rows<Readonly<Record<string, unknown>>>;
}

/** A line of the audit log. */
export interface AuditEntry {
  readonly action: 'export' | 'erase' | 'retention';
  /** The data that was exported, erased or expired, without message content. */
  readonly subject: string;
  readonly count: number;
  /** The current time in ISO 8601 format. */
  readonly at: string;
}

/** The sync state of mailboxes. */
export interface SyncStore {
  /**
   * Runs the work of a sync. The store may commit without waiting for the disk. All commits are on disk when the promise
   * resolves. After a power failure, the copy and its sync tokens may be in the state of an earlier commit.
   */
  syncing<T>(work: () => Promise<T>): Promise<T>;
  /** Records mailboxes, in one transaction. */
  saveMailboxes(mailboxes: readonly Mailbox[]): Promise<void>;
  /** Returns the mailbox of the signed-in user; undefined if it was never copied. */
  ownMailbox(): Promise<Mailbox | undefined>;
  /** Returns the policy for messages that the service deleted; undefined if no command has stored one. */
  onDelete(): Promise<StoredOnDelete | undefined>;
  /** Whether an earlier version stored the policy `purge`, which does not count, and no policy was stored since. */
  hasIgnoredPurge(): Promise<boolean>;
  /** Returns the different policies of the enrolled tasks, which apply until a policy is stored. */
  taskPolicies(): Promise<readonly OnDelete[]>;
  /** Stores the policy of later syncs. */
  saveOnDelete(policy: StoredOnDelete): Promise<void>;
  /** Returns the number of messages of mailboxes that only the policy `purge` removes. */
  removable(extensionIds: readonly string[]): Promise<number>;
  /** Returns the stream of a scope, which the first sync creates. */
  openStream(extensionId: string, scope: SyncScope, dateFrom?: string): Promise<Stream>;
  /** Returns all streams, ordered by mailbox. */
  streams(): Promise<readonly Stream[]>;
  /** Returns all sync scopes with their message counts and the time since the last sync. */
  status(now: number): Promise<readonly StreamStatus[]>;
  /** Warnings about messages that the service will soon delete and that are not copied. */
  retentionWarnings(now: number): Promise<readonly Hint[]>;
  /**
   * Stores one reply and its token in one transaction. If `read` or the commit throws, nothing of the reply is stored.
   * @param read passes the records of the reply to the sink, and returns what the reply says about the sync.
   */
  apply<T extends SyncInfo>(
    stream: Stream,
    settings: ApplySettings,
    read: (sink: ReplySink) => Promise<T>,
  ): Promise<{ readonly counts: SyncCounts; readonly info: T }>;
  /** Writes the full-text index again if it differs from the messages. @returns whether it differed */
  repairIndex(): Promise<boolean>;
  /**
   * Writes the columns of a mailbox again that differ from the records of its messages, and their words. `repairIndex` must be
   * called first. An aborted signal ends the repair early; each changed message is then complete.
   * @returns the number of changed messages
   */
  repairColumns(extensionId: string, signal: AbortSignal): Promise<number>;
  /** Returns the records that syncs could not store. */
  problems(): Promise<readonly SyncProblem[]>;
  /** Stores the record of a problem and deletes the problem. `text` is undefined if the message no longer exists. */
  settle(
    problem: SyncProblem,
    stream: Stream,
    text: string | undefined,
    settings: ApplySettings,
  ): Promise<'copied' | 'not found' | 'failed'>;
}

/** Reads of copied messages. */
export interface MessageReader {
  /**
   * Finds messages, newest first.
   * @throws {SearchError} the search is not valid.
   */
  search(text: string, limit: number, readTime: ReadTime): Promise<Rows<Found>>;
  /** Returns the messages that a search finds, for an export. @throws {SearchError} the search is not valid. */
  select(text: string, readTime: ReadTime): Selection;
  /** Runs one read-only statement. @param signal cancels a statement on a server. */
  query(statement: string, signal?: AbortSignal): Promise<QueryResult>;
  /** Returns the position after all changes that are stored now. */
  position(): Promise<number>;
  /**
   * Returns the selected messages that changed after a position, oldest first; equal times are ordered by mailbox and
   * ID.
   */
  changedAfter(position: number, selection: Selection): Rows<ExportRow>;
  /** Returns the threads of the selected messages, latest first. */
  threads(selection: Selection): Rows<ExportThread>;
  /** Returns the selected messages of one thread, oldest first. */
  threadMessages(thread: ThreadPlace, selection: Selection): Rows<ExportRow>;
  /** Returns the thread of a message. @param mailbox number or ID of its extension */
  threadOf(mailbox: string, messageId: string): Promise<ThreadPlace | undefined>;
  /** Returns the copied attachments of a message, ordered by ID. */
  attachments(pk: number): Promise<readonly ExportMedia[]>;
  /** Returns the copied messages with these IDs. */
  copied(extensionId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CopiedMessage>>;
  /** Returns the IDs of the messages of a stream that still exist on the service, as far as the archive knows. */
  aliveIds(stream: Stream): Rows<string>;
  /** Returns random messages that still exist on the service, as far as the archive knows. */
  sample(count: number): Promise<readonly CopiedMessage[]>;
  /** Checks the structure and the full-text index without requests to the service. */
  check(): Promise<readonly Check[]>;
}

/** The attachments that messages refer to; `MediaStore` has their content. */
export interface MediaTable {
  /**
   * Runs work that copies attachments of a mailbox. Only one process at a time does this: several processes would
   * download the same attachments, and write to the same partial files. @returns undefined if another process does.
   */
  copyingMedia<T>(extensionId: string, work: () => Promise<T>): Promise<T | undefined>;
  /** Yields the attachments of a mailbox that are not copied, oldest message first. */
  missingMedia(extensionId: string): AsyncGenerator<MissingMedia, void, undefined>;
  /**
   * Stores the row of an attachment whose content is in the media store.
   * @param isStored whether the media store still has the content. Another run may have deleted it, because no row used
   * it. If so, nothing is stored. No run deletes the content between this check and the commit.
   */
  saveMedia(media: SavedMedia, isStored: () => Promise<boolean>): Promise<SaveResult>;
  /** Returns the hashes of all copied attachments, or of the attachments of one mailbox. */
  mediaHashes(extensionId?: string): Rows<string>;
  isMediaUsed(sha256: string): Promise<boolean>;
  /**
   * Deletes the rows of content that is missing, damaged or unreadable, if the next sync can copy it again because the service still
   * has one of their messages. The content is then deleted with `remove`. No row is stored for it meanwhile.
   * @returns the number of rows of this mailbox, if the content cannot be copied again; otherwise 0.
   */
  forgetMedia(sha256: string, extensionId: string, remove: () => Promise<void>): Promise<number>;
  /** Content that deleted messages used. */
  mediaGarbage(): Promise<readonly string[]>;
  /**
   * Deletes content of the garbage list with `remove` if no row uses it, and removes it from the list. No row is stored
   * for the content meanwhile.
   */
  deleteGarbage(sha256: string, remove: () => Promise<void>): Promise<void>;
}

/** Exports and erasures. */
export interface Compliance {
  /** @throws {OtherSelectionError} the previous export selected other messages. */
  exportState(target: Pick<ExportState, 'target' | 'format' | 'filter'>): Promise<ExportState | undefined>;
  /** Stores the position of an export, with the line in the audit log. */
  saveExportState(state: ExportState, line?: AuditEntry): Promise<void>;
  /**
   * Runs an export to a target. Only one process at a time exports to it.
   * @throws {ExportRunningError} another process exports to this target.
   */
  exporting<T>(target: string, work: () => Promise<T>): Promise<T>;
  /** Searches senders and recipients for a number. */
  traces(number: string): Promise<Traces>;
  /**
   * Removes every message from or to a number with its versions, full text and attachments, and every call with the
   * number. Stores a salted hash of the number, so that later syncs do not copy them again, and adds a line to the
   * audit log; all in one transaction.
   */
  erase(number: string, now: number): Promise<void>;
  /** Returns a function that checks whether one of several numbers was erased. */
  erasedNumbers(): Promise<(numbers: readonly string[]) => boolean>;
  /**
   * Returns a function that checks whether a message must not be stored: one of its numbers was erased, or a retention
   * rule deleted it.
   */
  excluded(extensionId: string): Promise<(record: ExcludableRecord) => boolean>;
}

/** The store of copied messages. One implementation is SQLite, the other PostgreSQL. */
export interface MessageStore extends SyncStore, MessageReader, MediaTable, Compliance {
  /** File or address of the store for messages to the user, without a password. */
  readonly location: string;
  /** Returns the size of the store in bytes. */
  size(): Promise<number>;
}
