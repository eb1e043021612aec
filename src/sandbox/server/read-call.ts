import type { Operation, OperationId } from '../../contract/operations.ts';
import type { Call, Caller, Guard } from '../request/call.ts';
import { parseForm } from '../request/shape.ts';
import type { World } from '../world/world.ts';
import { authorizeCall } from './authorize-call.ts';
import { checkPathParameter, readOperationQuery, readRequestBody, textOf } from './read-input.ts';

/** A request of one operation, before authorization and parsing. */
export interface Incoming {
  readonly world: World;
  readonly operation: Operation;
  readonly request: Request;
  readonly url: URL;
  readonly params: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  readonly guard: Guard | undefined;
}

/** Data about a request for the reply and the request log, which exists even if the request is rejected early. */
export interface RequestNotes {
  /** Members of the body and query parameters that the operation does not read. */
  readonly unread: string[];
  /** Rate-limit headers of the reply. */
  limitHeaders: Readonly<Record<string, string>>;
  caller?: Caller;
}

/** Authorizes, counts and parses a request. @throws {ServiceError} {TokenError} for the first violated rule. */
export function readCall<K extends OperationId>(incoming: Incoming, notes: RequestNotes): Call<K> {
  const { world, operation, request, url, params, bytes, guard } = incoming;
  const caller =
    operation.authorization === 'bearer' ? authorizeCall(world, operation, request.headers, url) : undefined;
  if (caller) notes.caller = caller;
  const text = textOf(operation, request, bytes);
  if (operation.group && world.limits.mode !== 'off') {
    const who = caller ? userOf(caller) : clientOf(operation, request, text);
    if (who !== undefined) notes.limitHeaders = world.limits.take(who, operation.group);
  }
  for (const [name, value] of Object.entries(params)) checkPathParameter(operation, name, value);
  if (caller) guard?.({ world, caller, params });
  const query = readOperationQuery(world, operation, url);
  notes.unread.push(...query.unread.map((name) => `?${name}`));
  const { body, batch } = readRequestBody(operation, request, bytes, text);
  notes.unread.push(...body.unread);
  return {
    world,
    // The schemas of the contract have already checked the types, which the compiler cannot infer through
    // the table of operations.
    caller: caller as Call<K>['caller'],
    params,
    query: query.value as Call<K>['query'],
    body: body.value as Call<K>['body'],
    batch,
    text,
    bytes,
    headers: request.headers,
    path: url.pathname,
  };
}

/** Returns the key of the rate limits, made of user and app. */
function userOf({ app, extension }: Caller): string {
  return `${app.clientId} ${extension.id}`;
}

/** Requests without a token are counted by app and user name. Requests for the sign-in page are not counted. */
function clientOf(operation: Operation, request: Request, text: string): string | undefined {
  if (operation.authorization === 'none') return undefined;
  const { client_id: id = '', username = '' } = parseForm(text);
  return `${request.headers.get('authorization') ?? id} ${username}`;
}
