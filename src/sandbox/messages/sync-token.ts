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
  readonly contentStart?: number | undefined;
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
  known: Pick<SyncState, 'extensionId' | 'contentStart'> & {
    now: number;
    oldest: number;
    lastChange: number;
  },
): SyncState {
  const state = decodeToken(token) as SyncState | undefined;
  if (!state) throw fullSyncRequired();
  const isKnown =
    state.extensionId === known.extensionId &&
    state.contentStart === known.contentStart &&
    state.changeSequence <= known.lastChange;
  if (!isKnown || state.time < known.oldest || state.time > known.now) throw fullSyncRequired();
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
