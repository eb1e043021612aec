import { CachedStatements } from '../../platform/cached-statements.ts';
import type { Stream } from '../../store/mailbox.ts';
import type { ApplySettings, SyncProblem } from '../../store/reply.ts';
import { prepareNamed } from '../../platform/named-statement.ts';
import { transaction, type Database } from '../../platform/sqlite.ts';
import { nextRun } from './next-run.ts';
import { ReplyWriter } from './reply-writer.ts';

/** Returns the records that syncs could not store. */
export function problemsOf(db: Database): readonly SyncProblem[] {
  return prepareNamed<SyncProblem>(
    db,
    `SELECT error_id AS problemId, stream_id AS streamId, extension_id AS extensionId, message_id AS messageId, problem
     FROM sync_error ORDER BY error_id`,
  ).all();
}

/** Stores the record of a problem and deletes the problem. */
export function settleProblem(
  {
    db,
    problem,
    stream,
    text,
  }: {
    readonly db: Database;
    readonly problem: SyncProblem;
    readonly stream: Stream;
    readonly text: string | undefined;
  },
  settings: ApplySettings,
): 'copied' | 'not found' | 'failed' {
  return transaction(db, () => {
    db.prepare('DELETE FROM sync_error WHERE error_id = ?').run(problem.problemId);
    if (text === undefined) return 'not found';
    const statements = new CachedStatements(db);
    const writer = new ReplyWriter(statements, stream, { ...settings, runId: nextRun(statements) });
    writer.records([text]);
    return writer.flush().errors > 0 ? 'failed' : 'copied';
  });
}
