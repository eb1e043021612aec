import type { Database } from '../../../platform/sqlite.ts';

/** How far an export has come. */
export interface ExportState {
  readonly target: string;
  readonly format: string;
  readonly runId: number;
  /** Length of the file that is known to be whole. */
  readonly bytes: number;
}

export function readExportState(db: Database, target: string, format: string): ExportState | undefined {
  return db
    .prepare(
      'SELECT target, format, run_id AS runId, bytes FROM export_state WHERE target = ? AND format = ?',
    )
    .get(target, format) as ExportState | undefined;
}

export function saveExportState(db: Database, { target, format, runId, bytes }: ExportState): void {
  db.prepare(
    `INSERT OR REPLACE INTO export_state (target, format, filter, run_id, bytes) VALUES (?, ?, '', ?, ?)`,
  ).run(target, format, runId, bytes);
}

/** Every export that was made of this copy. */
export function exportTargets(db: Database): readonly string[] {
  const rows = db.prepare('SELECT target FROM export_state ORDER BY target').all() as {
    readonly target: string;
  }[];
  return rows.map(({ target }) => target);
}
