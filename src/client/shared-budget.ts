import { closeSync, openSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { openOwnDatabase, transaction, type Database } from '../platform/sqlite.ts';
import { newsFile } from './news-file.ts';
import { waitOf, type GroupBudget, type SharedBudget } from './rate-budget.ts';

interface Row {
  readonly left: number | null;
  readonly resets_at: number;
  readonly blocked_until: number;
}

/** Opens the budgets that the processes of one user share: a small database (mode 0600 in a folder of 0700). */
export function openSharedBudget(folder: string, owner: string): SharedBudget {
  const store = new BudgetTable(openOwnDatabase(join(folder, 'rate-limits.db')), owner, newsFile(folder));
  return { take: (group, now) => store.take(group, now), tell: (...told) => store.tell(...told) };
}

/** Longer than any window or penalty that is waited for: what lies beyond was noted by a clock that was ahead. */
const longestMilliseconds = 600_000;

class BudgetTable {
  // Held here: statements alone do not keep a database open.
  readonly #db: Database;
  readonly #owner: string;
  readonly #news: string;

  constructor(db: Database, owner: string, news: string) {
    this.#db = db;
    this.#owner = owner;
    this.#news = news;
    // What a power cut takes from here is learnt again from the next reply.
    db.exec(`PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS budget (owner TEXT NOT NULL, grp TEXT NOT NULL, left INTEGER, resets_at REAL NOT NULL,
        blocked_until REAL NOT NULL, PRIMARY KEY (owner, grp)) STRICT, WITHOUT ROWID;`);
  }

  take(group: string, now: number): ReturnType<SharedBudget['take']> {
    return transaction(this.#db, () => {
      const known = this.#read(group, now);
      if (!known) return { wait: 0, isTaken: false };
      const wait = waitOf(known, now);
      const isTaken = wait === 0 && known.left !== undefined && known.resetsAt > now;
      if (isTaken) this.#write(group, { ...known, left: known.left - 1 });
      return { wait, isTaken };
    });
  }

  tell(group: string, told: GroupBudget, untaken: boolean, now: number): void {
    const until = transaction(this.#db, () => {
      const known = this.#read(group, now);
      const merged = known ? merge(known, told, untaken, now) : told;
      this.#write(group, merged);
      return Math.max(merged.blockedUntil, merged.resetsAt);
    });
    this.#announce(until);
  }

  #read(group: string, now: number): GroupBudget | undefined {
    const row = this.#db
      .prepare('SELECT left, resets_at, blocked_until FROM budget WHERE owner = ? AND grp = ?')
      .get(this.#owner, group) as Row | undefined;
    if (!row || row.resets_at > now + longestMilliseconds || row.blocked_until > now + longestMilliseconds) {
      return undefined;
    }
    return { left: row.left ?? undefined, resetsAt: row.resets_at, blockedUntil: row.blocked_until };
  }

  #write(group: string, { left, resetsAt, blockedUntil }: GroupBudget): void {
    this.#db
      .prepare(
        'INSERT OR REPLACE INTO budget (owner, grp, left, resets_at, blocked_until) VALUES (?, ?, ?, ?, ?)',
      )
      .run(this.#owner, group, left ?? null, resetsAt, blockedUntil);
  }

  /** Only ever later: another group or user may need it longer. */
  #announce(until: number): void {
    closeSync(openSync(this.#news, 'a', 0o600));
    if (statSync(this.#news).mtimeMs < until) utimesSync(this.#news, until / 1000, until / 1000);
  }
}

/**
 * In one window the smaller number is the newer one. What is known does not count a request that was not taken here, and what is told does not
 * count what others have under way: too few for a moment is better than a refusal.
 */
function merge(known: GroupBudget, told: GroupBudget, untaken: boolean, now: number): GroupBudget {
  const blockedUntil = Math.max(known.blockedUntil, told.blockedUntil);
  if (known.resetsAt <= now || known.left === undefined) return { ...told, blockedUntil };
  if (told.left === undefined || told.resetsAt <= now) return { ...known, blockedUntil };
  return {
    left: Math.min(known.left - (untaken ? 1 : 0), told.left),
    resetsAt: Math.min(known.resetsAt, told.resetsAt),
    blockedUntil,
  };
}
