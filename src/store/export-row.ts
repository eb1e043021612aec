/** A message in the form that exports use. */
export interface ExportRow {
  readonly pk: number;
  readonly id: string;
  readonly mailbox: string;
  readonly type: string;
  readonly direction: string | null;
  readonly availability: string;
  readonly readStatus: string | null;
  readonly messageStatus: string | null;
  readonly creationTime: string;
  readonly lastModifiedTime: string | null;
  readonly conversationId: string | null;
  readonly fromNumber: string | null;
  readonly fromExtension: string | null;
  readonly fromName: string | null;
  readonly toNumbers: string | null;
  readonly toNames: string | null;
  readonly text: string | null;
  readonly attachments: number;
  readonly raw: string;
}

/** The messages that an export includes. A store creates it from a search. */
export interface Selection {
  /**
   * The search that selected the messages; empty for all messages. An export can be continued only with the same
   * search.
   */
  readonly filter: string;
  /** A condition on `message.pk`, in SQL of the store that created it. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A copied attachment. */
export interface ExportMedia {
  readonly sha256: string;
  readonly contentType: string | null;
  readonly fileName: string | null;
}

/**
 * The conversation of a message, and the key of the message; a message without a conversation is its own thread. A
 * thread has messages of one mailbox, because two mailboxes can have copies of the same pager messages.
 */
export interface ThreadPlace {
  /** ID of the extension. */
  readonly mailbox: string;
  readonly conversation: string | null;
  readonly pk: number;
}

/** A thread with the values that an index shows in the thread's line. */
export interface ExportThread extends ThreadPlace {
  /** ID of the latest message. */
  readonly id: string;
  readonly messages: number;
  readonly lastTime: string;
  /** Type of the latest message. */
  readonly type: string;
  readonly text: string | null;
}

/** The position of an export. */
export interface ExportState {
  readonly target: string;
  readonly format: string;
  /** The search that selected the messages; empty for all messages. */
  readonly filter: string;
  /** The position in the changes of the store, as returned by `MessageStore.position`. */
  readonly runId: number;
  /** Length of the complete part of the file in bytes. */
  readonly bytes: number;
  /**
   * Identifies the file, so that no machine continues a file that another machine wrote at the same path. Undefined if the
   * version of ucctl that wrote the file did not record it; the next export then continues the file.
   */
  readonly file?: string | undefined;
}
