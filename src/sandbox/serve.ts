import type { Context } from 'hono';
import type { z } from 'zod';
import { operations, type Operation, type OperationId } from '../contract/operations.ts';
import { PathId, takesSeveral } from '../contract/common.ts';
import { authorizeCall } from './authorize-call.ts';
import type { Call, Caller, Handler, Reply } from './call.ts';
import { invalidParameter, ServiceError, TokenRefusal } from './errors.ts';
import { faultsAfter, faultsBefore } from './control/faults.ts';
import { readBatchBody } from './batch-request.ts';
import { readMmsRequest } from './mms-request.ts';
import { readBody } from './read-body.ts';
import { checkReply, sendDirectly, toResponse, type Socket } from './send-reply.ts';
import { parseBody, parseForm, parseQuery, parseShape, unreadMembers, type Parsed } from './shape.ts';
import type { World } from './world.ts';

/** What must be allowed before anybody looks at what was sent. @throws {ServiceError} */
export type Guard = (call: Pick<Call, 'world' | 'caller' | 'params'>) => void;

/** Makes the HTTP handler of one operation: authorize, parse, handle in a transaction, answer, note in the log. */
export function serve<K extends OperationId>(
  world: World,
  id: K,
  handler: Handler<K>,
  validateReplies: boolean,
  guard?: Guard,
): (c: Context) => Promise<Response> {
  const operation: Operation = operations[id];
  return async (c) => {
    const request = c.req.raw;
    const url = new URL(request.url);
    const unread: string[] = [];
    const faults = world.faults.onRequest(id, url);
    const limits: Limits = { headers: {} };
    let reply: Reply;
    try {
      if (faults.length > 0) await faultsBefore(faults);
      const bytes = hasBody(request.method) ? await readOperationBytes(world, operation, request) : noBytes;
      const run = (): ReturnType<Handler<K>> =>
        handler(readCall(world, operation, request, url, c.req.param(), bytes, unread, limits, guard));
      const first = request.method === 'GET' ? run() : await world.commit(run);
      reply = 'wait' in first ? await finish(world, first.wait) : first;
    } catch (error) {
      reply = refusal(error);
    }
    const status = reply.status ?? operation.status;
    world.metrics.count('requests', `${id} ${status}`);
    logRequest(world, request.method, url, status, id, unread);
    const settled = { ...reply, status, headers: { ...limits.headers, ...reply.headers } };
    const ready = validateReplies ? checkReply(id, operation, settled) : settled;
    if (faults.length > 0) return faultsAfter(faults, toResponse(ready));
    return sendDirectly(ready, c.env as Socket | undefined) ?? toResponse(ready);
  };
}

/** Rate-limit headers of the reply; set while the request is read. */
interface Limits {
  headers: Readonly<Record<string, string>>;
}

async function finish(world: World, wait: () => Promise<() => Reply>): Promise<Reply> {
  const last = await wait();
  return world.commit(last);
}

const noBytes = new Uint8Array();

/** Documents may be larger than JSON. */
async function readOperationBytes(world: World, operation: Operation, request: Request): Promise<Uint8Array> {
  const { requestBodyBytes } = world.settings;
  if (operation.bodyType !== 'multipart')
    return readBody(request, Math.max(requestBodyBytes, operation.bodyBytes ?? 0));
  return readBody(request, world.settings.faxBodyBytes);
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
  bytes: Uint8Array,
  unread: string[],
  limits: Limits,
  guard: Guard | undefined,
): Call {
  const caller =
    operation.authorization === 'bearer' ? authorizeCall(world, operation, request.headers, url) : nobody;
  const withFiles = operation.files === true && isMultipart(request);
  const text = operation.bodyType === 'multipart' || withFiles ? '' : new TextDecoder().decode(bytes);
  if (operation.group && world.limits.mode !== 'off') {
    const who = whoAsks(operation, caller, request, text);
    if (who !== undefined) limits.headers = world.limits.take(who, operation.group);
  }
  for (const [name, value] of Object.entries(params)) checkPathParameter(operation, name, value);
  guard?.({ world, caller, params });
  const query = readOperationQuery(world, operation, url);
  unread.push(...query.unread.map((name) => `?${name}`));
  const batch = takesBatch(operation)
    ? readBatchBody(request.headers.get('content-type') ?? '', bytes)
    : undefined;
  if (!batch) refuseMultipart(operation, request);
  const readOne = (): Parsed =>
    withFiles ? readEnvelope(operation, request, bytes) : readOperationBody(operation, text);
  const body = batch ? noBody : readOne();
  unread.push(...body.unread);
  return {
    world,
    caller,
    params,
    query: query.value as undefined,
    body: body.value as undefined,
    batch,
    text,
    bytes,
    headers: request.headers,
    path: url.pathname,
  };
}

/** Whose requests are counted together: user and app. The page of the sign-in is not counted. */
function whoAsks(operation: Operation, caller: Caller, request: Request, text: string): string | undefined {
  if (operation.authorization === 'bearer') return `${caller.app.clientId} ${caller.extension.id}`;
  if (operation.authorization === 'none') return undefined;
  const { client_id: id = '', username = '' } = parseForm(text);
  return `${request.headers.get('authorization') ?? id} ${username}`;
}

/**
 * A query parameter is named as a whole, also when one of its values is wrong. Of a parameter that takes one value alone the first
 * counts (docs/service-gaps.md).
 */
function readQuery(schema: z.ZodType, url: URL): Parsed {
  const given = Object.entries(parseQuery(url));
  const fields = Object.fromEntries(
    given.map(([name, value]) => [
      name,
      typeof value === 'string' || takesSeveral(schema, name) ? value : value[0],
    ]),
  );
  const result = schema.safeParse(fields);
  if (!result.success) throw invalidParameter(String(result.error.issues[0]?.path[0] ?? 'query'));
  return { value: result.data, unread: unreadMembers(fields, result.data) };
}

function readOperationQuery(world: World, { query, queryMayBeDropped }: Operation, url: URL): Parsed {
  if (query && !(queryMayBeDropped && world.settings.activeCallQueries === 'dropped'))
    return readQuery(query, url);
  const { value, unread } = readNothing(parseQuery(url));
  return { value: query ? {} : value, unread };
}

function readNothing(fields: Readonly<Record<string, unknown>>): Parsed {
  return { value: fields, unread: Object.keys(fields) };
}

const noBody: Parsed = { value: undefined, unread: [] };

/** Whether a change of several ids has an item for each of them. */
function takesBatch({ manyIds, body }: Operation): boolean {
  return manyIds !== undefined && body !== undefined;
}

function isMultipart(request: Request): boolean {
  return /^multipart\//i.test(request.headers.get('content-type') ?? '');
}

function readEnvelope({ body }: Operation, request: Request, bytes: Uint8Array): Parsed {
  const { fields } = readMmsRequest(request.headers.get('content-type') ?? '', bytes);
  return body ? parseShape(body, fields) : { value: fields, unread: [] };
}

/** Where JSON is expected a form with files must not be taken for broken JSON (docs/service-gaps.md). */
function refuseMultipart(operation: Operation, request: Request): void {
  const wanted = operation.body && operation.bodyType === undefined && operation.files !== true;
  if (!wanted || !isMultipart(request)) return;
  throw new ServiceError(415, 'CMN-103', 'A multipart body is not served here; send application/json');
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

/** Ids of any characters. */
const freeForm: ReadonlySet<string> = new Set([
  'callRecordId',
  'subscriptionId',
  'subscriberKey',
  'channel',
  'webhookId',
  'webhookKey',
  'callRecordId',
  'ringoutId',
]);

function checkPathParameter(operation: Operation, name: string, value: string): void {
  if (freeForm.has(name)) return;
  const isTaken = (id: string): boolean =>
    name === 'accountId' || name === 'extensionId' ? PathId.safeParse(id).success : /^\d+$/.test(id);
  const isSeveral = operation.manyIds === name;
  // With `*` the ids are in the body.
  if (isSeveral && value === '*' && takesBatch(operation)) return;
  if (!(isSeveral ? value.split(',') : [value]).every(isTaken)) throw invalidParameter(name);
}

/** The service's error body; anything unexpected is a 500 without a word about our insides. */
function refusal(error: unknown): Reply {
  if (error instanceof ServiceError)
    return { status: error.status, json: error.body, headers: error.headers };
  if (error instanceof TokenRefusal) return { status: error.status, json: error.body };
  throw error;
}

function logRequest(
  world: World,
  method: string,
  url: URL,
  status: number,
  operation: string | undefined,
  unread: readonly string[],
): void {
  const path = url.pathname + (url.search === '' ? '' : shownQuery(url));
  world.requestLog.add({ time: world.clock.now(), method, path, status, operation, unread });
  if (world.requestLog.isFull) void world.commit(() => world.requestLog.flush());
}

/** Without tokens. */
function shownQuery(url: URL): string {
  const shown = new URLSearchParams(url.searchParams);
  for (const secret of ['access_token', 'token']) if (shown.has(secret)) shown.set(secret, '***');
  return shown.size > 0 ? `?${shown.toString()}` : '';
}

/** Notes a request that no operation serves. */
export function logUnknown(world: World, request: Request, status: number): void {
  logRequest(world, request.method, new URL(request.url), status, undefined, []);
}
