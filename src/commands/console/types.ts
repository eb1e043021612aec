/** A change that the user must confirm. */
export interface ChangePreview {
  /** Identifies the change for 10 minutes. */
  readonly id: string;
  /** The command line that makes the change. */
  readonly command: string;
  /** The requests of a dry run, or the plan of the change. */
  readonly preview: unknown;
  /** The lines that the command writes for people. */
  readonly notes: readonly string[];
}

/** The result of a command that the page runs. */
export interface CommandResult {
  /** The JSON output of the command. */
  readonly result: unknown;
  /** The lines that the command writes for people. */
  readonly notes: readonly string[];
  /** IDs of the runs of changes that the command executed, which can be undone. */
  readonly runs: readonly string[];
}

/** A conversation in the list, with its newest message that matches the search. */
export interface CopiedConversation {
  /** Number of the mailbox, or its ID. */
  readonly mailbox: string;
  /** The mailbox with the name of its owner, such as `Mailbox of Dana Okafor (102)`. */
  readonly mailboxTitle: string;
  /** Identifies the conversation in its mailbox, also after further messages. */
  readonly key: string;
  /** ID of the message. */
  readonly id: string;
  readonly type: string;
  readonly direction: string | null;
  /** Time in ISO 8601. */
  readonly time: string;
  readonly isUnread: boolean;
  /** Name and number of the other party, or the names of the other parties. */
  readonly who: string;
  readonly text: string | null;
  /** Number of matching messages of this conversation among those that were read. */
  readonly matches: number;
}

export interface CopiedConversations {
  readonly conversations: readonly CopiedConversation[];
  /** Whether there may be further conversations. */
  readonly hasMore: boolean;
  /** Database file or store. */
  readonly location: string;
  /** Last sync of the mailbox that was copied longest ago, in ISO 8601; absent before the first sync. */
  readonly copiedAt?: string | undefined;
  /** The title of this mailbox, if the conversations are from several mailboxes. */
  readonly oldestMailbox?: string | undefined;
  /** The value of `--extension` that copies this mailbox; absent for the mailbox of the signed-in user. */
  readonly oldestExtension?: string | undefined;
}

/** An attachment of a copied message. */
export interface CopiedAttachment {
  readonly contentType: string;
  readonly fileName: string | null;
  /** Path of the content; undefined if the attachment is not copied. */
  readonly path: string | undefined;
  /** Duration of a voicemail in seconds. */
  readonly seconds: number | undefined;
}

export interface CopiedMessage {
  readonly id: string;
  readonly type: string;
  readonly direction: string | null;
  /** Time in ISO 8601. */
  readonly time: string;
  readonly status: string | null;
  readonly isUnread: boolean;
  readonly isDeleted: boolean;
  /** Whether the signed-in user sent the message. */
  readonly isOwn: boolean;
  readonly from: string;
  readonly to: string;
  readonly text: string | null;
  readonly attachments: readonly CopiedAttachment[];
}

/** A conversation of the local mailbox copy, oldest message first. */
export interface CopiedThread {
  readonly mailbox: string;
  /** The `key` of the conversation. */
  readonly key: string;
  /** The mailbox with the name of its owner, such as `Mailbox of Dana Okafor (102)`. */
  readonly mailboxTitle: string;
  readonly title: string;
  /** The newest messages. */
  readonly messages: readonly CopiedMessage[];
  /** Whether the conversation has older messages. */
  readonly hasOlder: boolean;
  /** The kind of reply that ucctl can send; undefined if ucctl cannot send a reply. */
  readonly reply: 'sms' | 'pager' | undefined;
}

/** A call queue in a list. */
export interface ListedQueue {
  readonly id: number | string;
  readonly name: string;
  readonly extensionNumber?: string;
  readonly members?: number;
}

/** An agent of a queue, or a person who can become one. */
export interface ListedPerson {
  readonly id: number | string;
  readonly name: string;
  readonly extensionNumber?: string;
}

/** A person on the board. */
export interface BoardLine {
  readonly extensionId: string;
  readonly extensionNumber?: string;
  readonly name: string;
  /** `removed` if the person is no longer on the board. */
  readonly state: string;
  readonly reason?: string;
  readonly acceptsQueueCalls?: boolean;
  /** Start of the state in ISO 8601. */
  readonly since: string;
  readonly isStartKnown: boolean;
  /** Direction and other end of the call of a person who is ringing or on a call. */
  readonly callText?: string;
}

interface CallCounts {
  readonly calls: number;
  readonly inbound: number;
  readonly outbound: number;
  readonly unknownDirection: number;
  readonly answered: number;
  readonly missed: number;
  readonly abandoned: number;
  readonly voicemail: number;
  readonly unanswered: number;
  readonly other: number;
  readonly averageTalkSeconds: number;
}

/** The statistics of `calllog stats` that the page shows. */
export interface CallStatistics {
  readonly from?: string;
  readonly to?: string;
  readonly zone: string;
  readonly serviceLevelSeconds: number;
  readonly totals: CallCounts & { readonly serviceLevel?: number };
  readonly byHour: readonly (CallCounts & { readonly hour: number })[];
  readonly byDay: readonly (CallCounts & { readonly day: string })[];
  readonly byWeekdayAndHour: readonly (readonly number[])[];
  readonly byQueue: readonly (CallCounts & {
    readonly id: string;
    readonly name: string;
    readonly extensionNumber?: string;
    readonly serviceLevel?: number;
  })[];
  readonly byAgent: readonly {
    readonly id: string;
    readonly name: string;
    readonly extensionNumber?: string;
    readonly inbound: number;
    readonly outbound: number;
    readonly unknownDirection: number;
    readonly answered: number;
    readonly missedRings: number;
    readonly talkSeconds: number;
  }[];
  readonly byResult: readonly { readonly result: string; readonly calls: number }[];
}

export interface StatisticsReply {
  readonly stats: CallStatistics;
  readonly notes: readonly string[];
}

/** One counted call (`calllog stats --by call`). */
export interface CountedCall {
  readonly sessionId: string;
  readonly start?: string;
  readonly day?: string;
  readonly hour?: number;
  readonly direction: string;
  readonly from: string;
  readonly to: string;
  readonly outcome: string;
  readonly result: string;
  readonly waitSeconds: number;
  readonly talkSeconds: number;
  readonly queue?: string;
  readonly agents: readonly string[];
}

export interface CountedCalls {
  readonly calls: readonly CountedCall[];
  readonly total: number;
}

/** A check of `ucctl doctor`. */
export interface Finding {
  readonly check: string;
  readonly result: string;
  readonly found: string;
  /** The next step. */
  readonly todo?: string;
}

/** The session of the profile (`ucctl status`). */
export interface SessionFacts {
  /** The granted permissions; absent if the service did not report them. */
  readonly permissions?: readonly string[];
  /** Absent if a store has the limits. */
  readonly rateLimits?: readonly {
    readonly group: string;
    readonly perMinute: number;
    /** Known if few requests are left. */
    readonly left?: number;
    readonly resetsAt?: string;
    readonly blockedUntil?: string;
  }[];
}

/** A run of the journal (`ucctl history list`). */
export interface RunEntry {
  readonly id: string;
  readonly title: string;
  readonly state: string;
  readonly startedAt: string;
  readonly counts: { readonly ok: number; readonly failed: number };
  /** The service of the run, if it is not that of the profile. Only a profile of that service can undo the run. */
  readonly otherService?: string;
}

/** A message or call that was sent from this machine (`ucctl outcome list`). */
export interface OutcomeEntry {
  readonly id: number;
  readonly kind: string;
  readonly state: string;
  readonly to: string;
  readonly startedAt: string;
}
