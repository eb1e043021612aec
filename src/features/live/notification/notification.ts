import { createHash } from 'node:crypto';
import type { Notification } from '../../../contract/subscription.ts';
import { parseJson, stringifyJson } from '../../../platform/json.ts';
import { isDeeperThan } from './json-depth.ts';
import { decrypt } from './decrypt.ts';

/** A received notification. */
export interface Received {
  /** The parsed notification. Undefined if it is encrypted and its key is unknown. */
  readonly notification: Notification | undefined;
  /** The notification as JSON. If it is encrypted and its key is unknown, a JSON string with its base64. */
  readonly raw: string;
  /**
   * Identifies the notification: its uuid, a digest of the uuid if no index can contain it, or a digest of the body if
   * there is no uuid.
   */
  readonly key: string;
}

/**
 * Maximum nesting of a body. Deeper bodies are rejected, because they could exhaust the stack of code that prints them.
 */
const maxDepth = 100;
/** Matches base64 with its padding. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Parses a notification. Undefined for anything but a JSON object with an event. An encrypted notification (a JSON
 * string) is decrypted with the first key that works; without such a key it is returned encrypted.
 */
export function readNotification(raw: string, keys: readonly string[] = []): Received | undefined {
  if (raw.startsWith('"')) return readEncrypted(raw, keys);
  if (isDeeperThan(raw, maxDepth)) return undefined;
  return receivedAs(parseOrUndefined(raw), raw);
}

/**
 * Converts a parsed notification to the form of a received notification. Undefined for anything but an object with an
 * event.
 */
export function receivedAs(value: unknown, raw: string): Received | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const notification = value as Notification;
  if (typeof notification.event !== 'string') return undefined;
  return { notification, raw, key: keyOf(notification.uuid, raw) };
}

function keyOf(uuid: unknown, raw: string): string {
  if (typeof uuid !== 'string' || uuid === '') return digest(raw);
  return isIndexable(uuid) ? uuid : digest(uuid);
}

/**
 * Whether the indexes of the stores can contain an ID. PostgreSQL has a maximum length and accepts no NUL, and half of a
 * surrogate pair is not returned unchanged. An event with another ID would be rejected with all events of its group.
 */
export function isIndexable(id: string): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(id);
}

/** Converts a notification that ucctl created to the form of a received notification. */
export function receivedFrom(notification: Notification): Received {
  return { notification, raw: stringifyJson(notification), key: notification.uuid };
}

function readEncrypted(raw: string, keys: readonly string[]): Received | undefined {
  const text = parseOrUndefined(raw);
  if (typeof text !== 'string' || text === '' || !base64.test(text)) return undefined;
  if (Buffer.byteLength(text, 'base64') % 16 !== 0) return undefined;
  for (const key of keys) {
    const decrypted = decrypt(text, key);
    const received = decrypted?.startsWith('{') ? readNotification(decrypted) : undefined;
    if (received) return received;
  }
  return { notification: undefined, raw, key: digest(raw) };
}

function parseOrUndefined(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the ID of an event without a usable ID. */
export function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
