import type { Call } from '../../client/index.ts';
import { bodyMembers, hasRepeatedMember, jsonIn } from '../../platform/body-members.ts';
import { readInstant } from '../../platform/moment.ts';
import { kindOfSend, numbersOf, receiversOf, restoresMessages } from '../../platform/receivers.ts';
import { isOverridden, onlyReads } from '../../platform/reading-paths.ts';
import { comparablePath } from '../../platform/request-path.ts';
import { isCallTransfer } from '../../platform/sending-paths.ts';
import type { Action } from '../../runtime/policy.ts';

/**
 * Returns the action of a request for the policy; undefined if the request only reads. It is derived from the request
 * itself, so it covers every command.
 */
export function actionOf(call: Call): Action | undefined {
  if (onlyReads(call) && !isOverridden(call)) return undefined;
  const path = comparablePath(call.path);
  if (isRestore(path, call)) return restoreOf(call);
  // A DELETE of a call or a fax cancels it, and contacts no number.
  const kind = call.method === 'DELETE' ? undefined : kindOfSend(path, call.body);
  if (kind === undefined || kind === 'chat-post') return { kind: 'write', numbers: [] };
  if (isCallTransfer(path)) return transferOf(call);
  const body = bodyMembers(call.body);
  const reached = receiversOf(call.body);
  const isClear = isCountable(call.body);
  return {
    kind,
    numbers: [...reached.numbers, ...(kind === 'ringout' ? numbersOf(body?.['from']) : [])],
    isUnreadable: !isClear || reached.numbers.length < Math.max(1, reached.count),
    isUncounted: kind !== 'ringout' && !isClear,
    count: kind === 'ringout' ? 1 : Math.max(1, reached.count),
    ...(kind === 'fax' && deliveryOf(body?.['sendTime'], isClear)),
  };
}

function isRestore(path: string, { method, body }: Call): boolean {
  return method !== 'DELETE' && restoresMessages(path, body);
}

/** Returns the action of a request that restores messages: the service sends a restored fax that is still queued. */
function restoreOf({ faxTo }: Call): Action {
  if (faxTo === undefined) return { kind: 'fax', numbers: [], isUnreadable: true, isUncounted: true };
  return faxTo.length === 0
    ? { kind: 'write', numbers: [] }
    : { kind: 'fax', numbers: faxTo, count: faxTo.length };
}

/**
 * Returns when the service sends a fax (FAX-2). A time without an offset is unreadable, because no document states its time
 * zone.
 */
function deliveryOf(sendTime: unknown, isClear: boolean): Pick<Action, 'at' | 'isTimeUnreadable'> {
  if (isClear && sendTime === undefined) return {};
  const at = isClear && typeof sendTime === 'string' ? readInstant(sendTime) : undefined;
  return at === undefined ? { isTimeUnreadable: true } : { at };
}

/**
 * Whether the recipients in a body can be counted: not in text or bytes that are not JSON, and not in JSON in which a
 * member occurs twice.
 */
function isCountable(body: unknown): boolean {
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) return true;
  return jsonIn(body) !== undefined && !hasRepeatedMember(body);
}

/** Returns the action of a call transfer. A transfer to an extension or to voicemail reaches no phone number. */
function transferOf({ body }: Call): Action {
  const members = bodyMembers(body);
  const number = members?.['phoneNumber'];
  const numbers = typeof number === 'string' ? [number] : [];
  const isUnreadable =
    members === undefined || hasRepeatedMember(body) || (number !== undefined && numbers.length === 0);
  return { kind: 'ringout', numbers, isUnreadable, count: 1 };
}
