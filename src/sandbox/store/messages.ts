import type { Database } from '../../platform/sqlite.ts';
import type { Party } from '../../contract/message.ts';
import { prepare, QueryCache, type Slice, Where, type Window } from './sql.ts';

interface StoredMessage {
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
}
export interface MessageRow extends Omit<StoredMessage, 'sender' | 'recipients'> {
  readonly from: Party;
  readonly to: readonly Party[];
}
export interface AttachmentRow {
  readonly id: number;
  readonly messageId: number;
  readonly type: string;
  readonly contentType: string;
  readonly fileName: string | null;
  readonly vmDuration: number | null;
  readonly size: number;
}
/** Conditions of the message list; times in milliseconds, both ends included. */
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

export class MessageStore {
  readonly #byId;
  readonly #ofExtension;
  readonly #all;
  readonly #add;
  readonly #status;
  readonly #attachments;
  readonly #attach;
  readonly #conversation;
  readonly #addConversation;
  readonly #lists;
  readonly #count;

  constructor(db: Database) {
    this.#byId = prepare<StoredMessage>(db, 'SELECT * FROM message WHERE id = ?');
    this.#ofExtension = prepare<StoredMessage>(db, 'SELECT * FROM message WHERE extensionId = ? ORDER BY id');
    this.#all = prepare<StoredMessage>(db, 'SELECT * FROM message ORDER BY id');
    this.#add = prepare(db, 'INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#status = prepare(
      db,
      'UPDATE message SET messageStatus = ?, lastModifiedTime = ?, deliveryTime = ?, sendingAttempts = ? WHERE id = ?',
    );
    this.#attachments = prepare<AttachmentRow>(
      db,
      'SELECT id, messageId, type, contentType, fileName, vmDuration, length(content) AS size FROM attachment WHERE messageId = ? ORDER BY id',
    );
    this.#attach = prepare(db, 'INSERT INTO attachment VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#conversation = prepare<{ id: string }>(
      db,
      'SELECT id FROM conversation WHERE extensionId = ? AND ownNumber = ? AND peerNumber = ?',
    );
    this.#addConversation = prepare(db, 'INSERT INTO conversation VALUES (?, ?, ?, ?)');
    this.#count = prepare<{ n: number }>(db, 'SELECT count(*) AS n FROM message');
    this.#lists = new QueryCache(db);
  }

  byId(id: number): MessageRow | undefined {
    const row = this.#byId.get(id);
    return row && toMessage(row);
  }

  /** All of one mailbox, or of every mailbox, oldest first. */
  all(extensionId?: number): readonly MessageRow[] {
    const rows = extensionId === undefined ? this.#all.all() : this.#ofExtension.all(extensionId);
    return rows.map(toMessage);
  }

  count(): number {
    return this.#count.get()?.n ?? 0;
  }

  /** Newest first (docs/service-gaps.md). */
  list(extensionId: number, conditions: MessageConditions, window: Window): Slice<MessageRow> {
    const where = new Where()
      .add('extensionId = ?', extensionId)
      .add('creationTime BETWEEN ? AND ?', conditions.from, conditions.to)
      .in('availability', conditions.availability)
      .in('conversationId', conditions.conversationId)
      .in('direction', conditions.direction)
      .in('type', conditions.type)
      .in('readStatus', conditions.readStatus);
    if (conditions.phoneNumber !== undefined) {
      where.add(
        `(sender ->> 'phoneNumber' = ? OR EXISTS (SELECT 1 FROM json_each(recipients) WHERE value ->> 'phoneNumber' = ?))`,
        conditions.phoneNumber,
        conditions.phoneNumber,
      );
    }
    const grouping = conditions.distinctConversations ? ' GROUP BY coalesce(conversationId, id)' : '';
    const chosen = `SELECT max(id) AS id FROM message ${where.text}${grouping || ' GROUP BY id'}`;
    const total = this.#lists
      .query<{ n: number }>(`SELECT count(*) AS n FROM (${chosen})`)
      .get(...where.values);
    const rows = this.#lists
      .query<StoredMessage>(
        `SELECT * FROM message WHERE id IN (${chosen}) ORDER BY creationTime DESC, id DESC LIMIT ? OFFSET ?`,
      )
      .all(...where.values, window.limit, window.offset);
    return { rows: rows.map(toMessage), total: total?.n ?? 0 };
  }

  add(row: MessageRow): void {
    this.#add.run(
      row.id,
      row.extensionId,
      row.type,
      row.direction,
      row.availability,
      row.readStatus,
      row.messageStatus,
      row.priority,
      row.creationTime,
      row.lastModifiedTime,
      JSON.stringify(row.from),
      JSON.stringify(row.to),
      row.subject,
      row.conversationId,
      row.deliveryTime,
      row.sendingAttempts,
    );
  }

  saveStatus(row: MessageRow): void {
    this.#status.run(row.messageStatus, row.lastModifiedTime, row.deliveryTime, row.sendingAttempts, row.id);
  }

  attach(row: Omit<AttachmentRow, 'size'>, content: Uint8Array): void {
    this.#attach.run(row.id, row.messageId, row.type, row.contentType, row.fileName, row.vmDuration, content);
  }

  attachments(messageId: number): readonly AttachmentRow[] {
    return this.#attachments.all(messageId);
  }

  /** The conversation of one mailbox between two numbers; `make` gives the id of a new one. */
  conversation(extensionId: number, ownNumber: string, peerNumber: string, make: () => string): string {
    const known = this.#conversation.get(extensionId, ownNumber, peerNumber);
    if (known) return known.id;
    const id = make();
    this.#addConversation.run(extensionId, ownNumber, peerNumber, id);
    return id;
  }
}

function toMessage({ sender, recipients, ...row }: StoredMessage): MessageRow {
  return { ...row, from: JSON.parse(sender) as Party, to: JSON.parse(recipients) as Party[] };
}
