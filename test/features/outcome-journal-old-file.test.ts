import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OutcomeJournal } from '../../src/features/outcome-journal/index.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { temporaryFolder } from '../support/temporary.ts';

const owner = { profile: 'default', origin: 'https://service.example' };

/** A journal of a version that did not record the sender and the time of the service, with one request. */
function oldJournal(): { readonly folder: string; readonly file: string } {
  const folder = temporaryFolder();
  const file = join(folder, 'outcomes.db');
  const journal = OutcomeJournal.open(folder);
  const call = { kind: 'sms', extension: '~', digest: 'd', to: '+15555550100' } as const;
  journal.end(journal.begin(owner, call, 'key', 0), { state: 'sent', serviceId: '7' }, 1);
  journal.close();
  const db = openDatabase(file);
  db.exec(`ALTER TABLE outcome DROP COLUMN owner; ALTER TABLE outcome DROP COLUMN service_at;
    DROP INDEX outcome_started; DROP INDEX outcome_digest;`);
  db.close();
  return { folder, file };
}

describe('an outcome journal of an older version', () => {
  it('is read without changes while another process writes to it', () => {
    const { folder, file } = oldJournal();
    const writer = openDatabase(file);
    onTestFinished(() => writer.close());
    writer.exec('BEGIN IMMEDIATE');
    const journal = OutcomeJournal.openToRead(folder);
    onTestFinished(() => journal.close());
    expect(journal.list(owner, 2)).toMatchObject([{ state: 'sent', serviceId: '7', owner: undefined }]);
    const use = { origin: owner.origin, dedupeKey: 'key', digest: '' };
    expect(journal.withKey(use, 2)).toMatchObject({ serviceId: '7' });
    expect(journal.countSince(owner, -1)).toBe(1);
  });

  it('is updated by the next command that sends', () => {
    const { folder, file } = oldJournal();
    OutcomeJournal.open(folder).close();
    const db = openDatabase(file);
    onTestFinished(() => db.close());
    expect(db.prepare('SELECT owner, service_at FROM outcome').all()).toHaveLength(1);
    const indexes = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'index' ORDER BY name").all();
    expect(indexes.map((row) => (row as { readonly name: string }).name)).toEqual([
      'outcome_digest',
      'outcome_key',
      'outcome_open',
      'outcome_started',
    ]);
  });
});
