import type { Call } from '../../client/index.ts';
import { bodyMembers } from '../../platform/body-members.ts';
import { numbersOf, reachesNumbers, receiversOf } from '../../platform/receivers.ts';
import { comparablePath } from '../../platform/request-path.ts';
import { sendingPath } from '../../platform/sending-paths.ts';
import type { Action, SendKind } from '../../runtime/policy.ts';

/** What a request does, for the policy; undefined for one that only reads. Judged by what goes out, whoever made it. */
export function actionOf(call: Call): Action | undefined {
  const overridden =
    call.headers?.['x-http-method-override'] !== undefined || call.query?.['_method'] !== undefined;
  if (call.method === 'GET' && !overridden) return undefined;
  const path = comparablePath(call.path);
  // DELETE of a call or a fax ends it: that reaches nobody.
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

/** What a request sends. A path that is not known sends texts where its body names telephones as receivers. */
function kindOf(path: string, call: Call): SendKind | undefined {
  const kind = sendingPath(path)?.kind;
  // A post in a chat reaches no telephone, unless its body names one.
  if (kind !== undefined && kind !== 'chat-post') return kind;
  return reachesNumbers(path, call.body) ? 'sms' : undefined;
}
