import { createHash } from 'node:crypto';
import type { Notification } from '../../contract/subscription.ts';
import { parseJson } from '../../platform/json.ts';

/** A notification as it was received. */
export interface Received {
  readonly notification: Notification;
  /** The body as it came, for the inbox on disk. */
  readonly raw: string;
  /** What makes it unique: its uuid, or a digest of the body where it has none. */
  readonly key: string;
}

/** Reads a notification. Undefined for what is no JSON object or names no event. */
export function readNotification(raw: string): Received | undefined {
  const value = parseOrUndefined(raw);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const notification = value as Notification;
  if (typeof notification.event !== 'string') return undefined;
  const { uuid } = notification;
  const key = typeof uuid === 'string' && uuid !== '' ? uuid : digest(raw);
  return { notification, raw, key };
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
