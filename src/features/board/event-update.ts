import type { ActiveCall } from '../../contract/presence.ts';
import type { Notification } from '../../contract/subscription.ts';
import { isJsonObject } from '../../platform/json.ts';
import type { PresenceUpdate } from './parts.ts';
import { boardFields, type PresenceFields } from './state.ts';

type Members = Readonly<Record<string, unknown>>;

const membersChange = 'CallQueueMembersChange';
const callTexts = ['direction', 'from', 'fromName', 'to', 'toName', 'startTime', 'telephonyStatus'];

/**
 * Returns what an event changes on a board: a presence, or the set of people. Undefined for any other event. The bodies
 * of events are not validated, so members with an unexpected type are ignored.
 */
export function updateOf({ body, timestamp }: Notification): PresenceUpdate | 'members' | undefined {
  if (!isJsonObject(body)) return undefined;
  const changed = objectsOf(body['extensions']);
  if (changed.some(({ hints }) => Array.isArray(hints) && hints.includes(membersChange))) return 'members';
  const id = textOf(body['extensionId']);
  if (id === undefined) return undefined;
  return { kind: 'presence', id, fields: fieldsOf(body), at: timeOf(timestamp) };
}

function fieldsOf(body: Members): PresenceFields {
  const calls = body['activeCalls'];
  return {
    ...textsOf(body, boardFields),
    ...(Array.isArray(calls) && { activeCalls: objectsOf(calls).map(callOf) }),
  };
}

function callOf(call: Members): ActiveCall {
  const { queueCall, callInfo } = call;
  return {
    ...textsOf(call, callTexts),
    ...(typeof queueCall === 'boolean' && { queueCall }),
    ...(isJsonObject(callInfo) && { callInfo }),
  };
}

/** The members with these names that are texts or numbers, as texts. */
function textsOf(members: Members, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const text = textOf(members[name]);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : undefined;
}

function objectsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter((one): one is Members => isJsonObject(one)) : [];
}

/** Returns the time of an event. Services write the offset as `Z`, `+0000` or `+00:00`. */
function timeOf(timestamp: unknown): number | undefined {
  const text = typeof timestamp === 'string' ? timestamp.replace(/([+-]\d{2})(\d{2})$/, '$1:$2') : '';
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
