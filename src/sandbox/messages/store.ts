import type { Database } from '../../platform/sqlite.ts';
import type { Party } from '../../contract/message.ts';
import { readableThread } from '../pager/store.ts';
import { addOwners, type MessageOwners } from './owner-condition.ts';
import { prepare, prepareInsert, QueryCache, type Slice, Conditions, type RowWindow } from '../world/sql.ts';

export interface StoredMessage {
  readonly id: number;
  readonly extensionId: number;
  readonly type: string;
  readonly direction: string;
  readonly availability: string;
  readonly readStatus: string;
  readonly messageStatus: string;
  readonly priority: string;
  readonly creationTime: number;
  readonly lastModifiedTime: number;
  readonly sender: string;
  readonly recipients: string;
  readonly subject: string | null;
  readonly conversationId: string | null;
  readonly deliveryTime: number | null;
  readonly sendingAttempts: number | null;
  readonly details: string;
  /** Increases with every change in the sandbox; incremental syncs compare it. */
  readonly changeSequence: number;
}
/** Members that exist only for some message types. */
export interface MessageDetails {
  readonly faxResolution?: string;
  readonly faxPageCount?: number;
  readonly coverIndex?: number;
  readonly coverPageText?: string;
  /** The time in milliseconds since 1970 at which a scheduled fax is sent. */
  readonly sendTime?: number;
  readonly vmTranscriptionStatus?: string;
  readonly pgToDepartment?: boolean;
  readonly deliveryErrorCode?: string;
}
export interface MessageRow extends Omit<StoredMessage, 'sender' | 'recipients' | 'details'> {
  readonly from: Party;
  readonly to: readonly Party[];
  readonly details: MessageDetails;
}
/** Filters of the message list. Times are in milliseconds; both ends of the range are included. */
export interface MessageConditions {
  readonly availability: readonly string[];
  readonly conversationId?: readonly string[] | undefined;
  readonly from: number;
  readonly to: number;
  readonly direction?: readonly string[] | undefined;
  readonly distinctConversations?: boolean | undefined;
  readonly type?: readonly string[] | undefined;
  readonly readStatus?: readonly string[] | undefined;
  readonly phoneNumber?: string | undefined;
}

const changeCounter = 'message.change';

const storedColumns = [
  'id',
  'extensionId',
  'type',
  'direction',
  'availability',
  'readStatus',
  'messageStatus',
  'priority',
  'creationTime',
  'lastModifiedTime',
  'sender',
  'recipients',
  'subject',
  'conversationId',
  'deliveryTime',
  'sendingAttempts',
  'details',
  'changeSequence',
] as const satisfies readonly (keyof StoredMessage)[];

/** The message store of every extension. */
export class MessageStore {
  readonly #byId;
  readonly #ofExtension;
  readonly #all;
  readonly #add;
  readonly #save;
  readonly #remove;
  readonly #removeMailbox;
  readonly #nextChange;
  readonly #lastChange;
  readonly #count;
  readonly #alive;
  readonly #oldest;
  readonly #unread;
  readonly #conversation;
  readonly #addConversation;
  readonly #lists;
  readonly #total;

  constructor(db: Database) {
    this.#byId = prepare<StoredMessage>(db, 'SELECT * FROM message WHERE id = :id');
    this.#ofExtension = prepare<StoredMessage>(
      db,
      'SELECT * FROM message WHERE extensionId = :extensionId ORDER BY id',
    );
    this.#all = prepare<StoredMessage>(db, 'SELECT * FROM message ORDER BY id');
    this.#add = prepareInsert<StoredMessage>(db, 'message', storedColumns);
    this.#save = prepare<never, StoredMessage>(
      db,
      `UPDATE message SET availability = :availability, readStatus = :readStatus, messageStatus = :messageStatus, lastModifiedTime = :lastModifiedTime, recipients = :recipients, deliveryTime = :deliveryTime,
       sendingAttempts = :sendingAttempts, details = :details, changeSequence = :changeSequence WHERE id = :id`,
    );
    this.#remove = prepare(db, 'DELETE FROM message WHERE id = :id');
    this.#removeMailbox = [
      'DELETE FROM attachment WHERE messageId IN (SELECT id FROM message WHERE extensionId = :extensionId)',
      'DELETE FROM conversation WHERE extensionId = :extensionId',
      'DELETE FROM mailboxCount WHERE extensionId = :extensionId',
      'DELETE FROM message WHERE extensionId = :extensionId',
    ].map((sql) => prepare(db, sql));
    this.#nextChange = prepare<{ value: number }>(
      db,
      `INSERT INTO meta (key, value) VALUES ('${changeCounter}', '1') ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + 1
       RETURNING CAST(value AS INTEGER) AS value`,
    );
    this.#lastChange = prepare<{ value: number }>(
      db,
      `SELECT CAST(value AS INTEGER) AS value FROM meta WHERE key = '${changeCounter}'`,
    );
    this.#count = prepare(
      db,
      'INSERT INTO mailboxCount (extensionId, type, alive) VALUES (:extensionId, :type, :alive) ON CONFLICT DO UPDATE SET alive = alive + excluded.alive',
    );
    this.#alive = prepare<{ alive: number }>(
      db,
      'SELECT alive FROM mailboxCount WHERE extensionId = :extensionId AND type = :type',
    );
    this.#oldest = prepare<StoredMessage>(
      db,
      `SELECT * FROM message WHERE extensionId = :extensionId AND type = :type AND availability = 'Alive' ORDER BY creationTime, id LIMIT 1`,
    );
    this.#unread = prepare<StoredMessage>(
      db,
      `SELECT * FROM message WHERE extensionId = :extensionId AND type = :type AND availability = 'Alive' AND direction = 'Inbound' AND readStatus = 'Unread'
       ORDER BY creationTime DESC, id DESC LIMIT 1 OFFSET :offset`,
    );
    this.#conversation = prepare<{ id: string }>(
      db,
      'SELECT id FROM conversation WHERE extensionId = :extensionId AND ownNumber = :ownNumber AND peerNumber = :peerNumber',
    );
    this.#addConversation = prepareInsert(db, 'conversation', [
      'extensionId',
      'ownNumber',
      'peerNumber',
      'id',
    ]);
    this.#total = prepare<{ n: number }>(db, 'SELECT count(*) AS n FROM message');
    this.#lists = new QueryCache(db);
  }

  byId(id: number): MessageRow | undefined {
    const row = this.#byId.get({ id });
    return row && toMessageRow(row);
  }

  /** Returns all messages of one mailbox, or of every mailbox, oldest first. */
  all(extensionId?: number): readonly MessageRow[] {
    const rows = extensionId === undefined ? this.#all.all() : this.#ofExtension.all({ extensionId });
    return rows.map(toMessageRow);
  }

  count(): number {
    return this.#total.get()?.n ?? 0;
  }

  /** Lists messages, newest first (docs/internals/service-gaps.md). */
  list(mailbox: number, conditions: MessageConditions & MessageOwners, window: RowWindow): Slice<MessageRow> {
    const where = addOwners(new Conditions(), mailbox, conditions)
      .add('creationTime BETWEEN :from AND :to', { from: conditions.from, to: conditions.to })
      .in('availability', conditions.availability)
      .in('conversationId', conditions.conversationId)
      .in('direction', conditions.direction)
      .in('type', conditions.type)
      .in('readStatus', conditions.readStatus)
      .add(readableThread);
    if (conditions.phoneNumber !== undefined) {
      where.add(
        `(sender ->> 'phoneNumber' = :phoneNumber OR EXISTS (SELECT 1 FROM json_each(recipients) WHERE value ->> 'phoneNumber' = :phoneNumber))`,
        { phoneNumber: conditions.phoneNumber },
      );
    }
    const grouping = conditions.distinctConversations ? ' GROUP BY coalesce(conversationId, id)' : '';
    const chosen = `SELECT max(id) AS id FROM message ${where.text}${grouping || ' GROUP BY id'}`;
    const total = this.#lists.query<{ n: number }>(`SELECT count(*) AS n FROM (${chosen})`).get(where.values);
    const rows = this.#lists
      .query<StoredMessage>(
        `SELECT * FROM message WHERE id IN (${chosen}) ORDER BY creationTime DESC, id DESC LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, ...window });
    return { rows: rows.map(toMessageRow), total: total?.n ?? 0 };
  }

  /** Returns the messages of one mailbox, oldest first. */
  matching(
    extensionId: number,
    conditions: Pick<MessageConditions, 'availability' | 'conversationId' | 'to' | 'type'>,
  ): readonly MessageRow[] {
    const where = new Conditions()
      .add('extensionId = :extensionId', { extensionId })
      .add('creationTime <= :to', { to: conditions.to })
      .in('availability', conditions.availability)
      .in('conversationId', conditions.conversationId)
      .in('type', conditions.type)
      .add(readableThread);
    return this.#lists
      .query<StoredMessage>(`SELECT * FROM message ${where.text} ORDER BY creationTime, id`)
      .all(where.values)
      .map(toMessageRow);
  }

  /** Stores a new message and returns it with its number in the sequence of changes. */
  add(message: Omit<MessageRow, 'changeSequence'>): MessageRow {
    const row = { ...message, changeSequence: this.#nextChange.get()?.value ?? 0 };
    this.#add.run(toStored(row));
    this.#count.run({
      extensionId: row.extensionId,
      type: row.type,
      alive: Number(row.availability === 'Alive'),
    });
    return row;
  }

  /** Writes the changeable columns of `row`; `before` is the previous row. */
  save(before: MessageRow, changed: MessageRow): MessageRow {
    const row = { ...changed, changeSequence: this.#nextChange.get()?.value ?? 0 };
    this.#save.run(toStored(row));
    const more = Number(row.availability === 'Alive') - Number(before.availability === 'Alive');
    if (more !== 0) this.#count.run({ extensionId: row.extensionId, type: row.type, alive: more });
    return row;
  }

  /** Deletes a purged message permanently. */
  remove(id: number): void {
    this.#remove.run({ id });
  }

  /** Deletes a mailbox with its messages, attachments and conversations, without events. */
  removeMailbox(extensionId: number): void {
    for (const statement of this.#removeMailbox) statement.run({ extensionId });
  }

  /** Returns the number of messages of a type that are Alive in a mailbox. */
  alive(extensionId: number, type: string): number {
    return this.#alive.get({ extensionId, type })?.alive ?? 0;
  }

  oldest(extensionId: number, type: string): MessageRow | undefined {
    const row = this.#oldest.get({ extensionId, type });
    return row && toMessageRow(row);
  }

  /**
   * Returns the unread message at position `count`, counted from the newest; undefined if there are fewer unread
   * messages.
   */
  unreadAt(extensionId: number, type: string, count: number): MessageRow | undefined {
    const row = this.#unread.get({ extensionId, type, offset: count - 1 });
    return row && toMessageRow(row);
  }

  /** Returns the last number in the sequence of changes. */
  lastChange(): number {
    return this.#lastChange.get()?.value ?? 0;
  }

  /** Returns the conversation of one mailbox between two numbers; `make` returns the ID of a new conversation. */
  conversation(extensionId: number, ownNumber: string, peerNumber: string, make: () => string): string {
    const known = this.#conversation.get({ extensionId, ownNumber, peerNumber });
    if (known) return known.id;
    const id = make();
    this.#addConversation.run({ extensionId, ownNumber, peerNumber, id });
    return id;
  }
}

function toStored(row: MessageRow): StoredMessage {
  return {
    ...row,
    sender: JSON.stringify(row.from),
    recipients: JSON.stringify(row.to),
    details: JSON.stringify(row.details),
  };
}

/** Parses a stored row. */
export function toMessageRow({ sender, recipients, details, ...row }: StoredMessage): MessageRow {
  return {
    ...row,
    from: JSON.parse(sender) as Party,
    to: JSON.parse(recipients) as Party[],
    details: JSON.parse(details) as MessageDetails,
  };
}
