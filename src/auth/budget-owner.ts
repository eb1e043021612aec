import { createHash } from 'node:crypto';
import type { SessionRecord } from './session-record.ts';

/**
 * Whose rate limits a session uses up, as a name that tells nothing else: the service counts by application and user. Where it did not say who signed
 * in, the user name of the sign-in stands for it, else the moment of the sign-in.
 */
export function budgetOwnerOf(record: SessionRecord): string {
  const { origin, clientId, ownerId, username, extension, signedInAt } = record;
  const typed = username === undefined ? ['sign-in', signedInAt] : ['user', username, extension ?? ''];
  return hashed([origin, clientId, ...(ownerId === undefined ? typed : ['extension', ownerId])]);
}

/** The same for a token whose user is not known. */
export function budgetOwnerOfToken(origin: string, token: string): string {
  return hashed([origin, 'token', token]);
}

/** Tells tokens apart in a journal without revealing them. */
export function tokenMark(token: string): string {
  return `token ${createHash('sha256').update(token).digest('hex').slice(0, 16)}`;
}

function hashed(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
