import { dialects } from '../../contract/dialects.ts';
import { earliestData } from '../../contract/limits.ts';
import type { Context } from '../../runtime/context.ts';
import type { SyncScope } from '../../store/mailbox.ts';
import type { SyncStore } from '../../store/message-store.ts';
import { unknownOwner } from './other-mailbox.ts';
import type { SyncRequest } from './reply.ts';

/** The default start of a full sync. */
export const retentionStart = new Date(earliestData).toISOString();

/** The last sync of the mailbox that was copied longest ago. */
export interface OldestSync {
  readonly syncTime: string;
  /** Number of the mailbox, or its ID; undefined if no mailboxes were given. */
  readonly mailbox: string | undefined;
  /** The value of `--extension` that copies the mailbox; undefined for the mailbox of the signed-in user. */
  readonly extension: string | undefined;
  /** Whether it is the only mailbox that was considered. */
  readonly isOnly: boolean;
}

/**
 * Returns the last sync of the mailbox that was copied longest ago; undefined before the first sync.
 * @param mailboxes the numbers of the mailboxes to consider, by their IDs; if empty, all mailboxes
 */
export async function oldestSync(
  messages: Pick<SyncStore, 'streams' | 'ownMailbox'>,
  mailboxes: ReadonlyMap<string, string>,
): Promise<OldestSync | undefined> {
  const last = new Map<string, string>();
  for (const { extensionId, syncTime } of await messages.streams()) {
    if (syncTime === undefined || extensionId === unknownOwner) continue;
    if (mailboxes.size > 0 && !mailboxes.has(extensionId)) continue;
    const known = last.get(extensionId);
    if (known === undefined || syncTime > known) last.set(extensionId, syncTime);
  }
  const [oldest, ...others] = [...last].toSorted(([, one], [, other]) =>
    one < other ? -1 : Number(one > other),
  );
  if (!oldest) return undefined;
  const [extensionId, syncTime] = oldest;
  const mailbox = mailboxes.get(extensionId);
  const isOwn = (await messages.ownMailbox())?.extensionId === extensionId;
  return {
    syncTime,
    mailbox,
    extension: isOwn ? undefined : (mailbox ?? extensionId),
    isOnly: others.length === 0,
  };
}

/** Returns the text that identifies a scope in the database (column `frame_key`). */
export function scopeKey({ messageType, direction, since, maxRecords }: SyncScope): string {
  return JSON.stringify([messageType ?? null, direction ?? null, since ?? null, maxRecords ?? null]);
}

/** Returns whether replies of a sync lack the shared messages of queues, as in dialect `spec` (CURRENT-17). */
export function isPersonalSync({ dialect }: Context['settings']): boolean {
  return dialects[dialect.value].syncOwner === undefined;
}

/** Returns the request of a full sync of the scope. */
export function fullSync(scope: SyncScope, dateFrom: string): SyncRequest {
  return {
    syncType: 'FSync',
    dateFrom,
    messageType: scope.messageType,
    direction: scope.direction,
    recordCount: scope.maxRecords,
  };
}

/**
 * Returns the request of an incremental sync. It contains only the token, because dates or a count would change the
 * scope.
 */
export function incrementalSync(syncToken: string): SyncRequest {
  return { syncType: 'ISync', syncToken };
}

/** Returns one scope for each type, because the service accepts one type and one direction per request. */
export function scopesOf(wanted: {
  readonly type: readonly string[];
  readonly direction?: string | undefined;
  readonly since?: string | undefined;
  readonly maxRecords?: number | undefined;
}): readonly SyncScope[] {
  const { type: types, ...rest } = wanted;
  if (types.length === 0) return [rest];
  return [...new Set(types)].map((messageType) => Object.assign({ messageType }, rest));
}
