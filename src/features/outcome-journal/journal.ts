import { join } from 'node:path';
import { dayMilliseconds } from '../../platform/day.ts';
import { expiryTime } from '../../platform/day-old.ts';
import { insertText, prepareNamed, type SqlValues } from '../../platform/named-statement.ts';
import { ownProcess } from '../../platform/own-process.ts';
import { openToRead } from '../../platform/read-database.ts';
import { openOwnDatabase, transaction, versionOf, type Database } from '../../platform/sqlite.ts';
import { closedOnFailure } from '../../platform/sqlite/connection.ts';
import { ensureColumn } from '../../platform/sqlite/ensure-column.ts';
import type { CallDescription } from './describe-call.ts';
import { isInUse, isInUseByService, KeyUses, type KeyUse } from './key-uses.ts';
import { isSameRecord } from './same-record.ts';
import { chooseOutcomes, rowsOf, type Listing } from './listing.ts';
import { outcomeOf, type Outcome, type OutcomeRow, type OutcomeState } from './outcome.ts';

export interface Owner {
  readonly profile: string;
  readonly origin: string;
}

/** The sender of a request. */
export interface Sender extends Owner {
  readonly who?: string | undefined;
}

/** How a request ended. */
export interface Ending {
  readonly state: OutcomeState;
  /** ID of the message or call on the service. */
  readonly serviceId?: string | undefined;
  /** Time of the reply by the clock of the service, in milliseconds since 1970. */
  readonly serviceTime?: number | undefined;
}

interface Row extends OutcomeRow {
  readonly started_at: number;
  readonly ended_at: number | null;
  /** Time of the reply by the clock of the service; missing in files of older versions that were opened for reading. */
  readonly service_at?: number | null;
}

const table = `CREATE TABLE IF NOT EXISTS outcome (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, profile TEXT NOT NULL, origin TEXT NOT NULL, extension TEXT NOT NULL,
  digest TEXT NOT NULL, receivers TEXT NOT NULL, started_at REAL NOT NULL, ended_at REAL, service_id TEXT, dedupe_key TEXT, pid INTEGER NOT NULL,
  owner TEXT, service_at REAL
) STRICT;`;
const indexes = `
CREATE INDEX IF NOT EXISTS outcome_key ON outcome (origin, dedupe_key, started_at) WHERE dedupe_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS outcome_open ON outcome (state) WHERE state IN ('sending', 'unknown');
CREATE INDEX IF NOT EXISTS outcome_started ON outcome (started_at);
CREATE INDEX IF NOT EXISTS outcome_digest ON outcome (digest);`;

/**
 * Maximum duration of a request in milliseconds. A process that was suspended longer renews its row before it sends the
 * request. For older rows the process ID does not matter, because the system may have reused it.
 */
const longestSendingMilliseconds = 2 * 3_600_000;
/** Milliseconds after which rows with a known outcome are deleted. */
const retentionMilliseconds = 30 * dayMilliseconds;

/** The columns of a request that is about to be sent. */
const sendingColumns = [
  'kind',
  'state',
  'profile',
  'origin',
  'extension',
  'digest',
  'receivers',
  'started_at',
  'dedupe_key',
  'pid',
  'owner',
];

/**
 * Journal of the requests that must not be sent twice: a database in the state folder (mode 0600). Each row is durable
 * before its request is sent.
 */
export class OutcomeJournal {
  // This reference keeps the database open; prepared statements alone do not.
  readonly #db: Database;
  // Prepared once, because statements have native memory that is released late, and a bulk run sends thousands of texts.
  readonly #deleteExpired;
  readonly #begin;
  readonly #end;
  readonly #renew;
  readonly #keyUses;
  readonly #count;

  private constructor(db: Database) {
    this.#db = db;
    // The newest row stays until the next row, because SQLite would use its ID again. A user may still know the ID.
    // A key stays valid for a day even if the clock is suddenly ahead. The condition for the start uses an index.
    const expired = expiryTime('outcome', 'started_at', retentionMilliseconds);
    this.#deleteExpired = prepareNamed(
      db,
      `DELETE FROM outcome WHERE started_at < ${expired} AND ended_at < ${expired}
       AND state NOT IN ('sending', 'unknown') AND id <> (SELECT max(id) FROM outcome)`,
    );
    this.#begin = prepareNamed(db, insertText('outcome', sendingColumns));
    this.#end = prepareNamed(
      db,
      'UPDATE outcome SET state = :state, service_id = :serviceId, service_at = coalesce(:serviceTime, service_at), ended_at = :now WHERE id = :id',
    );
    // The later time counts, so that the key does not expire early if the clock was set back.
    this.#renew = prepareNamed(
      db,
      `UPDATE outcome SET started_at = max(started_at, :now) WHERE id = :id AND state = 'sending'`,
    );
    this.#keyUses = new KeyUses<Row>(db);
    this.#count = db.prepare(
      `SELECT coalesce(sum(length(receivers) - length(replace(receivers, ',', '')) + 1), 0) AS n FROM outcome
       WHERE profile = ? AND origin = ? AND started_at > ? AND kind IN ('sms', 'pager', 'fax', 'ringout') AND state NOT IN ('failed', 'not-sent')`,
    );
  }

  /**
   * Opens the journal.
   * @throws if the file cannot be written; in that case no request that needs the journal may be sent.
   */
  static open(stateFolder: string): OutcomeJournal {
    return new OutcomeJournal(openUpdated(fileIn(stateFolder)));
  }

  /**
   * Opens the journal for reading. On a full or read-only disk, nothing is created. A file of an older version is not
   * updated and may lack columns, because a reader must not wait for a process that writes.
   */
  static openToRead(stateFolder: string): OutcomeJournal {
    const file = fileIn(stateFolder);
    return new OutcomeJournal(openToRead(file, () => openTable(file), table));
  }

  /** Makes several changes in one transaction, so that they wait for the disk only once. */
  atOnce<T>(work: () => T): T {
    return transaction(this.#db, work);
  }

  /** Records a request before it is sent. @returns the ID of the request in the journal. */
  begin(
    { profile, origin, who }: Sender,
    call: CallDescription,
    dedupeKey: string | undefined,
    now: number,
  ): number {
    this.#deleteExpired.run({ now });
    return this.#begin.run({
      kind: call.kind,
      state: 'sending',
      profile,
      origin,
      extension: call.extension,
      digest: call.digest,
      receivers: call.to,
      started_at: now,
      dedupe_key: dedupeKey ?? null,
      pid: ownProcess.pid,
      owner: who ?? null,
    }).id;
  }

  end(id: number, { state, serviceId, serviceTime }: Ending, now: number): void {
    this.#end.run({ state, serviceId: serviceId ?? null, serviceTime: serviceTime ?? null, now, id });
  }

  /** Renews the record of a request: it starts now. @returns as `SendJournal.renew` */
  renew(id: number, now: number): OutcomeState | undefined {
    return this.#renew.run({ id, now }).changes > 0 ? 'sending' : this.#byId(id)?.state;
  }

  /** Records the result of a search. Called in a transaction. @returns as `SendJournal.resolve` */
  resolve(seen: Outcome, ending: Ending, now: number): boolean {
    const row = this.#byId(seen.id);
    const isUnchanged = row !== undefined && isSameRecord(seen, toOutcome(row, now));
    if (isUnchanged) this.end(seen.id, ending, now);
    return isUnchanged;
  }

  #byId(id: number): Row | undefined {
    return this.#rows('id = :id', { id })[0];
  }

  /**
   * Returns the newest request that counts as a use of a key, `expired` if all uses are too old, or undefined if there are
   * none.
   * @param serviceNow the present time by the clock of the service, if known
   */
  withKey(use: KeyUse, now: number, serviceNow?: number): Outcome | 'expired' | undefined {
    const rows = this.#keyUses.all(use);
    const used = rows.find(
      (row) =>
        isInUse(row, now, use.since) || (serviceNow !== undefined && isInUseByService(row, serviceNow)),
    );
    if (used) return toOutcome(used, now);
    return rows.length > 0 ? 'expired' : undefined;
  }

  /**
   * Returns the number of messages and calls since `time` that were sent or may have been sent, counted by recipient.
   */
  countSince(owner: Owner, time: number): number {
    const row = this.#count.get(owner.profile, owner.origin, time) as { readonly n: number };
    return row.n;
  }

  /** Returns the outcomes of a profile and a service, newest first. */
  list({ profile, origin }: Owner, now: number, listing: Listing = {}): readonly Outcome[] {
    const { states, limit } = rowsOf(listing);
    const inState = states === null ? '' : ' AND state IN (SELECT value FROM json_each(:states))';
    const rows = this.#rows(
      `profile = :profile AND origin = :origin${inState}`,
      { profile, origin, ...(states !== null && { states: JSON.stringify(states) }) },
      limit,
    );
    return chooseOutcomes(
      rows.map((row) => toOutcome(row, now)),
      listing,
    );
  }

  /** Returns the outcomes of all profiles for a service, newest first. */
  listAll(origin: string, now: number): readonly Outcome[] {
    return this.#rows('origin = :origin', { origin }).map((row) => toOutcome(row, now));
  }

  /** Returns the outcomes with the same recipients and content, newest first. */
  withDigest(digest: string, now: number): readonly Outcome[] {
    return this.#rows('digest = :digest', { digest }).map((row) => toOutcome(row, now));
  }

  /** Returns the rows that meet a condition, newest first. */
  #rows(condition: string, values: SqlValues, limit: number | null = null): readonly Row[] {
    const sql = `SELECT * FROM outcome WHERE ${condition} ORDER BY id DESC LIMIT :limit`;
    // With a negative limit, SQLite returns all rows.
    return prepareNamed<Row>(this.#db, sql).all({ ...values, limit: limit ?? -1 });
  }

  close(): void {
    this.#db.close();
  }
}

function fileIn(stateFolder: string): string {
  return join(stateFolder, 'outcomes.db');
}

/** Opens a file of any version, and updates it to this version. */
function openUpdated(file: string): Database {
  const db = openTable(file);
  return closedOnFailure(db, () => {
    ensureColumn(db, { table: 'outcome', column: 'owner', type: 'TEXT' });
    ensureColumn(db, { table: 'outcome', column: 'service_at', type: 'REAL' });
    db.exec(indexes);
  });
}

/** Opens a file of any version, and creates the table in a new file. */
function openTable(file: string): Database {
  const db = openOwnDatabase(file);
  return closedOnFailure(db, () => {
    // Every version of the table so far has version number 0.
    versionOf(db, file, 0);
    db.exec(table);
  });
}

/**
 * Returns the outcome of a row. The outcome is unknown if the process ended while the row was in the state `sending`.
 */
function toOutcome(row: Row, now: number): Outcome {
  const isLost =
    row.state === 'sending' &&
    (now - row.started_at > longestSendingMilliseconds || !ownProcess.isAlive(row.pid));
  return outcomeOf(row, { isLost, startedAt: row.started_at, endedAt: row.ended_at });
}
