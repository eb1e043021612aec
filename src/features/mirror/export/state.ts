import type { Database } from '../../../platform/sqlite.ts';

/** How far an export has come. */
export interface ExportState {
  readonly target: string;
  readonly format: string;
  /** The search that chose its messages; empty for all. */
  readonly filter: string;
  readonly runId: number;
  /** Length of the file that is known to be whole. */
  readonly bytes: number;
}

/** An earlier export chose other messages than this one: continued, the file would hold neither. */
export class OtherSelectionError extends Error {
  override readonly name = 'OtherSelectionError';

  constructor(target: string, filter: string) {
    super(`${target} holds ${filter === '' ? 'every message' : `what "${filter}" finds`} so far`);
  }
}

/** How far the export before came; undefined when there was none. @throws {OtherSelectionError} */
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
  return state;
}

/** Notes how far an export came. */
export function saveExportState(db: Database, { target, format, filter, runId, bytes }: ExportState): void {
  db.prepare(
    `INSERT OR REPLACE INTO export_state (target, format, filter, run_id, bytes) VALUES (?, ?, ?, ?, ?)`,
  ).run(target, format, filter, runId, bytes);
}

/** Every export that was made of this copy. */
export function exportTargets(db: Database): readonly string[] {
  const rows = db.prepare('SELECT target FROM export_state ORDER BY target').all() as {
    readonly target: string;
  }[];
  return rows.map(({ target }) => target);
}
