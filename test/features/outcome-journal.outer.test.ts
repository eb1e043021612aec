import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/sqlite.ts';
import { open, startProcess } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const processes = 6;
const rounds = 20;

/** Opens the journal in each folder that standard input names, and prints the result. */
const program = `
import { createInterface } from 'node:readline';
const { OutcomeJournal } = await import(process.argv[1]);
for await (const folder of createInterface({ input: process.stdin })) {
  try {
    OutcomeJournal.open(folder).close();
    console.log('opened');
  } catch (error) {
    console.log(error.message);
  }
}`;

/** The table of an older version, without the sender. */
const oldTable = `CREATE TABLE outcome (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, profile TEXT NOT NULL, origin TEXT NOT NULL, extension TEXT NOT NULL,
  digest TEXT NOT NULL, receivers TEXT NOT NULL, started_at REAL NOT NULL, ended_at REAL, service_id TEXT, dedupe_key TEXT, pid INTEGER NOT NULL
) STRICT`;

describe('the outcome journal', () => {
  it('is created, or upgraded, by several processes at the same time', async () => {
    const module = resolve('.tmp/stripped/src/features/outcome-journal/journal.js');
    const started = Array.from({ length: processes }, () => {
      const { child, ended } = startProcess(
        process.execPath,
        ['--input-type=module', '--eval', program, module],
        { input: open },
      );
      return { child, ended, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
    });
    const folder = temporaryFolder();
    for (let round = 0; round < rounds; round += 1) {
      const state = mkdtempSync(join(folder, 'state-'));
      if (round % 2 === 1) {
        const db = openDatabase(join(state, 'outcomes.db'));
        db.exec(oldTable);
        db.close();
      }
      for (const { child } of started) child.stdin.write(`${state}\n`);
      const results = await Promise.all(started.map(({ lines }) => lines.next()));
      expect(results.map(({ value }) => value as unknown)).toEqual(started.map(() => 'opened'));
    }
    for (const { child } of started) child.stdin.end();
    expect((await Promise.all(started.map(({ ended }) => ended))).map(({ exit }) => exit)).toEqual(
      started.map(() => 0),
    );
  });
});
