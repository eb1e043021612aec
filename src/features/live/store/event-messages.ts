import type { Database } from '../../../platform/sqlite.ts';
import { insertText, prepareNamed } from '../../../platform/named-statement.ts';
import { parseJson, stringifyJson } from '../../../platform/json.ts';

/** Stores the messages of mailbox events, so that later lists show their text without a request. */
export class EventMessages {
  readonly #read;
  readonly #write;

  constructor(db: Database) {
    this.#read = prepareNamed<{ readonly raw: string }>(
      db,
      'SELECT raw FROM eventMessages WHERE eventId = :eventId',
    );
    this.#write = prepareNamed(
      db,
      insertText(
        'eventMessages',
        ['eventId', 'raw'],
        'ON CONFLICT (eventId) DO UPDATE SET raw = excluded.raw',
      ),
    );
  }

  /** Returns the messages of an event; undefined if none are stored. */
  of(eventId: number): readonly unknown[] | undefined {
    const row = this.#read.get({ eventId });
    const messages = row && parseJson(row.raw);
    return Array.isArray(messages) ? messages : undefined;
  }

  set(eventId: number, messages: readonly unknown[]): void {
    this.#write.run({ eventId, raw: stringifyJson(messages) });
  }
}
