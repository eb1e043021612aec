import type { Context } from 'hono';
import type { z } from 'zod';
import { operations, type Operation, type OperationId } from '../contract/operations.ts';
import { PathId } from '../contract/common.ts';
import { parseJson, stringifyJson } from '../platform/json.ts';
import { authorizeCall } from './authorize-call.ts';
import type { Call, Caller, Handler, Reply } from './call.ts';
import { ContractViolation, invalidParameter, ServiceError, TokenRefusal } from './errors.ts';
import { readBody } from './read-body.ts';
import { parseBody, parseForm, parseQuery, parseShape, unreadMembers, type Parsed } from './shape.ts';
import type { World } from './world.ts';

/** Makes the HTTP handler of one operation: authorize, parse, handle in a transaction, answer, note in the log. */
export function serve<K extends OperationId>(
  world: World,
  id: K,
  handler: Handler<K>,
  validateReplies: boolean,
): (c: Context) => Promise<Response> {
  const operation: Operation = operations[id];
  const bodyLimit = Math.max(world.settings.requestBodyBytes, operation.bodyBytes ?? 0);
  return async (c) => {
    const request = c.req.raw;
    const url = new URL(request.url);
    const unread: string[] = [];
    let reply: Reply;
    try {
      const text = hasBody(request.method) ? await readBody(request, bodyLimit) : '';
      const run = (): ReturnType<Handler<K>> =>
        handler(readCall(world, operation, request, url, c.req.param(), text, unread));
      const first = request.method === 'GET' ? run() : world.inTransaction(run);
      reply = 'wait' in first ? await finish(world, first.wait) : first;
    } catch (error) {
      reply = refusal(error);
    }
    const response = toResponse(id, operation, reply, validateReplies);
    logRequest(world, request.method, url, response.status, id, unread);
    return response;
  };
}

async function finish(world: World, wait: () => Promise<() => Reply>): Promise<Reply> {
  const last = await wait();
  return world.inTransaction(last);
}

function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** A GET of the token endpoints has no caller; their handlers read the app from the Basic header themselves. */
const nobody = undefined as unknown as Caller;

function readCall(
  world: World,
  operation: Operation,
  request: Request,
  url: URL,
  params: Readonly<Record<string, string>>,
  text: string,
  unread: string[],
): Call {
  const caller =
    operation.authorization === 'bearer' ? authorizeCall(world, operation, request.headers, url) : nobody;
  for (const [name, value] of Object.entries(params)) checkPathParameter(name, value);
  const query = operation.query ? readQuery(operation.query, url) : readNothing(parseQuery(url));
  unread.push(...query.unread.map((name) => `?${name}`));
  const body = readOperationBody(operation, text);
  unread.push(...body.unread);
  return {
    world,
    caller,
    params,
    query: query.value as undefined,
    body: body.value as undefined,
    text,
    headers: request.headers,
    path: url.pathname,
  };
}

/** A query parameter is named as a whole, also when one of its values is wrong. */
function readQuery(schema: z.ZodType, url: URL): Parsed {
  const fields = parseQuery(url);
  const result = schema.safeParse(fields);
  if (!result.success) throw invalidParameter(String(result.error.issues[0]?.path[0] ?? 'query'));
  return { value: result.data, unread: unreadMembers(fields, result.data) };
}

function readNothing(fields: Readonly<Record<string, unknown>>): Parsed {
  return { value: fields, unread: Object.keys(fields) };
}

function readOperationBody(operation: Operation, text: string): Parsed {
  if (operation.bodyType === 'form') {
    const fields = parseForm(text);
    return operation.body ? readForm(operation.body, fields) : { value: fields, unread: [] };
  }
  if (!operation.body) return { value: undefined, unread: [] };
  return parseShape(operation.body, parseBody(text, operation.bodyOptional ?? false));
}

/** The token endpoint refuses in the shape of OAuth. */
function readForm(schema: z.ZodType, fields: Readonly<Record<string, string>>): Parsed {
  try {
    return parseShape(schema, fields);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new TokenRefusal(400, 'invalid_request', 'CMN-101', error.message);
  }
}

/** Ids that are no numbers. */
const freeForm: ReadonlySet<string> = new Set([
  'subscriptionId',
  'subscriberKey',
  'channel',
  'webhookId',
  'webhookKey',
]);

function checkPathParameter(name: string, value: string): void {
  if (freeForm.has(name)) return;
  const good =
    name === 'accountId' || name === 'extensionId' ? PathId.safeParse(value).success : /^\d+$/.test(value);
  if (!good) throw invalidParameter(name);
}

/** The service's error body; anything unexpected is a 500 without a word about our insides. */
function refusal(error: unknown): Reply {
  if (error instanceof ServiceError)
    return { status: error.status, json: error.body, headers: error.headers };
  if (error instanceof TokenRefusal) return { status: error.status, json: error.body };
  throw error;
}

function toResponse(id: OperationId, operation: Operation, reply: Reply, validate: boolean): Response {
  const status = reply.status ?? operation.status;
  const headers = new Headers(reply.headers);
  if (reply.json === undefined) return new Response(reply.text ?? null, { status, headers });
  const text = stringifyJson(reply.json);
  if (validate && status < 300) checkReply(id, operation, text);
  headers.set('content-type', 'application/json;charset=UTF-8');
  return new Response(text, { status, headers });
}

function checkReply(id: OperationId, operation: Operation, text: string): void {
  const result = operation.reply?.safeParse(parseJson(text));
  if (result?.success) return;
  const why = result ? result.error.message : 'the contract has no reply for it';
  throw new ContractViolation(`the reply of ${id} breaks the contract: ${why}`);
}

function logRequest(
  world: World,
  method: string,
  url: URL,
  status: number,
  operation: string | undefined,
  unread: readonly string[],
): void {
  const shown = new URLSearchParams(url.searchParams);
  for (const secret of ['access_token', 'token']) if (shown.has(secret)) shown.set(secret, '***');
  const query = shown.size > 0 ? `?${shown.toString()}` : '';
  const path = url.pathname + query;
  world.requestLog.add({ time: world.clock.now(), method, path, status, operation, unread });
  if (world.requestLog.isFull) world.inTransaction(() => world.requestLog.flush());
}

/** Notes a request that no operation serves. */
export function logUnknown(world: World, request: Request, status: number): void {
  logRequest(world, request.method, new URL(request.url), status, undefined, []);
}
