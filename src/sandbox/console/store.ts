import type { Database } from '../../platform/sqlite.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import { toMessageRow, type MessageRow, type StoredMessage } from '../messages/store.ts';
import type { DeliveryRow } from '../subscriptions/delivery-store.ts';
import { Conditions, QueryCache, type RowWindow, type Slice } from '../world/sql.ts';

/** Filters of a list: a text that a row must contain, and the ID before which rows are listed. */
export interface ListFilter {
  readonly search?: string | undefined;
  /** Only rows with a lower ID, which are older. */
  readonly before?: number | undefined;
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

  /** Returns the messages of all mailboxes or of one mailbox, newest first. */
  messages(
    extensionId: number | undefined,
    { search, before }: ListFilter,
    limit: number,
  ): readonly MessageRow[] {
    const where = new Conditions().add(`availability = 'Alive'`);
    if (extensionId !== undefined) where.add('extensionId = :extensionId', { extensionId });
    if (before !== undefined) where.add('id < :before', { before });
    contains(where, search, `coalesce(subject, '') || sender || recipients`);
    return this.#lists
      .query<StoredMessage>(`SELECT * FROM message ${where.text} ORDER BY id DESC LIMIT :limit`)
      .all({ ...where.values, limit })
      .map(toMessageRow);
  }

  /** Notifications over all transports, newest first. `total` ignores `before`. */
  deliveries({ search, before }: ListFilter, state: string | undefined, limit: number): Slice<DeliveryRow> {
    const matching = () => {
      const where = new Conditions().add(`payload <> ''`);
      if (state !== undefined) where.add('state = :state', { state });
      return contains(where, search, 'payload');
    };
    const page = matching();
    if (before !== undefined) page.add('id < :before', { before });
    const rows = this.#lists
      .query<DeliveryRow>(`SELECT * FROM delivery ${page.text} ORDER BY id DESC LIMIT :limit`)
      .all({ ...page.values, limit });
    return { rows, total: this.#count('delivery', matching()) };
  }

  #count(table: string, where: Conditions): number {
    const sql = `SELECT count(*) AS n FROM ${table} ${where.text}`;
    return this.#lists.query<{ n: number }>(sql).get(where.values)?.n ?? 0;
  }
}

/** Adds the condition that a text contains the search text, ignoring case. `%` and `_` are ordinary characters. */
function contains(where: Conditions, search: string | undefined, expression: string): Conditions {
  if (search === undefined || search === '') return where;
  const pattern = `%${search.replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`;
  return where.add(`(${expression}) LIKE :pattern ESCAPE '\\'`, { pattern });
}
