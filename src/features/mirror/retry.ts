import { transaction, type Database } from '../../platform/sqlite.ts';
import { prepareNamed } from '../../platform/named-statement.ts';
import type { OnDelete } from './gone.ts';
import { ReplyWriter } from './reply-writer.ts';
import { allStreams } from './streams.ts';

/** Reads the text of one message from the service; undefined if it no longer exists. */
export type FetchMessage = (extensionId: string, messageId: string) => Promise<string | undefined>;

/** The result of requesting one record again. */
export interface RetryLine {
  readonly extensionId: string;
  readonly messageId: string | null;
  readonly problem: string;
  readonly outcome: 'copied' | 'not found' | 'failed' | 'needs a full sync';
}

interface ErrorRow {
  readonly error_id: number;
  readonly stream_id: number;
  readonly extension_id: string;
  readonly message_id: string | null;
  readonly problem: string;
}

/** Requests each record again that a sync could not store. A record without an id can be requested only by a full sync. */
export async function* retryErrors(
  db: Database,
  fetchMessage: FetchMessage,
  settings: { readonly onDelete: OnDelete; readonly now: number },
): AsyncGenerator<RetryLine, void, undefined> {
  const errors = prepareNamed<ErrorRow>(db, 'SELECT * FROM sync_error ORDER BY error_id').all();
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
      if (text === undefined) return 'not found';
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

/** The number of the run after the latest one, so that the next export includes the change. */
function latestRun(db: Database): number {
  const { n } = db.prepare('SELECT coalesce(max(changed_in), 0) AS n FROM message').get() as {
    readonly n: number;
  };
  return n + 1;
}
