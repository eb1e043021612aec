import { createHash } from 'node:crypto';
import { ServiceError } from '../request/errors.ts';
import type { SyncScope } from './sync-store.ts';

/** What a sync token remembers. Clients must not look inside. */
export interface SyncState {
  readonly extensionId: number;
  /** When it was made, in milliseconds since 1970. */
  readonly time: number;
  /** The next sync gives what changed after this. */
  readonly changeSequence: number;
  /** What the sync covered; the name is that of tokens which clients have stored. */
  readonly frame: SyncScope;
  /** Mark of the token before, so that every sync gives a new one even when the clock stands still. */
  readonly after?: string | undefined;
}

/** A new token; `before` is the one that it follows. */
export function writeSyncToken(state: Omit<SyncState, 'after'>, before?: string): string {
  const after = before === undefined ? undefined : checksum(before);
  const payload = Buffer.from(JSON.stringify({ ...state, after })).toString('base64url');
  return `${payload}.${checksum(payload)}`;
}

/**
 * Reads a token of this mailbox.
 * @throws {ServiceError} MSG-333 when it is damaged, of another mailbox or another sandbox, or older than `oldest`.
 */
export function readSyncToken(
  token: string,
  { extensionId, oldest, lastChange }: { extensionId: number; oldest: number; lastChange: number },
): SyncState {
  const [payload = '', check] = token.split('.', 2);
  if (check !== checksum(payload)) throw fullSyncRequired();
  const state = JSON.parse(Buffer.from(payload, 'base64url').toString()) as SyncState;
  const known = state.extensionId === extensionId && state.changeSequence <= lastChange;
  if (!known || state.time < oldest) throw fullSyncRequired();
  return state;
}

/** Not a signature: it tells a damaged token, nobody here needs to be kept from making one. */
function checksum(payload: string): string {
  return createHash('sha256').update(`sync:${payload}`).digest('base64url').slice(0, 22);
}

/** A token that cannot be carried on from. */
export function fullSyncRequired(): ServiceError {
  const message = 'Parameter [syncToken] is invalid, full synchronization is required';
  return new ServiceError(400, 'MSG-333', message, {
    parameterName: 'syncToken',
    outerCode: 'InvalidParameter',
  });
}
