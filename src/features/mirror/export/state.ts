import type { Database } from '../../../platform/sqlite.ts';
import type { ExportState } from '../../../store/export-row.ts';
import { namesNumber } from '../numbers-in-search.ts';
import { insertRow } from '../../../platform/named-statement.ts';

/** Versions of ucctl that do not know this table ignore it; it therefore has no version. */
const fileSchema =
  'CREATE TABLE IF NOT EXISTS export_file (target TEXT PRIMARY KEY, file TEXT NOT NULL) WITHOUT ROWID;';

/** Thrown when an earlier export to this target selected other messages: continuing it would mix both selections. */
export class OtherSelectionError extends Error {
  override readonly name = 'OtherSelectionError';

  constructor(target: string, filter: string) {
    super(
      `${target} already contains an export of ${filter === '' ? 'all messages' : `the search "${filter}"`}`,
    );
  }
}

/** Thrown when another process exports to this target: both would write to the same file. */
export class ExportRunningError extends Error {
  override readonly name = 'ExportRunningError';

  constructor(target: string) {
    super(`another process is exporting to ${target}`);
  }
}

/**
 * Returns the position of the previous export; undefined if there was no export.
 * @throws {OtherSelectionError} the previous export selected other messages.
 */
export function readExportState(
  db: Database,
  { target, format, filter }: Pick<ExportState, 'target' | 'format' | 'filter'>,
): ExportState | undefined {
  const state = db
    .prepare(
      'SELECT target, format, filter, run_id AS runId, bytes FROM export_state WHERE target = ? AND format = ?',
    )
    .get(target, format) as ExportState | undefined;
  if (state && state.filter !== filter) throw new OtherSelectionError(target, state.filter);
  return state && { ...state, file: fileOf(db, target) };
}

/** Returns the identity of the file of an export; undefined if the version of ucctl that wrote it did not record it. */
function fileOf(db: Database, target: string): string | undefined {
  if (!hasFiles(db)) return undefined;
  const row = db.prepare('SELECT file FROM export_file WHERE target = ?').get(target) as
    | { readonly file: string }
    | undefined;
  return row?.file;
}

function hasFiles(db: Database): boolean {
  return db.prepare("SELECT 1 AS n FROM sqlite_schema WHERE name = 'export_file'").get() !== undefined;
}

/** Stores the position of an export. A file has one format, so an export in another format to the same file ends. */
export function saveExportState(
  db: Database,
  { target, format, filter, runId, bytes, file }: ExportState,
): void {
  db.prepare('DELETE FROM export_state WHERE target = ? AND format <> ?').run(target, format);
  insertRow(db, 'export_state', { target, format, filter, run_id: runId, bytes }, 'REPLACE');
  db.exec(fileSchema);
  if (file === undefined) db.prepare('DELETE FROM export_file WHERE target = ?').run(target);
  else insertRow(db, 'export_file', { target, file }, 'REPLACE');
}

/** Returns the targets of all exports of this copy. */
export function exportTargets(db: Database): readonly string[] {
  const rows = db.prepare('SELECT target FROM export_state ORDER BY target').all() as {
    readonly target: string;
  }[];
  return rows.map(({ target }) => target);
}

/** Forgets exports whose search contains a number. The next export to their target needs `--fresh`. */
export function forgetSearches(db: Database, number: string): void {
  const rows = db.prepare("SELECT target, format, filter FROM export_state WHERE filter <> ''").all();
  const forget = db.prepare('DELETE FROM export_state WHERE target = ? AND format = ?');
  for (const { target, format, filter } of rows as Pick<ExportState, 'target' | 'format' | 'filter'>[])
    if (namesNumber(filter, number)) forget.run(target, format);
  if (hasFiles(db)) db.exec('DELETE FROM export_file WHERE target NOT IN (SELECT target FROM export_state)');
}
