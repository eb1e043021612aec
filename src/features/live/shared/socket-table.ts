import type { Queries } from '../../../platform/postgres/postgres.ts';
import type { ContinuedSession } from '../receive/web-socket/options.ts';

/** The session of a receiver, with the values for which it was opened. */
export interface StoredSession extends ContinuedSession {
  /** The requested event filters. */
  readonly requested: readonly string[];
  /** Origin of the service. */
  readonly service: string;
}

/** Returns the session that the last owner of a receiver stored. */
export async function storedSession(db: Queries, receiver: string): Promise<StoredSession | undefined> {
  const [row] = await db.query<{ socket: string }>(
    'select socket::text as socket from receiver where name = $1 and socket is not null',
    [receiver],
  );
  return row && (JSON.parse(row.socket) as StoredSession);
}

/** Stores the session of the owner. @returns false if another process has become the owner. */
export async function storeSession(
  db: Queries,
  receiver: string,
  fence: number,
  session: StoredSession,
): Promise<boolean> {
  const changed = await db.run(
    'update receiver set socket = $3::text::jsonb where name = $1 and fence = $2',
    [receiver, fence, JSON.stringify(session)],
  );
  return changed > 0;
}
