import type { Database } from '../../platform/sqlite.ts';
import { prepare } from './sql.ts';
import type { WatchRow } from './subscriptions.ts';

/** Who watches the line of an extension: the agents that share a call queue with it (docs/service-gaps.md). */
export class LineStore {
  readonly #watchers;

  constructor(db: Database) {
    this.#watchers = prepare<WatchRow>(
      db,
      `SELECT DISTINCT watch.subscriptionId, watch.filter FROM departmentMember AS own
       JOIN departmentMember AS peer ON peer.departmentId = own.departmentId AND peer.extensionId <> own.extensionId
       JOIN watch ON watch.topic = ? || peer.extensionId WHERE own.extensionId = ?`,
    );
  }

  /** Filters of this topic whose extensions monitor this one. */
  watchers(topic: 'line' | 'linePresence', extensionId: number): readonly WatchRow[] {
    return this.#watchers.all(`${topic}:`, extensionId);
  }
}
