import { transaction, type Database } from '../../platform/sqlite.ts';
import type { OnDelete } from './gone.ts';
import { ReplyWriter } from './reply-writer.ts';
import { allStreams } from './streams.ts';

/** The text of one message, from the store; undefined when it is not there any more. */
export type FetchMessage = (extensionId: string, messageId: string) => Promise<string | undefined>;

export interface RetryLine {
  readonly extensionId: string;
  readonly messageId: string | null;
  readonly problem: string;
  readonly outcome: 'copied' | 'gone' | 'failed' | 'needs a full sync';
}

interface ErrorRow {
  readonly error_id: number;
  readonly stream_id: number;
  readonly extension_id: string;
  readonly message_id: string | null;
  readonly problem: string;
}

/** Asks once more for each record that a sync could not take. Those without an id come again only with a full sync. */
export async function* retryErrors(
  db: Database,
  fetchMessage: FetchMessage,
  settings: { readonly onDelete: OnDelete; readonly now: number },
): AsyncGenerator<RetryLine, void, undefined> {
  const errors = db.prepare('SELECT * FROM sync_error ORDER BY error_id').all() as unknown as ErrorRow[];
  const streams = new Map(allStreams(db).map((stream) => [stream.streamId, stream]));
  for (const row of errors) {
    const line = { extensionId: row.extension_id, messageId: row.message_id, problem: row.problem };
    const stream = streams.get(row.stream_id);
    if (row.message_id === null || !stream) {
      yield { ...line, outcome: 'needs a full sync' };
      continue;
    }
    const text = await fetchMessage(row.extension_id, row.message_id);
    const outcome = transaction(db, () => {
      db.prepare('DELETE FROM sync_error WHERE error_id = ?').run(row.error_id);
      if (text === undefined) return 'gone';
      const writer = new ReplyWriter(db, stream, {
        runId: latestRun(db),
        onDelete: settings.onDelete,
        full: false,
        now: new Date(settings.now).toISOString(),
      });
      writer.records([text]);
      return writer.flush().errors > 0 ? 'failed' : 'copied';
    });
    yield { ...line, outcome };
  }
}

/** The change belongs after everything that was exported so far. */
function latestRun(db: Database): number {
  const { n } = db.prepare('SELECT coalesce(max(changed_in), 0) AS n FROM message').get() as {
    readonly n: number;
  };
  return n + 1;
}
