import type { Call } from '../../client/index.ts';
import { bodyMembers } from '../../platform/body-members.ts';
import { isJsonObject } from '../../platform/json.ts';
import { comparablePath } from '../../platform/request-path.ts';
import type { Action, SendKind } from '../../runtime/policy.ts';

const sends: readonly (readonly [SendKind, RegExp])[] = [
  ['sms', /\/(sms|mms|a2p-sms\/batch(es)?)$/],
  ['pager', /\/company-pager$/],
  ['fax', /\/fax$/],
  ['ringout', /\/(ring-?out|call-out)$/],
];

/** What a request does, for the policy; undefined for one that only reads. Judged by what goes out, whoever made it. */
export function actionOf(call: Call): Action | undefined {
  const overridden =
    call.headers?.['x-http-method-override'] !== undefined || call.query?.['_method'] !== undefined;
  if (call.method === 'GET' && !overridden) return undefined;
  const path = comparablePath(call.path);
  const kind = sends.find(([, pattern]) => pattern.test(path))?.[0];
  // DELETE of a call or a fax ends it: that reaches nobody.
  if (kind === undefined || call.method === 'DELETE') return { kind: 'write', numbers: [] };
  const body = bodyMembers(call.body);
  const numbers = [...numbersIn(body?.['to']), ...(kind === 'ringout' ? numbersIn(body?.['from']) : [])];
  const reached = [body?.['to'] ?? []].flat().length;
  const at = typeof body?.['sendTime'] === 'string' ? Date.parse(body['sendTime']) : Number.NaN;
  return {
    kind,
    numbers,
    isUnreadable: reached === 0 || numbersIn(body?.['to']).length < reached,
    count: kind === 'fax' ? Math.max(1, reached) : 1,
    at: Number.isNaN(at) ? undefined : at,
  };
}

function numbersIn(parties: unknown): readonly string[] {
  return [parties]
    .flat()
    .flatMap((party) =>
      isJsonObject(party) && typeof party['phoneNumber'] === 'string' ? [party['phoneNumber']] : [],
    );
}
