import { ServiceError } from '../request/errors.ts';
import { decodeToken, encodeToken, tokenChecksum } from '../request/opaque-token.ts';
import type { SyncScope } from './sync-store.ts';

/** The content of a sync token, which is opaque to clients. */
export interface SyncState {
  readonly extensionId: number;
  /** Creation time in milliseconds since 1970. */
  readonly time: number;
  /** The next sync returns later changes. */
  readonly changeSequence: number;
  /** The scope of the sync. Tokens that clients have stored use this member name. */
  readonly frame: SyncScope;
  /** Checksum of the previous token, so that every sync returns a new token even if the clock is frozen. */
  readonly after?: string | undefined;
}

/** Creates a token. `before` is the previous token. */
export function writeSyncToken(state: Omit<SyncState, 'after'>, before?: string): string {
  return encodeToken({ ...state, after: before === undefined ? undefined : tokenChecksum(before) });
}

/**
 * Reads a token of this mailbox.
 * @throws {ServiceError} MSG-333 if the token is damaged, belongs to another mailbox or sandbox, or is older than `oldest`.
 */
export function readSyncToken(
  token: string,
  { extensionId, oldest, lastChange }: { extensionId: number; oldest: number; lastChange: number },
): SyncState {
  const state = decodeToken(token) as SyncState | undefined;
  if (!state) throw fullSyncRequired();
  const known = state.extensionId === extensionId && state.changeSequence <= lastChange;
  if (!known || state.time < oldest) throw fullSyncRequired();
  return state;
}

/** Returns the error for a token from which no sync can continue. */
export function fullSyncRequired(): ServiceError {
  const message = 'Parameter [syncToken] is invalid, full synchronization is required';
  return new ServiceError(400, 'MSG-333', message, {
    parameterName: 'syncToken',
    outerCode: 'InvalidParameter',
  });
}
