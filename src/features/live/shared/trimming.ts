import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { PostgresEventLog } from '../log/postgres-event-log.ts';
import { isTrimDue } from './receiver-table.ts';

interface TrimmingSettings {
  readonly db: Postgres;
  readonly log: PostgresEventLog;
  readonly receiver: string;
  /** Age in seconds of the events that are deleted. */
  readonly retainSeconds: number;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Deletes old events of a receiver now and then. The reports of the process do not wait for the deletion, which may take
 * longer than the owner's lease.
 */
export class Trimming {
  readonly #settings: TrimmingSettings;
  #running: Promise<void> | undefined;

  constructor(settings: TrimmingSettings) {
    this.#settings = settings;
  }

  /** Starts a deletion if it is time, and none is running. @throws {StoreError} if the store cannot be read. */
  async startIfDue(): Promise<void> {
    const { db, receiver, onFailure } = this.#settings;
    if (this.#running || !(await isTrimDue(db, receiver))) return;
    this.#running = this.#trim()
      .catch(onFailure)
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Waits until no deletion is running. */
  async end(): Promise<void> {
    await this.#running;
  }

  async #trim(): Promise<void> {
    const { db, log, receiver, retainSeconds } = this.#settings;
    const [row] = await db.query<{ before: number }>(
      'select ((extract(epoch from store_now()) - $1::float8) * 1000)::bigint as before',
      [retainSeconds],
    );
    if (row) await log.trim(receiver, row.before);
  }
}
