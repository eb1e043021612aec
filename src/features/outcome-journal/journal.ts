import { join } from 'node:path';
import { ownProcess } from '../../platform/own-process.ts';
import { openOwnDatabase, transaction, versionOf, type Database } from '../../platform/sqlite.ts';
import type { CallDescription, OutcomeKind } from './describe-call.ts';

export type OutcomeState = 'sending' | 'sent' | 'failed' | 'unknown' | 'not-sent';

/** One sending that must not happen twice. Times are milliseconds since 1970. */
export interface Outcome extends CallDescription {
  readonly id: number;
  readonly state: OutcomeState;
  readonly profile: string;
  readonly origin: string;
  /** Who sent it, such as `extension 400131042008`; undefined when nobody knows. */
  readonly owner: string | undefined;
  readonly startedAt: number;
  /** When its end was recorded. */
  readonly endedAt: number | undefined;
  /** Id that the service gave to it, or under which it was found. */
  readonly serviceId: string | undefined;
  readonly dedupeKey: string | undefined;
}

export interface Owner {
  readonly profile: string;
  readonly origin: string;
}

/** Who sends. */
export interface Sender extends Owner {
  readonly who?: string | undefined;
}

interface Row {
  readonly id: number;
  readonly kind: OutcomeKind;
  readonly state: OutcomeState;
  readonly profile: string;
  readonly origin: string;
  readonly extension: string;
  readonly digest: string;
  readonly receivers: string;
  readonly owner: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly service_id: string | null;
  readonly dedupe_key: string | null;
  readonly pid: number;
}

const schema = `CREATE TABLE IF NOT EXISTS outcome (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, profile TEXT NOT NULL, origin TEXT NOT NULL, extension TEXT NOT NULL,
  digest TEXT NOT NULL, receivers TEXT NOT NULL, started_at REAL NOT NULL, ended_at REAL, service_id TEXT, dedupe_key TEXT, pid INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS outcome_key ON outcome (origin, dedupe_key, started_at) WHERE dedupe_key IS NOT NULL;
CREATE INDEX IF NOT EXISTS outcome_open ON outcome (state) WHERE state IN ('sending', 'unknown');`;

const dayMilliseconds = 86_400_000;
/** Longer than any request can be under way, whatever number its process has by now. */
const longestSendingMilliseconds = 2 * 3_600_000;
/** Settled rows are forgotten after this. */
const keptMilliseconds = 30 * dayMilliseconds;

/** The memory of what was sent once: a database in the state folder (mode 0600), each row durable before its request goes out. */
export class OutcomeJournal {
  // Held here: statements alone do not keep a database open.
  readonly #db: Database;
  // Prepared once: each holds memory that no collection is in a hurry to give back, and a list sends thousands of times.
  readonly #forget;
  readonly #begin;
  readonly #end;
  readonly #keyed;
  readonly #count;

  private constructor(db: Database) {
    this.#db = db;
    db.exec(schema);
    const columns = db.prepare('PRAGMA table_info(outcome)').all() as unknown as readonly {
      readonly name: string;
    }[];
    if (!columns.some(({ name }) => name === 'owner')) db.exec('ALTER TABLE outcome ADD COLUMN owner TEXT');
    this.#forget = db.prepare(
      "DELETE FROM outcome WHERE ended_at < ? AND state NOT IN ('sending', 'unknown')",
    );
    this.#begin = db.prepare(
      `INSERT INTO outcome (kind, state, profile, origin, extension, digest, receivers, started_at, dedupe_key, pid, owner)
       VALUES (?, 'sending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#end = db.prepare('UPDATE outcome SET state = ?, service_id = ?, ended_at = ? WHERE id = ?');
    this.#keyed = db.prepare(
      `SELECT * FROM outcome WHERE origin = ? AND dedupe_key = ? AND started_at > ? AND state NOT IN ('failed', 'not-sent')
       ORDER BY id DESC LIMIT 1`,
    );
    this.#count = db.prepare(
      `SELECT coalesce(sum(length(receivers) - length(replace(receivers, ',', '')) + 1), 0) AS n FROM outcome
       WHERE profile = ? AND origin = ? AND started_at > ? AND kind IN ('sms', 'pager', 'fax', 'ringout') AND state NOT IN ('failed', 'not-sent')`,
    );
  }

  /** @throws when the file cannot be written: then nothing may be sent. */
  static open(stateFolder: string): OutcomeJournal {
    const file = join(stateFolder, 'outcomes.db');
    const db = openOwnDatabase(file);
    // None so far has a number.
    versionOf(db, file, 0);
    return new OutcomeJournal(db);
  }

  /** Several changes in one commit: one wait for the disk. */
  atOnce<T>(work: () => T): T {
    return transaction(this.#db, work);
  }

  /** Remembers a call before it goes out; gives its id. */
  begin(
    { profile, origin, who }: Sender,
    call: CallDescription,
    dedupeKey: string | undefined,
    now: number,
  ): number {
    this.#forget.run(now - keptMilliseconds);
    const { lastInsertRowid } = this.#begin.run(
      call.kind,
      profile,
      origin,
      call.extension,
      call.digest,
      call.to,
      now,
      dedupeKey ?? null,
      ownProcess.pid,
      who ?? null,
    );
    return Number(lastInsertRowid);
  }

  end(id: number, state: OutcomeState, serviceId: string | undefined, now: number): void {
    this.#end.run(state, serviceId ?? null, now, id);
  }

  /** The sending under this key in the last 24 h that was not refused; undefined when the key is free. */
  keyed(origin: string, dedupeKey: string, now: number): Outcome | undefined {
    const row = this.#keyed.get(origin, dedupeKey, now - dayMilliseconds) as Row | undefined;
    return row && toOutcome(row, now);
  }

  /** Messages and calls since a moment that went out, or may have: one for each receiver. */
  countSince(owner: Owner, time: number): number {
    const row = this.#count.get(owner.profile, owner.origin, time) as { readonly n: number };
    return row.n;
  }

  /** Newest first. */
  list(owner: Owner, now: number): readonly Outcome[] {
    const rows = this.#db
      .prepare('SELECT * FROM outcome WHERE profile = ? AND origin = ? ORDER BY id DESC')
      .all(owner.profile, owner.origin) as unknown as readonly Row[];
    return rows.map((row) => toOutcome(row, now));
  }

  /** What every profile sent to this service, newest first. */
  everything(origin: string, now: number): readonly Outcome[] {
    const rows = this.#db
      .prepare('SELECT * FROM outcome WHERE origin = ? ORDER BY id DESC')
      .all(origin) as unknown as readonly Row[];
    return rows.map((row) => toOutcome(row, now));
  }

  /** What was sent to the same receivers with the same content, newest first. */
  withDigest(digest: string, now: number): readonly Outcome[] {
    const rows = this.#db
      .prepare('SELECT * FROM outcome WHERE digest = ? ORDER BY id DESC')
      .all(digest) as unknown as readonly Row[];
    return rows.map((row) => toOutcome(row, now));
  }

  close(): void {
    this.#db.close();
  }
}

/** A row left at `sending` by a process that is gone has an unknown outcome. */
function toOutcome(row: Row, now: number): Outcome {
  const isLost =
    row.state === 'sending' &&
    (now - row.started_at > longestSendingMilliseconds || !ownProcess.isAlive(row.pid));
  return {
    id: row.id,
    kind: row.kind,
    state: isLost ? 'unknown' : row.state,
    profile: row.profile,
    origin: row.origin,
    owner: row.owner ?? undefined,
    extension: row.extension,
    digest: row.digest,
    to: row.receivers,
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
    serviceId: row.service_id ?? undefined,
    dedupeKey: row.dedupe_key ?? undefined,
  };
}
