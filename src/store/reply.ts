/** The part of a sync reply that describes the sync. */
export interface SyncInfo {
  readonly syncToken: string;
  /** Time up to which the reply is complete; undefined if the service does not return it. */
  readonly syncTime: string | undefined;
  readonly olderRecordsExist?: boolean | undefined;
  /** Whether a full sync may lack the oldest messages of the scope. */
  readonly isCut?: boolean | undefined;
  /** The extension of the mailbox, if the address in the reply contains it. */
  readonly extensionId?: string | undefined;
  /** The account of the mailbox, if the address in the reply contains it. */
  readonly accountId?: string | undefined;
}

/** Receives a reply while it arrives. */
export interface ReplySink {
  /**
   * Receives the texts of complete records. A store that writes to a server returns a promise; the reader waits for
   * this promise before it continues.
   */
  records(texts: readonly string[]): void | Promise<void>;
  /** Receives a record that cannot be stored, with its ID if known. */
  problem(messageId: string | undefined, problem: string): void;
}

/** How the archive handles a message that the service deleted or purged. */
export type OnDelete = 'keep' | 'mark' | 'purge';

/** The policies that an archive stores for later runs. `purge` applies only to a run or task for which it was stated. */
export type StoredOnDelete = Exclude<OnDelete, 'purge'>;

/** Settings of one stored reply. */
export interface ApplySettings {
  readonly onDelete: OnDelete;
  /**
   * Whether the reply is a full sync, which returns the whole scope. A full sync overwrites the copy. Messages that it
   * does not return no longer exist on the service, except those that are older than all records of a cut reply.
   */
  readonly full: boolean;
  /** Whether the reply lacks the shared messages of queues, which the copy may contain (CURRENT-17). */
  readonly isPersonal?: boolean | undefined;
  /** The current time in ISO 8601 format. */
  readonly now: string;
}

/** Counts of the changes that one reply made. */
export interface SyncCounts {
  readonly received: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly purged: number;
  /** Number of archived messages that a full sync did not return. */
  readonly vanished: number;
  readonly errors: number;
}

/** A record that a sync could not store. */
export interface SyncProblem {
  readonly problemId: number;
  readonly streamId: number;
  readonly extensionId: string;
  readonly messageId: string | null;
  readonly problem: string;
}
