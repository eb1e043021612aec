import { join } from 'node:path';
import { openToRead } from '../../platform/read-database.ts';
import { openOwnDatabase, transaction, versionOf, type Database } from '../../platform/sqlite.ts';
import { closedOnFailure } from '../../platform/sqlite/connection.ts';
import { ensureColumn } from '../../platform/sqlite/ensure-column.ts';

const version = 1;
/**
 * Items without a digest, such as members of queues, are not in the index of digests. The indexes of the detail contain
 * only the few runs that refer to another run, because details can be long.
 */
const indexes = `
  CREATE INDEX IF NOT EXISTS item_digest ON item (digest) WHERE digest IS NOT NULL;
  CREATE INDEX IF NOT EXISTS run_started ON run (started);
  CREATE INDEX IF NOT EXISTS run_undoes ON run (json_extract(detail, '$.undoes')) WHERE json_extract(detail, '$.undoes') IS NOT NULL;
  CREATE INDEX IF NOT EXISTS run_part ON run (json_extract(detail, '$.partOf')) WHERE json_extract(detail, '$.partOf') IS NOT NULL;`;
const schema = `
  CREATE TABLE run (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, baseUrl TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER,
    state TEXT NOT NULL, detail TEXT NOT NULL
  );
  CREATE TABLE item (
    run TEXT NOT NULL REFERENCES run (id), seq INTEGER NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL, payload TEXT NOT NULL, status TEXT NOT NULL,
    code TEXT, message TEXT, requestId TEXT, attempts INTEGER NOT NULL, time INTEGER, digest TEXT, resultId TEXT, PRIMARY KEY (run, seq)
  ) WITHOUT ROWID;
  ${indexes}
  PRAGMA user_version = ${version};`;

/** The digest of the content of an item. Items of older versions have no digest. */
export const digestColumn = { table: 'item', column: 'digest', type: 'TEXT' } as const;

/** The ID of what a change created. Older versions did not record it. */
const resultIdColumn = { table: 'item', column: 'resultId', type: 'TEXT' } as const;

/** Opens the database of the journal in the state folder, and creates it if it does not exist. */
export function openJournalTables(stateFolder: string): Database {
  const db = openTables(fileIn(stateFolder));
  return closedOnFailure(db, () => {
    ensureColumn(db, digestColumn);
    ensureColumn(db, resultIdColumn);
    db.exec(indexes);
  });
}

/**
 * Opens the database for reading. On a full or read-only disk, nothing is created. A file of an older version is not
 * updated and may lack the digests and the IDs of results, because a reader must not wait for a process that writes.
 */
export function readJournalTables(stateFolder: string): Database {
  const file = fileIn(stateFolder);
  return openToRead(file, () => openTables(file), schema);
}

/** Opens a file of any version, and creates the tables in a new file. */
function openTables(file: string): Database {
  const db = openOwnDatabase(file);
  return closedOnFailure(db, () => {
    if (versionOf(db, file, version) === 0) transaction(db, () => createOnce(db, file));
  });
}

/** Creates the tables, unless another process has created them meanwhile. */
function createOnce(db: Database, file: string): void {
  if (versionOf(db, file, version) === 0) db.exec(schema);
}

function fileIn(stateFolder: string): string {
  return join(stateFolder, 'runs.db');
}
