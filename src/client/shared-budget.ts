import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { insertRow } from '../platform/named-statement.ts';
import { join } from 'node:path';
import { ensureColumn } from '../platform/sqlite/ensure-column.ts';
import { requireOwn } from '../platform/ownership.ts';
import { openOwnDatabase, transaction, type Database } from '../platform/sqlite.ts';
import { limitsExpiryFile } from './limits-expiry-file.ts';
import {
  assumedBudget,
  isSetBack,
  isPenaltyTooLate,
  isWindowTooLate,
  waitOf,
  type GroupBudget,
  type SharedBudget,
} from './rate-budget.ts';

interface Row {
  readonly left: number | null;
  readonly resets_at: number;
  readonly blocked_until: number;
  /** Null in a row of an older version. */
  readonly written_at: number | null;
}

/** Opens the budgets that the processes of one user share: a small database (mode 0600 in a folder of 0700). */
export function openSharedBudget(folder: string, owner: string): SharedBudget {
  const expiryFile = limitsExpiryFile(folder);
  requireOwn(expiryFile);
  const db = openOwnDatabase(join(folder, 'rate-limits.db'));
  const store = new BudgetTable(db, owner, expiryFile);
  return {
    take: (...request) => store.take(...request),
    known: (now) => store.known(now),
    giveBack: (group, now) => store.giveBack(group, now),
    forget: (group) => store.forget(group),
    update: (...change) => store.update(...change),
    close: () => db.close(),
  };
}

class BudgetTable {
  // This reference keeps the database open; prepared statements alone do not.
  readonly #db: Database;
  readonly #owner: string;
  readonly #expiryFile: string;

  constructor(db: Database, owner: string, expiryFile: string) {
    this.#db = db;
    this.#owner = owner;
    this.#expiryFile = expiryFile;
    // Durability is not needed: after a power failure the next reply restores the lost budgets.
    db.exec(`PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS budget (owner TEXT NOT NULL, grp TEXT NOT NULL, left INTEGER, resets_at REAL NOT NULL,
        blocked_until REAL NOT NULL, written_at REAL, PRIMARY KEY (owner, grp)) STRICT, WITHOUT ROWID;`);
    ensureColumn(db, { table: 'budget', column: 'written_at', type: 'REAL' });
  }

  take(group: string, now: number, reserve = 0): ReturnType<SharedBudget['take']> {
    return transaction(this.#db, () => {
      const stored = this.#read(group, now);
      const isEnded = stored === undefined || (stored.resetsAt <= now && stored.blockedUntil <= now);
      const known = reserve > 0 && isEnded ? { ...assumedBudget(now), blockedUntil: 0 } : stored;
      if (!known) return { wait: 0, isTaken: false };
      const wait = waitOf(known, now, reserve);
      const isTaken = wait === 0 && known.left !== undefined && known.resetsAt > now;
      if (isTaken) this.#write(group, { ...known, left: known.left - 1 }, now);
      return { wait, isTaken };
    });
  }

  giveBack(group: string, now: number): void {
    transaction(this.#db, () => {
      const stored = this.#read(group, now);
      if (stored?.left === undefined || stored.resetsAt <= now) return;
      this.#write(group, { ...stored, left: stored.left + 1 }, now);
    });
  }

  known(now: number): ReturnType<SharedBudget['known']> {
    const rows = this.#db
      .prepare('SELECT grp FROM budget WHERE owner = ? ORDER BY grp')
      .all(this.#owner) as unknown as readonly { readonly grp: string }[];
    return rows.flatMap(({ grp }) => {
      const budget = this.#read(grp, now);
      const applies = budget && (budget.resetsAt > now || budget.blockedUntil > now);
      return applies ? [{ group: grp, ...budget }] : [];
    });
  }

  forget(group: string): void {
    this.#db.prepare('DELETE FROM budget WHERE owner = ? AND grp = ?').run(this.#owner, group);
  }

  update(group: string, own: GroupBudget, untaken: boolean, now: number): void {
    transaction(this.#db, () => {
      const known = this.#read(group, now);
      const merged = known ? merge(known, own, untaken, now) : own;
      this.#write(group, merged, now);
      // In the transaction, so that no other process sets an earlier time between the check and the change of the file.
      this.#announce(Math.max(merged.blockedUntil, merged.resetsAt));
    });
  }

  #read(group: string, now: number): GroupBudget | undefined {
    const row = this.#db
      .prepare('SELECT left, resets_at, blocked_until, written_at FROM budget WHERE owner = ? AND grp = ?')
      .get(this.#owner, group) as Row | undefined;
    if (!row || isWindowTooLate(row.resets_at, now) || isPenaltyTooLate(row.blocked_until, now))
      return undefined;
    if (isSetBack(row.written_at ?? now, now)) return undefined;
    return { left: row.left ?? undefined, resetsAt: row.resets_at, blockedUntil: row.blocked_until };
  }

  #write(group: string, { left, resetsAt, blockedUntil }: GroupBudget, now: number): void {
    insertRow(
      this.#db,
      'budget',
      {
        owner: this.#owner,
        grp: group,
        left: left ?? null,
        resets_at: resetsAt,
        blocked_until: blockedUntil,
        written_at: now,
      },
      'REPLACE',
    );
  }

  /**
   * Sets the modification time of the expiry file. Never sets an earlier time, because another group or user may have
   * set a later one.
   */
  #announce(until: number): void {
    closeSync(openSync(this.#expiryFile, 'a', 0o600));
    if (statSync(this.#expiryFile).mtimeMs < until) utimesSync(this.#expiryFile, until / 1000, until / 1000);
  }
}

/**
 * Merges the shared budget with the budget of this process. Within one window, the smaller number is the newer number.
 * The shared number omits requests that were not taken from it; the number of this process omits requests in flight of
 * other processes. A number that is too low is better than a 429.
 */
function merge(known: GroupBudget, own: GroupBudget, untaken: boolean, now: number): GroupBudget {
  const blockedUntil = Math.max(known.blockedUntil, own.blockedUntil);
  if (known.resetsAt <= now || known.left === undefined) return { ...own, blockedUntil };
  if (own.left === undefined || own.resetsAt <= now) return { ...known, blockedUntil };
  return {
    left: Math.min(known.left - (untaken ? 1 : 0), own.left),
    resetsAt: Math.min(known.resetsAt, own.resetsAt),
    blockedUntil,
  };
}
