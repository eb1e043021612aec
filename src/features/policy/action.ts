import type { Call } from '../../client/index.ts';
import { bodyMembers } from '../../platform/body-members.ts';
import { numbersOf, reachesNumbers, receiversOf } from '../../platform/receivers.ts';
import { isOverridden, onlyReads } from '../../platform/reading-paths.ts';
import { comparablePath } from '../../platform/request-path.ts';
import { sendingPath } from '../../platform/sending-paths.ts';
import type { Action, SendKind } from '../../runtime/policy.ts';

/**
 * The action of a request for the policy; undefined if the request only reads. It is derived from the request itself,
 * so it covers every command.
 */
export function actionOf(call: Call): Action | undefined {
  if (onlyReads(call) && !isOverridden(call)) return undefined;
  const path = comparablePath(call.path);
  // DELETE of a call or a fax cancels it and contacts no number.
  const kind = call.method === 'DELETE' ? undefined : kindOf(path, call);
  if (kind === undefined) return { kind: 'write', numbers: [] };
  const body = bodyMembers(call.body);
  const reached = receiversOf(call.body);
  const at = typeof body?.['sendTime'] === 'string' ? Date.parse(body['sendTime']) : Number.NaN;
  return {
    kind,
    numbers: [...reached.numbers, ...(kind === 'ringout' ? numbersOf(body?.['from']) : [])],
    isUnreadable: reached.count === 0 || reached.numbers.length < reached.count,
    count: kind === 'ringout' ? 1 : Math.max(1, reached.count),
    at: Number.isNaN(at) ? undefined : at,
  };
}

/** Kind of message or call. A request with an unknown path is treated as a text if its body names phone numbers as recipients. */
function kindOf(path: string, call: Call): SendKind | undefined {
  const kind = sendingPath(path)?.kind;
  // A chat post contacts no phone number, unless its body names one.
  if (kind !== undefined && kind !== 'chat-post') return kind;
  return reachesNumbers(path, call.body) ? 'sms' : undefined;
}
