import { dedupeKeyMilliseconds } from '../../runtime/outgoing-options.ts';
import type { Preparer } from '../../platform/named-statement.ts';

/** A dedupe key, and the requests that count as its use. */
export interface KeyUse {
  readonly origin: string;
  readonly dedupeKey: string;
  /**
   * The digest of the call, which finds the same text in a list with the key, and a single send of a text of a list. Empty
   * if the call has none.
   */
  readonly digest: string;
  /** Time in milliseconds since 1970: requests of the last 24 hours count, and all requests after this time. */
  readonly since?: number | undefined;
}

/** The times of a request with a key, in milliseconds since 1970. */
export interface UseTimes {
  /** By the clock of this machine. */
  readonly started_at: number;
  /** By the clock of the service, from the `Date` of the reply; null or missing if unknown. */
  readonly service_at?: number | null;
}

/** Key of a text of a list: the key of the list, and a digest of number and text (`features/outgoing/text-run.ts`). */
const listedKey = /^(.*):[0-9a-f]{24}$/s;

/** Returns the key of the list of a text; undefined for a key that belongs to a single send. */
export function listKeyOf(dedupeKey: string): string | undefined {
  return listedKey.exec(dedupeKey)?.[1];
}

/**
 * Whether a request counts as the use of its key at a time of this machine. The clock of this machine may have been
 * behind at the request, so the time of the service counts, too. A time of the service in the future comes from a
 * sandbox whose clock was set back.
 */
export function isInUse({ started_at, service_at }: UseTimes, now: number, since = now): boolean {
  const limit = Math.min(now - dedupeKeyMilliseconds, since);
  if (started_at > limit) return true;
  return typeof service_at === 'number' && service_at > limit && service_at <= now;
}

/** Whether a request counts as the use of its key at a time of the service. */
export function isInUseByService({ started_at, service_at }: UseTimes, serviceNow: number): boolean {
  const limit = serviceNow - dedupeKeyMilliseconds;
  if (typeof service_at !== 'number') return started_at > limit;
  return service_at > limit && service_at <= serviceNow;
}

/** The statements that find the requests with a key that did not fail, newest first. */
export class KeyUses<Row> {
  readonly #withKey;
  readonly #single;
  readonly #listed;

  constructor(db: Preparer) {
    const found = `state NOT IN ('failed', 'not-sent') ORDER BY id DESC`;
    this.#withKey = db.prepare(`SELECT * FROM outcome WHERE origin = ? AND dedupe_key = ? AND ${found}`);
    this.#single = db.prepare(
      `SELECT * FROM outcome WHERE origin = ? AND dedupe_key = ? AND digest = ? AND ${found}`,
    );
    // Between KEY: and KEY; are all keys that start with KEY:
    this.#listed = db.prepare(
      `SELECT * FROM outcome WHERE origin = ? AND dedupe_key > ? || ':' AND dedupe_key < ? || ';' AND digest = ? AND ${found}`,
    );
  }

  /**
   * Returns the requests with a key. A single text and a text of a list have the same key if the digests are equal, and
   * the keys that the user gave.
   */
  all({ origin, dedupeKey, digest }: KeyUse): readonly Row[] {
    const same = this.#withKey.all(origin, dedupeKey);
    if (digest === '') return same as Row[];
    const list = listKeyOf(dedupeKey);
    const alike =
      list === undefined
        ? this.#listed.all(origin, dedupeKey, dedupeKey, digest)
        : this.#single.all(origin, list, digest);
    return [...same, ...alike] as Row[];
  }
}
