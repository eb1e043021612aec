import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { maskSecrets } from '../../platform/mask-secrets.ts';
import { openOwnDatabase, transaction, versionOf, type Database } from '../../platform/sqlite.ts';

/** What is known of one item of a run. `sent` stays only where the run broke off before the answer was judged. */
export type ItemStatus = 'planned' | 'sent' | 'ok' | 'failed' | 'unknown';

/** One change of a run: what it is, and what became of it. */
export interface JournalItem<P> {
  readonly seq: number;
  readonly action: string;
  /** What it is about, for people. */
  readonly subject: string;
  readonly payload: P;
  readonly status: ItemStatus;
  /** The service's code, or one of ours. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  readonly attempts: number;
  /** Milliseconds since 1970 of the last change of status. */
  readonly time: number | undefined;
}

export interface RunHead {
  readonly id: string;
  /** Which engine made it, e.g. `queue.assign`; only that one can carry it on or undo it. */
  readonly kind: string;
  /** What it does, for people. */
  readonly title: string;
  readonly baseUrl: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly ended: number | undefined;
  /** `abandoned`: another run has taken its place; it cannot be resumed. */
  readonly state: 'open' | 'done' | 'undone' | 'abandoned';
}

/** A run as listed, with how many items have each status. */
export interface RunSummary extends RunHead {
  readonly counts: Readonly<Record<ItemStatus, number>>;
}

/** What becomes of items: the receipt of a request, or why there is none. */
export interface Verdict {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface NewRun<P> {
  readonly kind: string;
  readonly title: string;
  readonly baseUrl: string;
  readonly now: number;
  /** Anything that resuming and undoing need, as JSON. */
  readonly detail: unknown;
  readonly items: readonly { readonly action: string; readonly subject: string; readonly payload: P }[];
}

const version = 1;
const schema = `
  CREATE TABLE run (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, baseUrl TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER,
    state TEXT NOT NULL, detail TEXT NOT NULL
  );
  CREATE TABLE item (
    run TEXT NOT NULL REFERENCES run (id), seq INTEGER NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT NOT NULL, status TEXT NOT NULL,
    code TEXT, message TEXT, requestId TEXT, attempts INTEGER NOT NULL, time INTEGER, PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
  PRAGMA user_version = ${version};`;

/** A row of `run`; the driver gives null where there is nothing. */
type RunRow = Omit<RunHead, 'ended'> & { readonly ended: number | null; readonly detail: string };
interface ItemRow {
  readonly seq: number;
  readonly action: string;
  readonly subject: string;
  readonly payload: string;
  readonly status: ItemStatus;
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  readonly attempts: number;
  readonly time: number | null;
}

/** Every bulk run of this user: written before each request, so that a killed run can be resumed and a finished one undone. */
export class Journal {
  readonly #db: Database;
  readonly #now: () => number;
  // Prepared once: each holds memory that no collection is in a hurry to give back, and a run marks thousands of times.
  readonly #markSent;
  readonly #mark;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
    this.#markSent = db.prepare(
      `UPDATE item SET status = 'sent', attempts = attempts + 1, time = ? WHERE run = ? AND seq = ?`,
    );
    this.#mark = db.prepare(
      'UPDATE item SET status = ?, code = ?, message = ?, requestId = ?, time = ? WHERE run = ? AND seq = ?',
    );
  }

  /** Opens the journal in the state folder, making it (mode 0600 in a folder of 0700) when it is not there. */
  static open(stateFolder: string, now: () => number): Journal {
    const file = join(stateFolder, 'runs.db');
    const db = openOwnDatabase(file);
    if (versionOf(db, file, version) === 0) transaction(db, () => createOnce(db, file));
    return new Journal(db, now);
  }

  close(): void {
    this.#db.close();
  }

  /** Writes a whole run as planned, in one transaction, before anything of it is sent. Answers its id. */
  create<P>(run: NewRun<P>): string {
    return transaction(this.#db, () => {
      const id = this.#begin(run);
      const insert = this.#db.prepare(
        'INSERT INTO item (run, seq, action, subject, payload, status, attempts) VALUES (?, ?, ?, ?, ?, ?, 0)',
      );
      for (const [seq, item] of run.items.entries()) {
        insert.run(id, seq, item.action, item.subject, JSON.stringify(item.payload), 'planned');
      }
      return id;
    });
  }

  /** Its id is short, and drawn again while another run of the same second has it. */
  #begin({ kind, title, baseUrl, now, detail }: NewRun<unknown>): string {
    const insert = this.#db.prepare(
      'INSERT INTO run VALUES (?, ?, ?, ?, ?, NULL, ?, ?) ON CONFLICT DO NOTHING',
    );
    for (;;) {
      const id = runId(now);
      const { changes } = insert.run(id, kind, title, baseUrl, now, 'open', JSON.stringify(detail));
      if (changes > 0) return id;
    }
  }

  /** Before a request: its items may from now on have reached the service. */
  markSent(run: string, seqs: readonly number[]): void {
    transaction(this.#db, () => {
      for (const seq of seqs) this.#markSent.run(this.#now(), run, seq);
    });
  }

  /** After it: what is known of them. */
  mark(run: string, seqs: readonly number[], status: ItemStatus, verdict: Verdict = {}): void {
    transaction(this.#db, () => {
      const { code = null, message = null, requestId = null } = verdict;
      // Of a reply without an error only the request id is stored.
      const id = requestId === null ? null : maskSecrets(requestId);
      for (const seq of seqs) this.#mark.run(status, code, message, id, this.#now(), run, seq);
    });
  }

  finish(run: string, state: RunHead['state']): void {
    this.#db.prepare('UPDATE run SET state = ?, ended = ? WHERE id = ?').run(state, this.#now(), run);
  }

  /** The runs, newest first. */
  list(): readonly RunSummary[] {
    const counts = new Map<string, Record<ItemStatus, number>>();
    const rows = this.#db
      .prepare('SELECT run, status, count(*) AS n FROM item GROUP BY run, status')
      .all() as unknown as readonly { run: string; status: ItemStatus; n: number }[];
    for (const { run, status, n } of rows) {
      const entry = counts.get(run) ?? noCounts();
      entry[status] = n;
      counts.set(run, entry);
    }
    const runs = this.#db
      .prepare('SELECT * FROM run ORDER BY started DESC, rowid DESC')
      .all() as unknown as readonly RunRow[];
    return runs.map((row) => Object.assign(headOf(row), { counts: counts.get(row.id) ?? noCounts() }));
  }

  /** Marks this moment: `listSince` gives the runs that were created after it. */
  moment(): number {
    const row = this.#db.prepare('SELECT max(rowid) AS newest FROM run').get() as { newest: number | null };
    return row.newest ?? 0;
  }

  /** The runs that were created after a moment, newest first. */
  listSince(moment: number): readonly RunSummary[] {
    const rows = this.#db.prepare('SELECT id FROM run WHERE rowid > ?').all(moment) as unknown as readonly {
      id: string;
    }[];
    const ids = new Set(rows.map(({ id }) => id));
    return this.list().filter(({ id }) => ids.has(id));
  }

  /** The run of this id or of its unambiguous beginning; `last` is the newest. Undefined when there is none or there are several. */
  find(word: string): RunSummary | undefined {
    const runs = this.list();
    if (word === 'last') return runs[0];
    const exact = runs.find(({ id }) => id === word);
    if (exact) return exact;
    const [only, second] = runs.filter(({ id }) => word !== '' && id.startsWith(word));
    return second ? undefined : only;
  }

  detail(run: string): unknown {
    const row = this.#db.prepare('SELECT detail FROM run WHERE id = ?').get(run) as
      | { detail: string }
      | undefined;
    return row && JSON.parse(row.detail);
  }

  /** The items in their order. */
  items<P>(run: string): readonly JournalItem<P>[] {
    const rows = this.#db
      .prepare('SELECT * FROM item WHERE run = ? ORDER BY seq')
      .all(run) as unknown as readonly ItemRow[];
    return rows.map((row) => ({
      seq: row.seq,
      action: row.action,
      subject: row.subject,
      payload: JSON.parse(row.payload) as P,
      status: row.status,
      code: row.code ?? undefined,
      message: row.message ?? undefined,
      requestId: row.requestId ?? undefined,
      attempts: row.attempts,
      time: row.time ?? undefined,
    }));
  }
}

/** Two processes may open a new journal at once: the second finds it made. */
function createOnce(db: Database, file: string): void {
  if (versionOf(db, file, version) === 0) db.exec(schema);
}

function headOf({ id, kind, title, baseUrl, started, ended, state }: RunRow): RunHead {
  return { id, kind, title, baseUrl, started, ended: ended ?? undefined, state };
}

function noCounts(): Record<ItemStatus, number> {
  return { planned: 0, sent: 0, ok: 0, failed: 0, unknown: 0 };
}

/** `20260105-090000-3fa9`: sorts by time, is short enough to type. */
function runId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const clock = time.slice(0, 8).replaceAll(':', '');
  return `${date.replaceAll('-', '')}-${clock}-${randomBytes(2).toString('hex')}`;
}

/** How many items have each status. */
export function countItems(
  items: readonly Pick<JournalItem<unknown>, 'status'>[],
): Readonly<Record<ItemStatus, number>> {
  const counts = noCounts();
  for (const { status } of items) counts[status] += 1;
  return counts;
}
