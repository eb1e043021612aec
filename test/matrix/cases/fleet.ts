import type { Postgres } from '../../../src/store/index.ts';
import type { NounCases } from '../cases.ts';
import { withSharedStore, withStore } from '../with-store.ts';

const local = { UCCTL_STORE: 'file' };
/** The commands need the address of a store, and this run has none. */
const withoutStore = { words: '', env: local, exit: 2, code: 'usage' };

/** Two tasks, of which one has failed. */
async function twoTasks(db: Postgres): Promise<void> {
  await db.script(`insert into fleet_task (kind, subject, label, every_seconds, state, problem) values
    ('messages', '171857101', '101', 600, 'active', null), ('messages', '171857102', '102', 600, 'failed', 'permission missing')`);
}

async function oneWorker(db: Postgres): Promise<void> {
  await db.script(
    `insert into fleet_worker (worker, machine, pid, version, concurrency) values ('host-1-ab12', 'host', 1, '0.1.0', 4)`,
  );
}

const always = { none: 'there is a line for each kind of task' };

export const fleet: NounCases = {
  desk: {},
  commands: {
    'fleet enroll': {
      success: { words: withStore('--extension 101,102 --tasks messages,calls') },
      empty: always,
      error: { words: withSharedStore('--extension nobody'), exit: 3, code: 'not_found' },
    },
    'fleet worker': {
      success: { words: withStore('--once --all', twoTasks), gives: 'stream' },
      empty: { words: withStore('--once'), gives: 'stream' },
      error: withoutStore,
    },
    'fleet status': {
      success: { words: withSharedStore('', twoTasks) },
      empty: { words: withSharedStore('') },
      error: withoutStore,
    },
    'fleet budget': {
      success: {
        words: withSharedStore('', (db) =>
          db.run(
            `insert into budget (owner, grp, lim, window_ms, remaining) values ('owner', 'light', 50, 60000, 12)`,
          ),
        ),
      },
      empty: { words: withSharedStore('') },
      error: withoutStore,
    },
    'fleet session': {
      success: {
        words: withSharedStore('', (db) =>
          db.run(
            `insert into fleet_session (profile, origin, owner, who) values ('second', 'https://example.com', 'owner', 'extension 102')`,
          ),
        ),
      },
      empty: { words: withSharedStore('') },
      error: { words: withSharedStore('remove'), exit: 3, code: 'not_found' },
    },
    'fleet pause': {
      success: { words: withStore('--tasks messages', twoTasks) },
      empty: always,
      error: withoutStore,
    },
    'fleet resume': {
      success: { words: withStore('', twoTasks) },
      empty: always,
      error: withoutStore,
    },
    'fleet retry': {
      success: { words: withStore('', twoTasks) },
      empty: always,
      error: { words: withSharedStore('--extension nobody'), exit: 3, code: 'not_found' },
    },
    'fleet drain': {
      success: { words: withStore('', oneWorker) },
      empty: { words: withSharedStore('') },
      error: { words: withSharedStore('nobody'), exit: 3, code: 'not_found' },
    },
  },
};
