import type { Preparer } from '../../platform/named-statement.ts';

/**
 * Returns the number of the next run. It is after the positions of all exports, which stay when the messages of a run
 * are removed, so that the next export includes the changes of the run.
 */
export function nextRun(db: Preparer): number {
  const row = db
    .prepare(
      `SELECT max(coalesce((SELECT max(run_id) FROM run), 0), coalesce((SELECT max(changed_in) FROM message), 0),
       coalesce((SELECT max(run_id) FROM export_state), 0)) AS n`,
    )
    .get() as { readonly n: number };
  return row.n + 1;
}
