import { setTimeout as pause } from 'node:timers/promises';
import { Postgres } from '../../src/store/index.ts';

interface Change {
  readonly tx: string;
  readonly id: number;
}

const most = 500;
const writers = 6;

/** What a reader of the change feed saw, compared with the table. */
export interface Followed {
  readonly changes: number;
  readonly missed: number;
  readonly doubled: number;
}

/** Reads the change feed while others write, also after the server was stopped, until `end`. */
export function followChanges(db: Postgres): { end(): Promise<Followed> } {
  const reader = new SafeReader(db);
  const state = { isEnding: false };
  const reading = (async () => {
    while (!state.isEnding) {
      // While the server is stopped, the reader keeps its position.
      await reader.read().catch(() => undefined);
      await pause(20);
    }
  })();
  return {
    async end() {
      state.isEnding = true;
      await reading;
      await reader.read();
      const all = await db.query<Change>('select tx::text as tx, change_id as id from message_change');
      const missed = all.filter(({ id }) => !reader.seen.has(id)).length;
      return { changes: all.length, missed, doubled: reader.doubled };
    },
  };
}

/** Continues after the transaction and id of the last change. The view shows only changes whose order is final. */
class SafeReader {
  readonly seen = new Set<number>();
  doubled = 0;
  readonly #db: Postgres;
  #after: Change = { tx: '0', id: 0 };

  constructor(db: Postgres) {
    this.#db = db;
  }

  async read(): Promise<void> {
    for (;;) {
      const rows = await this.#db.query<Change>(
        `select tx::text as tx, change_id as id from v_change where (tx, change_id) > ($1::text::xid8, $2) order by v_change.tx, change_id limit ${most}`,
        [this.#after.tx, this.#after.id],
      );
      for (const { id } of rows) {
        if (this.seen.has(id)) this.doubled += 1;
        this.seen.add(id);
      }
      this.#after = rows.at(-1) ?? this.#after;
      if (rows.length < most) return;
    }
  }
}

/** The control: continues after the id of the last change. Ids are given before the commit, so it misses changes. */
class NaiveReader {
  readonly seen = new Set<number>();
  readonly #db: Postgres;
  #after = 0;

  constructor(db: Postgres, after: number) {
    this.#db = db;
    this.#after = after;
  }

  async read(): Promise<void> {
    const rows = await this.#db.query<{ id: number }>(
      'select change_id as id from message_change where change_id > $1 order by change_id',
      [this.#after],
    );
    for (const { id } of rows) this.seen.add(id);
    this.#after = rows.at(-1)?.id ?? this.#after;
  }
}

/** Writes changes on several connections, and reads them in both ways meanwhile. @returns the changes that each reader missed. */
export async function feedUnderWriters(
  db: Postgres,
  transactions: number,
): Promise<{ readonly safe: number; readonly naive: number; readonly changes: number }> {
  const [start] = await db.query<{ last: number }>(
    'select coalesce(max(change_id), 0)::bigint as last from message_change',
  );
  const last = start?.last ?? 0;
  const [safe, naive] = [new SafeReader(db), new NaiveReader(db, last)];
  const state = { isEnding: false };
  const reading = (async () => {
    while (!state.isEnding) await Promise.all([safe.read(), naive.read()]);
  })();
  const pool = new Postgres(db.settings, { poolSize: writers });
  try {
    await Promise.all(
      Array.from({ length: writers }, async () => {
        for (let count = 0; count < transactions / writers; count += 1) await pool.script(writeSql);
      }),
    );
  } finally {
    await pool.close();
    state.isEnding = true;
    await reading;
  }
  await Promise.all([safe.read(), naive.read()]);
  const all = await db.query<{ id: number }>(
    'select change_id as id from message_change where change_id > $1',
    [last],
  );
  return {
    safe: all.filter(({ id }) => !safe.seen.has(id)).length,
    naive: all.filter(({ id }) => !naive.seen.has(id)).length,
    changes: all.length,
  };
}

/** One transaction that takes its first id some milliseconds before its commit. */
const writeSql = `insert into message_change (extension_id, message_id, change) values ('0', 'feed', 'added');
  select pg_sleep(random() * 0.01);
  insert into message_change (extension_id, message_id, change) values ('0', 'feed', 'added')`;
