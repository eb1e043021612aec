import type { Database } from '../../platform/sqlite.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { toMessageRow, type MessageRow, type StoredMessage } from '../messages/store.ts';
import type { DeliveryRow } from '../subscriptions/delivery-store.ts';
import { Conditions, QueryCache, type RowWindow, type Slice } from '../world/sql.ts';

/** Which notifications are read. */
interface DeliveryFilter {
  readonly state: DeliveryRow['state'] | undefined;
  /** Only rows with a lower ID, which are older. */
  readonly before?: number | undefined;
}

/** Which messages are read: those of one mailbox or of all mailboxes, and those that contain a text. */
interface MessageFilter {
  readonly extensionId: number | undefined;
  readonly search: string | undefined;
}

/** A conversation of a mailbox. */
export interface ConversationRow {
  readonly extensionId: number;
  readonly key: string;
  /** ID of the latest message. */
  readonly last: number;
  readonly unread: number;
  /** Number of all conversations of the messages that were read. */
  readonly conversations: number;
  /** Number of the messages that were read, at most `mostMessages`. */
  readonly messages: number;
}

/** Number of the newest matching messages of which the conversations are listed. */
export const mostMessages = 20_000;

/** SQL expression of the other party of a message, as JSON. */
const otherParty = `CASE direction WHEN 'Inbound' THEN sender ELSE json_extract(recipients, '$[0]') END`;
/** SQL expression of the conversation in a mailbox: with one number, or for pager messages with one group of extensions. */
const conversationKey = `CASE type WHEN 'Pager' THEN 'pager:' || coalesce(conversationId, '') ELSE coalesce(${['phoneNumber', 'extensionNumber', 'name'].map((member) => `json_extract(${otherParty}, '$.${member}')`).join(', ')}, 'unknown') END`;
/** SQL expression of the text that a message search matches, as the page shows it. */
const searchedText = `coalesce(subject, '') || ' ' || ${shownParties('sender')} || ' ' || ${shownParties('recipients')} || ' ' ||
  CASE type WHEN 'VoiceMail' THEN (SELECT coalesce(group_concat(CAST(content AS TEXT), ' '), '') FROM attachment
    WHERE messageId = message.id AND attachment.type = 'AudioTranscription') ELSE '' END`;

/** Returns the SQL expression of names and numbers in a column with JSON. */
function shownParties(column: string): string {
  return `(SELECT coalesce(group_concat(atom, ' '), '') FROM json_tree(${column}) WHERE key IN ('name', 'phoneNumber', 'extensionNumber'))`;
}

/** SQL expression of the columns that an extension search matches. */
const nameAndNumber = `name || ' ' || coalesce(extensionNumber, '')`;

/** The lists of the console, which span mailboxes and users, and are therefore not lists of the service. */
export class ConsoleStore {
  readonly #lists;

  constructor(db: Database) {
    this.#lists = new QueryCache(db);
  }

  /** Extensions that have a phone: ringing phones first, then phones with a call, then by number. */
  phones(search: string | undefined, window: RowWindow): Slice<ExtensionRow> {
    const where = contains(
      new Conditions().add(`type NOT IN ('Department', 'Site') AND extensionNumber IS NOT NULL`),
      search,
      nameAndNumber,
    );
    const activity = `(SELECT max(CASE status WHEN 'InProgress' THEN 2 ELSE 1 END) FROM callLeg
      WHERE extensionId = extension.id AND startedAt IS NOT NULL AND endedAt IS NULL)`;
    const rows = this.#lists
      .query<ExtensionRow>(
        `SELECT * FROM extension ${where.text} ORDER BY coalesce(${activity}, 0) DESC, length(extensionNumber), extensionNumber LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, ...window });
    return { rows, total: this.#count('extension', where) };
  }

  /** Returns a page of the call queues, sorted by extension number. */
  queues(search: string | undefined, window: RowWindow): Slice<ExtensionRow> {
    const where = contains(new Conditions().add(`type = 'Department'`), search, nameAndNumber);
    const rows = this.#lists
      .query<ExtensionRow>(
        `SELECT * FROM extension ${where.text} ORDER BY length(extensionNumber), extensionNumber LIMIT :limit OFFSET :offset`,
      )
      .all({ ...where.values, ...window });
    return { rows, total: this.#count('extension', where) };
  }

  /** Returns the conversations of the newest matching messages, with the latest message first. */
  conversations({ extensionId, search }: MessageFilter, limit: number): readonly ConversationRow[] {
    const where = contains(aliveIn(extensionId), search, searchedText);
    return this.#lists
      .query<ConversationRow>(
        `SELECT extensionId, key, max(id) AS last, sum(isUnread) AS unread, count(*) OVER () AS conversations,
          sum(count(*)) OVER () AS messages
        FROM (SELECT id, extensionId, ${conversationKey} AS key, direction = 'Inbound' AND readStatus = 'Unread' AS isUnread
          FROM message ${where.text} ORDER BY id DESC LIMIT :most)
        GROUP BY extensionId, key ORDER BY last DESC LIMIT :limit`,
      )
      .all({ ...where.values, most: mostMessages, limit });
  }

  /** Returns the messages of one conversation, newest first. */
  conversation(extensionId: number, key: string, limit: number): readonly MessageRow[] {
    const where = aliveIn(extensionId).add(`${conversationKey} = :key`, { key });
    return this.#lists
      .query<StoredMessage>(`SELECT * FROM message ${where.text} ORDER BY id DESC LIMIT :limit`)
      .all({ ...where.values, limit })
      .map(toMessageRow);
  }

  /** Notifications over all transports, newest first. */
  deliveries({ state, before }: DeliveryFilter, limit: number): readonly DeliveryRow[] {
    const where = deliveriesIn(state);
    if (before !== undefined) where.add('id < :before', { before });
    return this.#lists
      .query<DeliveryRow>(`SELECT * FROM delivery ${where.text} ORDER BY id DESC LIMIT :limit`)
      .all({ ...where.values, limit });
  }

  countDeliveries({ state }: DeliveryFilter): number {
    return this.#count('delivery', deliveriesIn(state));
  }

  #count(table: string, where: Conditions): number {
    const sql = `SELECT count(*) AS n FROM ${table} ${where.text}`;
    return this.#lists.query<{ n: number }>(sql).get(where.values)?.n ?? 0;
  }
}

/** Conditions of the messages that exist, in one mailbox or in all mailboxes. */
function aliveIn(extensionId: number | undefined): Conditions {
  const where = new Conditions().add(`availability = 'Alive'`);
  return extensionId === undefined ? where : where.add('extensionId = :extensionId', { extensionId });
}

function deliveriesIn(state: DeliveryRow['state'] | undefined): Conditions {
  const where = new Conditions().add(`payload <> ''`);
  return state === undefined ? where : where.add('state = :state', { state });
}

/** Adds the condition that a text contains the search text, ignoring case. `%` and `_` are ordinary characters. */
function contains(where: Conditions, search: string | undefined, expression: string): Conditions {
  if (search === undefined || search === '') return where;
  const pattern = `%${search.replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`;
  return where.add(`(${expression}) LIKE :pattern ESCAPE '\\'`, { pattern });
}
