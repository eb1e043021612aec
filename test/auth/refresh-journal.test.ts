import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RefreshJournal } from '../../src/auth/refresh-journal.ts';
import { withProcessLock } from '../../src/platform/process-lock.ts';
import type { Database } from '../../src/platform/sqlite.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Runs `work` with the journal of a new lock. */
function withJournal(work: (journal: RefreshJournal, db: Database) => void): Promise<void> {
  return withProcessLock(join(temporaryFolder(), 'auth.lock.db'), {}, async (db) =>
    work(new RefreshJournal(db), db),
  );
}

const startedAt = '2026-01-05T09:00:00.000Z';
const rows = (db: Database): unknown =>
  db.prepare('SELECT (SELECT count(*) FROM intent) + (SELECT count(*) FROM refused) AS rows').get();

describe('the journal of renewals', () => {
  it('has no unfinished renewal after a rejection, and stores the reason', () =>
    withJournal((journal) => {
      journal.begin('r1', startedAt, 7);
      journal.reject('r1', 'revoked');
      expect([journal.unfinished('r1'), journal.rejection('r1')]).toEqual([undefined, 'revoked']);
    }));

  it('deletes the records of all former sessions', () =>
    withJournal((journal, db) => {
      journal.begin('r1', startedAt, 7);
      journal.reject('r2', 'revoked');
      journal.clear();
      expect(rows(db)).toEqual({ rows: 0 });
    }));

  it('is not writable if the disk is read-only, and keeps no row of the check', () =>
    withJournal((journal, db) => {
      journal.prove();
      expect(rows(db)).toEqual({ rows: 0 });
      db.exec('PRAGMA query_only = ON');
      expect(() => journal.prove()).toThrow(/is not writable/);
      db.exec('PRAGMA query_only = OFF');
    }));

  it('contains no token', () =>
    withJournal((journal, db) => {
      journal.begin('canary-of-the-refresh-token', startedAt, 7);
      journal.reject('canary-of-another-token', 'revoked');
      const stored = [db.prepare('SELECT * FROM intent').all(), db.prepare('SELECT * FROM refused').all()];
      expect(JSON.stringify(stored)).not.toContain('canary');
    }));
});
