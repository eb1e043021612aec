import { createHash } from 'node:crypto';
import type { MetaStore } from '../world/meta-store.ts';

/** The time at which a fixture filled the database, in milliseconds since 1970. */
export const contentStartKey = 'contentStart';

/**
 * Returns the time at which a fixture filled the database. Sandboxes with the same seed assign the same IDs, so a token
 * contains this time. Undefined for a database of an older version.
 */
export function contentStart({ meta }: { readonly meta: MetaStore }): number | undefined {
  return meta.number(contentStartKey);
}

/** Encodes the state of a sync as a token that is opaque to clients. */
export function encodeToken(state: object): string {
  const payload = Buffer.from(JSON.stringify(state)).toString('base64url');
  return `${payload}.${tokenChecksum(payload)}`;
}

/** Returns the state of a token that `encodeToken` created; undefined if the token is damaged. */
export function decodeToken(token: string): unknown {
  const [payload = '', check] = token.split('.', 2);
  if (check !== tokenChecksum(payload)) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

/** Detects damaged tokens. The checksum is not a signature, because the sandbox does not prevent forged tokens. */
export function tokenChecksum(payload: string): string {
  return createHash('sha256').update(`sync:${payload}`).digest('base64url').slice(0, 22);
}
