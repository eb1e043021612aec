import { createHash } from 'node:crypto';
import type { SessionRecord } from './session-record.ts';

/**
 * Returns the name of the rate limits that a session shares with other sessions, as a hash. The service counts requests
 * by application and user. If the service did not report the extension, the user name of the sign-in is used instead,
 * or else the time of the sign-in.
 */
export function budgetOwnerOf(record: SessionRecord): string {
  const { origin, clientId, ownerId, username, extension, signedInAt } = record;
  const typed = username === undefined ? ['sign-in', signedInAt] : ['user', username, extension ?? ''];
  return hashed([origin, clientId, ...(ownerId === undefined ? typed : ['extension', ownerId])]);
}

/** Like `budgetOwnerOf`, but for a token whose user is unknown. */
export function budgetOwnerOfToken(origin: string, token: string): string {
  return hashed([origin, 'token', token]);
}

/** Identifies a token in a journal without revealing it. */
export function tokenMark(token: string): string {
  return `token ${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}

function hashed(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
