import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

export interface AttachmentRow {
  readonly id: number;
  readonly messageId: number;
  readonly type: string;
  readonly contentType: string;
  readonly fileName: string | null;
  /** Duration of a voicemail in seconds. */
  readonly vmDuration: number | null;
  /** Size of the content in bytes. */
  readonly size: number;
}

const columns = 'id, messageId, type, contentType, fileName, vmDuration, length(content) AS size';

/** Attachments of messages: texts, audio, documents. */
export class AttachmentStore {
  readonly #add;
  readonly #ofMessage;
  readonly #one;
  readonly #content;
  readonly #erase;

  constructor(db: Database) {
    this.#add = prepareInsert<Omit<AttachmentRow, 'size'> & { readonly content: Uint8Array }>(
      db,
      'attachment',
      ['id', 'messageId', 'type', 'contentType', 'fileName', 'vmDuration', 'content'],
    );
    this.#ofMessage = prepare<AttachmentRow>(
      db,
      `SELECT ${columns} FROM attachment WHERE messageId = :messageId ORDER BY id`,
    );
    this.#one = prepare<AttachmentRow>(
      db,
      `SELECT ${columns} FROM attachment WHERE messageId = :messageId AND id = :id`,
    );
    this.#content = prepare<{ content: Uint8Array }>(db, 'SELECT content FROM attachment WHERE id = :id');
    this.#erase = prepare(db, 'DELETE FROM attachment WHERE messageId = :messageId');
  }

  add(row: Omit<AttachmentRow, 'size'>, content: Uint8Array): void {
    this.#add.run({ ...row, content });
  }

  /** Returns the attachments of a message; the main attachment, which has the ID of the message, is first. */
  ofMessage(messageId: number): readonly AttachmentRow[] {
    return this.#ofMessage.all({ messageId });
  }

  one(messageId: number, id: number): AttachmentRow | undefined {
    return this.#one.get({ messageId, id });
  }

  content(id: number): Uint8Array {
    return this.#content.get({ id })?.content ?? new Uint8Array();
  }

  /** Purging a message erases its attachments (MESSAGE-27). */
  erase(messageId: number): void {
    this.#erase.run({ messageId });
  }
}
