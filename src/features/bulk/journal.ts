import { randomBytes } from 'node:crypto';
import { maskSecrets } from '../../platform/mask-secrets.ts';
import { insertText, prepareNamed } from '../../platform/named-statement.ts';
import type { SentSecrets } from '../../platform/sent-secrets.ts';
import { iterateRows, transaction, type Database } from '../../platform/sqlite.ts';
import { hasColumn } from '../../platform/sqlite/ensure-column.ts';
import { digestColumn, openJournalTables, readJournalTables } from './journal-tables.ts';
import { deleteOldRuns } from './run-retention.ts';
import {
  conditionOf,
  headsOf,
  summariesOf,
  type ItemStatus,
  type RunFilter,
  type RunHead,
  type RunSummary,
} from './run-summaries.ts';

/** One change of a run and its result. */
export interface JournalItem<P> {
  readonly seq: number;
  readonly action: string;
  /** The object of the change, as text for people. */
  readonly subject: string;
  readonly payload: P;
  readonly status: ItemStatus;
  /** Error code of the service or of ucctl. */
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
  /** ID of what the change created, such as a message. */
  readonly resultId?: string | undefined;
  readonly attempts: number;
  /** Time of the last change of status in milliseconds since 1970. */
  readonly time: number | undefined;
}

/** The data that the journal records about a request: its ID, and the error if the request failed. */
export interface Receipt {
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  readonly requestId?: string | undefined;
  /** ID of what the request created, such as a message. */
  readonly resultId?: string | undefined;
}

export interface NewItem<P> {
  readonly action: string;
  readonly subject: string;
  readonly payload: P;
  /** Digest of the content, by which `runsWithContent` finds the run. */
  readonly digest?: string;
}

export interface NewRun<P> {
  readonly kind: string;
  readonly title: string;
  readonly baseUrl: string;
  readonly now: number;
  /** The data that resuming and undoing require, stored as JSON. */
  readonly detail: unknown;
  readonly items: readonly NewItem<P>[];
  /** IDs of the open runs that this run replaces. */
  readonly abandons?: readonly string[];
}

/** The run that another run has undone, entirely or in part. */
interface Undone {
  readonly undoes?: string;
  readonly undoesPart?: boolean;
}

interface ItemRow {
  readonly seq: number;
  readonly action: string;
  readonly subject: string;
  readonly payload: string;
  readonly status: ItemStatus;
  readonly code: string | null;
  readonly message: string | null;
  readonly requestId: string | null;
  /** Missing in a file of an older version that was opened for reading. */
  readonly resultId?: string | null;
  readonly attempts: number;
  readonly time: number | null;
}

/**
 * The journal of all bulk runs of this user. It is written before each request, so that a killed run can be resumed and
 * a finished run can be undone.
 */
export class Journal {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #sent: SentSecrets;
  // The statement is prepared once, because a run marks thousands of items and the garbage collector frees
  // prepared
  // statements late.
  readonly #markSent;
  readonly #mark;
  #hasCreated = false;

  constructor(db: Database, now: () => number, sent: SentSecrets) {
    this.#db = db;
    this.#now = now;
    this.#sent = sent;
    this.#markSent = prepareNamed(
      db,
      `UPDATE item SET status = 'sent', attempts = attempts + 1, time = :time WHERE run = :run AND seq = :seq`,
    );
    this.#mark = prepareNamed(
      db,
      `UPDATE item SET status = :status, code = :code, message = :message, requestId = :requestId, resultId = :resultId, time = :time
       WHERE run = :run AND seq = :seq`,
    );
  }

  /** Opens the journal in the state folder; creates it (mode 0600 in a folder of mode 0700) when it does not exist. */
  static open(stateFolder: string, now: () => number, sent: SentSecrets): Journal {
    return new Journal(openJournalTables(stateFolder), now, sent);
  }

  /** Opens the journal for reading. On a full or read-only disk, nothing is created. */
  static openToRead(stateFolder: string, now: () => number, sent: SentSecrets): Journal {
    return new Journal(readJournalTables(stateFolder), now, sent);
  }

  close(): void {
    this.#db.close();
  }

  /**
   * Writes all items of a run as `planned`, in one transaction, before the first request. Also abandons the runs that it
   * replaces, and deletes some old runs. Returns the ID of the run.
   */
  create<P>(run: NewRun<P>): string {
    const id = this.#insert(run);
    this.#hasCreated = true;
    return id;
  }

  /** Whether `create` has created a run. */
  get hasCreated(): boolean {
    return this.#hasCreated;
  }

  #insert<P>(run: NewRun<P>): string {
    return transaction(this.#db, () => {
      const id = this.#begin(run);
      for (const abandoned of run.abandons ?? []) this.#end(abandoned, 'abandoned');
      deleteOldRuns(this.#db, run.now);
      const insert = prepareNamed(
        this.#db,
        insertText('item', ['run', 'seq', 'action', 'subject', 'payload', 'status', 'attempts', 'digest']),
      );
      const status = 'planned';
      for (const [seq, { action, subject, payload, digest = null }] of run.items.entries()) {
        const text = JSON.stringify(payload);
        insert.run({ run: id, seq, action, subject, payload: text, status, attempts: 0, digest });
      }
      return id;
    });
  }

  /** Creates the row of a run. If another run of the same second has the ID, retries with another random ID. */
  #begin({ kind, title, baseUrl, now, detail }: NewRun<unknown>): string {
    const columns = ['id', 'kind', 'title', 'baseUrl', 'started', 'state', 'detail'];
    const insert = prepareNamed(this.#db, insertText('run', columns, 'ON CONFLICT DO NOTHING'));
    const row = { kind, title, baseUrl, started: now, state: 'open', detail: JSON.stringify(detail) };
    for (;;) {
      const id = runId(now);
      const { changes } = insert.run({ id, ...row });
      if (changes > 0) return id;
    }
  }

  /** Marks the items of a request before the request is sent. From then on they may have reached the service. */
  markSent(run: string, seqs: readonly number[]): void {
    const time = this.#now();
    transaction(this.#db, () => {
      for (const seq of seqs) this.#markSent.run({ time, run, seq });
    });
  }

  /** Records the status of items after a request. */
  mark(run: string, seqs: readonly number[], status: ItemStatus, receipt: Receipt = {}): void {
    const time = this.#now();
    transaction(this.#db, () => {
      const { code = null, message = null } = receipt;
      // Only the IDs of a successful reply are stored.
      const requestId = this.#masked(receipt.requestId);
      const resultId = this.#masked(receipt.resultId);
      for (const seq of seqs) {
        this.#mark.run({ status, code, message, requestId, resultId, time, run, seq });
      }
    });
  }

  /** Masks secrets in an ID, because the service may have repeated a token there. */
  #masked(id: string | undefined): string | null {
    return id === undefined ? null : maskSecrets(id, this.#sent);
  }

  /** Plans items again that were certainly not sent. Their run is open again, which prevents a second run with them. */
  reopen(run: string, seqs: readonly number[]): void {
    this.#db.prepare("UPDATE run SET state = 'open', ended = NULL WHERE id = ?").run(run);
    this.mark(run, seqs, 'planned');
  }

  /**
   * Sets the state of a run, and marks the run that it has undone, in one transaction. If that run was an undo itself, the
   * changes of the run that it had undone are in effect again, and so on. A run of which only a part was undone is not marked.
   */
  finish(run: string, state: RunHead['state'], undone: Undone = {}): void {
    transaction(this.#db, () => {
      this.#end(run, state);
      let isInEffect = false;
      let { undoes: next, undoesPart = false } = undone;
      while (next !== undefined) {
        if (isInEffect) this.#end(next, this.#stateInEffect(next));
        else if (!undoesPart) this.#end(next, 'undone');
        isInEffect = !isInEffect;
        ({ undoes: next, undoesPart = false } = (this.detail(next) as Undone | undefined) ?? {});
      }
    });
  }

  /** Returns the state of a run that was undone, and whose changes are in effect again: it may not be finished. */
  #stateInEffect(run: string): RunHead['state'] {
    const left = "SELECT 1 FROM item WHERE run = ? AND status IN ('planned', 'sent') LIMIT 1";
    return this.#db.prepare(left).get(run) === undefined ? 'done' : 'open';
  }

  #end(run: string, state: RunHead['state']): void {
    const ended = state === 'open' ? null : this.#now();
    this.#db.prepare('UPDATE run SET state = ?, ended = ? WHERE id = ?').run(state, ended, run);
  }

  /** Returns the runs, newest first; with a filter, only these. */
  list(filter: RunFilter = {}): readonly RunSummary[] {
    const { condition, values } = conditionOf(filter);
    return summariesOf(this.#db, condition, values);
  }

  /** Like `list`, without the numbers of items. Reads no items. */
  heads(filter: RunFilter = {}): readonly RunHead[] {
    const { condition, values } = conditionOf(filter);
    return headsOf(this.#db, condition, values);
  }

  /**
   * Returns the IDs of the runs with an item that has one of these digests. Also returns all runs of this kind that have
   * no digests, because an older version created them.
   */
  runsWithContent(kind: string, digests: readonly string[]): readonly string[] {
    // A file of an older version that was opened for reading may lack the digests.
    const hasDigests = hasColumn(this.#db, digestColumn);
    const sql = hasDigests
      ? `SELECT run FROM item WHERE digest IN (SELECT value FROM json_each(:digests))
         UNION SELECT run.id FROM run JOIN item ON item.run = run.id AND item.seq = 0
         WHERE run.kind = :kind AND item.digest IS NULL`
      : 'SELECT id AS run FROM run WHERE kind = :kind';
    const rows = prepareNamed<{ readonly run: string }>(this.#db, sql).all({
      kind,
      digests: JSON.stringify(digests),
    });
    return rows.map(({ run }) => run);
  }

  /**
   * Returns which of these contents each of these runs has sent, by digest. Items that an earlier run had sent, such as a
   * text with the same dedupe key, do not count.
   */
  sentContents(runs: readonly string[], digests: readonly string[]): ReadonlyMap<string, readonly string[]> {
    if (runs.length === 0 || !hasColumn(this.#db, digestColumn)) return new Map();
    const rows = prepareNamed<{ readonly run: string; readonly sent: string }>(
      this.#db,
      `SELECT run, json_group_array(DISTINCT digest) AS sent FROM item
       WHERE run IN (SELECT value FROM json_each(:runs)) AND status = 'ok' AND coalesce(code, '') <> 'duplicate'
         AND digest IN (SELECT value FROM json_each(:digests))
       GROUP BY run`,
    ).all({ runs: JSON.stringify(runs), digests: JSON.stringify(digests) });
    return new Map(rows.map(({ run, sent }) => [run, JSON.parse(sent) as readonly string[]]));
  }

  /** Returns a number that is different after another process has changed the journal. */
  foreignVersion(): number {
    const row = this.#db.prepare('PRAGMA data_version').get() as { data_version: number };
    return row.data_version;
  }

  /** Returns a position in the journal for `listSince`, which returns the runs created after that position. */
  position(): number {
    const row = this.#db.prepare('SELECT max(rowid) AS newest FROM run').get() as { newest: number | null };
    return row.newest ?? 0;
  }

  /** Returns the runs that were created after a position, newest first. */
  listSince(position: number): readonly RunSummary[] {
    return summariesOf(this.#db, 'rowid > :position', { position });
  }

  /**
   * Returns the run with this ID, else all runs whose ID starts with the word, newest first; `last` is the newest run
   * that was started.
   */
  matching(word: string): readonly RunSummary[] {
    // An abandoned run comes last, because most of them changed nothing.
    if (word === 'last')
      return summariesOf(
        this.#db,
        "rowid = (SELECT rowid FROM run ORDER BY state = 'abandoned', started DESC, rowid DESC LIMIT 1)",
      );
    const exact = summariesOf(this.#db, 'id = :word', { word });
    if (exact.length > 0 || word === '') return exact;
    return summariesOf(this.#db, 'substr(id, 1, length(:word)) = :word', { word });
  }

  detail(run: string): unknown {
    const row = this.#db.prepare('SELECT detail FROM run WHERE id = ?').get(run) as
      | { detail: string }
      | undefined;
    return row && JSON.parse(row.detail);
  }

  /** Returns the runs that belong to the same apply as this run, which is the first run of it; newest first. */
  partsOf(run: string): readonly RunSummary[] {
    return summariesOf(this.#db, "json_extract(detail, '$.partOf') = :run", { run });
  }

  /** Returns the runs that undo this run or a part of it, newest first. */
  undosOf(run: string): readonly RunSummary[] {
    return summariesOf(this.#db, "json_extract(detail, '$.undoes') = :run", { run });
  }

  /** Returns the items of a run, by `seq`. */
  items<P>(run: string): readonly JournalItem<P>[] {
    return Array.from(this.eachItem<P>(run));
  }

  /** Yields the items of a run, by `seq`, without keeping them in memory. Nothing may be written until the last one. */
  *eachItem<P>(run: string): Generator<JournalItem<P>, void, undefined> {
    const rows = iterateRows<ItemRow>(this.#db, 'SELECT * FROM item WHERE run = ? ORDER BY seq', [run]);
    for (const row of rows) yield itemOf<P>(row);
  }

  /** Returns the `seq` of the items that have not been sent, in ascending order. */
  plannedSeqs(run: string): readonly number[] {
    const rows = prepareNamed<Pick<ItemRow, 'seq'>>(
      this.#db,
      "SELECT seq FROM item WHERE run = :run AND status = 'planned' ORDER BY seq",
    ).all({ run });
    return rows.map(({ seq }) => seq);
  }
}

function itemOf<P>(row: ItemRow): JournalItem<P> {
  return {
    seq: row.seq,
    action: row.action,
    subject: row.subject,
    payload: JSON.parse(row.payload) as P,
    status: row.status,
    code: row.code ?? undefined,
    message: row.message ?? undefined,
    requestId: row.requestId ?? undefined,
    resultId: row.resultId ?? undefined,
    attempts: row.attempts,
    time: row.time ?? undefined,
  };
}

/** Generates an ID such as `20260105-090000-3fa9`, which sorts by time and is short enough to type. */
function runId(now: number): string {
  const [date = '', time = ''] = new Date(now).toISOString().split('T');
  const clock = time.slice(0, 8).replaceAll(':', '');
  return `${date.replaceAll('-', '')}-${clock}-${randomBytes(2).toString('hex')}`;
}
