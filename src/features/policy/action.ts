import type { Call } from '../../client/index.ts';
import { parseJson } from '../../platform/json.ts';
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
  const body = bodyOf(call.body);
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

/** The members of a body: an object, JSON in text or bytes, or the summary of a stream. */
function bodyOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    try {
      const value = parseJson(typeof body === 'string' ? body : new TextDecoder().decode(body));
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
  if (!isObject(body)) return undefined;
  return typeof body['open'] === 'function' && isObject(body['summary']) ? body['summary'] : body;
}

function numbersIn(parties: unknown): readonly string[] {
  return [parties]
    .flat()
    .flatMap((party) =>
      isObject(party) && typeof party['phoneNumber'] === 'string' ? [party['phoneNumber']] : [],
    );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
