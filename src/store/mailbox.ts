/** A mailbox of the archive. */
export interface Mailbox {
  readonly extensionId: string;
  readonly extensionNumber?: string | undefined;
  readonly name?: string | undefined;
  /** Whether this is the mailbox of the signed-in user. */
  readonly own: boolean;
}

/**
 * The messages that one sync covers: one type and one direction, from one date. Each scope has its own sync token.
 * Tokens of different scopes are never mixed.
 */
export interface SyncScope {
  readonly messageType?: string | undefined;
  readonly direction?: string | undefined;
  /** The text of `--since`, so that `30d` is the same scope tomorrow. The stream stores the date of the first sync. */
  readonly since?: string | undefined;
  readonly maxRecords?: number | undefined;
}

/** One sync scope of one mailbox with its sync state. */
export interface Stream {
  readonly streamId: number;
  readonly extensionId: string;
  readonly messageType: string | undefined;
  readonly direction: string | undefined;
  readonly dateFrom: string;
  readonly maxRecords: number | undefined;
  readonly syncToken: string | undefined;
  readonly syncTime: string | undefined;
  readonly fullSyncTime: string | undefined;
  readonly olderRecords: boolean;
}

/** The state of one sync scope of a mailbox. */
export interface StreamStatus {
  readonly mailbox: string;
  readonly extensionId: string;
  readonly type: string | null;
  readonly direction: string | null;
  readonly dateFrom: string;
  readonly messages: number;
  /** Messages that the service no longer has. */
  readonly deleted: number;
  readonly errors: number;
  readonly syncTime: string | null;
  readonly lagSeconds: number | null;
  readonly fullSyncTime: string | null;
}
