import { createHash } from 'node:crypto';
import type { Notification } from '../../../contract/subscription.ts';
import { parseJson, stringifyJson } from '../../../platform/json.ts';
import { isDeeperThan } from './json-depth.ts';
import { decrypt } from './decrypt.ts';

/** A notification as it was received. */
export interface Received {
  /** Undefined while it is encrypted and no key fits. */
  readonly notification: Notification | undefined;
  /** JSON; the base64 of its encryption, in quotes, while it is encrypted and no key fits. */
  readonly raw: string;
  /** What makes it unique: its uuid, or a digest of the body where it has none. */
  readonly key: string;
}

/** Deeper bodies are no notifications and would exhaust those who print them. */
const deepest = 100;
/** What AES in base64 looks like. */
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Reads a notification. Undefined for what is no JSON object or names no event. An encrypted one (a JSON string) is decoded with the first
 * of the keys that fits, and otherwise kept as it is.
 */
export function readNotification(raw: string, keys: readonly string[] = []): Received | undefined {
  if (raw.startsWith('"')) return readEncrypted(raw, keys);
  if (isDeeperThan(raw, deepest)) return undefined;
  const value = parseOrUndefined(raw);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const notification = value as Notification;
  if (typeof notification.event !== 'string') return undefined;
  const { uuid } = notification;
  const key = typeof uuid === 'string' && uuid !== '' ? uuid : digest(raw);
  return { notification, raw, key };
}

/** A notification that was made here, as if it had been received. */
export function receivedFrom(notification: Notification): Received {
  return { notification, raw: stringifyJson(notification), key: notification.uuid };
}

function readEncrypted(raw: string, keys: readonly string[]): Received | undefined {
  const text = parseOrUndefined(raw);
  if (typeof text !== 'string' || text === '' || !base64.test(text)) return undefined;
  if (Buffer.byteLength(text, 'base64') % 16 !== 0) return undefined;
  for (const key of keys) {
    const opened = decrypt(text, key);
    const received = opened?.startsWith('{') ? readNotification(opened) : undefined;
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

function digest(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
