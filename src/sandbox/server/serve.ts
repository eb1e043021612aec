import type { Context } from 'hono';
import type { Operation, OperationId } from '../../contract/operations.ts';
import { extensionsOfPath } from '../control/fault-extension.ts';
import { faultsAfter, faultsBefore } from '../control/faults.ts';
import type { Handler, Reply, Route } from '../request/call.ts';
import { ServiceError, TokenError } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import { readBody } from './read-body.ts';
import { callerNames, errorOf, shownPath, type RequestLogEntry } from './request-log.ts';
import { readCall, type RequestNotes } from './read-call.ts';
import { checkReply, sendDirectly, toResponse, type Socket } from './send-reply.ts';

/** Creates the HTTP handler of one operation: authorize, parse, handle in a transaction, reply, log. */
export function serve<K extends OperationId>(
  world: World,
  id: K,
  operation: Operation,
  route: Route<K>,
  validateReplies: boolean,
): (c: Context) => Promise<Response> {
  const { handler, guard } = typeof route === 'function' ? { handler: route, guard: undefined } : route;
  return async (c) => {
    const request = c.req.raw;
    const url = new URL(request.url);
    const faults = world.faults.onRequest(id, url, () =>
      extensionsOfPath(world, request.headers, url, c.req.param('extensionId')),
    );
    const notes: RequestNotes = { unread: [], limitHeaders: {} };
    let reply: Reply;
    let bytes: Uint8Array = noBytes;
    try {
      if (faults.length > 0) await faultsBefore(faults);
      if (hasBody(request.method)) bytes = await readOperationBytes(world, operation, request);
      const run = (): ReturnType<Handler<K>> =>
        handler(readCall<K>({ world, operation, request, url, params: c.req.param(), bytes, guard }, notes));
      const first = request.method === 'GET' ? run() : await world.commit(run);
      reply = 'wait' in first ? await finish(world, first.wait) : first;
    } catch (error) {
      reply = rejection(error);
    }
    const status = reply.status ?? operation.status;
    world.metrics.count('requests', `${id} ${status}`);
    const { unread, caller } = notes;
    const error = errorOf(status, reply.json);
    const answered = { status, operation: id, unread, ...(caller && callerNames(caller)), ...error };
    logRequest(world, request, url, answered, isLogged(operation, request) ? bytes : undefined);
    const settled = { ...reply, status, headers: { ...notes.limitHeaders, ...reply.headers } };
    const ready = validateReplies ? checkReply(id, operation, settled) : settled;
    if (faults.length > 0) return faultsAfter(faults, toResponse(ready));
    return sendDirectly(ready, c.env as Socket | undefined) ?? toResponse(ready);
  };
}

async function finish(world: World, wait: () => Promise<() => Reply>): Promise<Reply> {
  const last = await wait();
  return world.commit(last);
}

const noBytes = new Uint8Array();

/** Multipart bodies with documents may be larger than JSON. */
async function readOperationBytes(world: World, operation: Operation, request: Request): Promise<Uint8Array> {
  const { requestBodyBytes } = world.settings;
  if (operation.bodyType !== 'multipart')
    return readBody(request, Math.max(requestBodyBytes, operation.bodyBytes ?? 0));
  return readBody(request, world.settings.faxBodyBytes);
}

function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** Returns the service's error body; for any other error, returns a 500 without internal details. */
function rejection(error: unknown): Reply {
  if (error instanceof ServiceError)
    return { status: error.status, json: error.body, headers: error.headers };
  if (error instanceof TokenError) return { status: error.status, json: error.body };
  throw error;
}

function logRequest(
  world: World,
  { method }: Request,
  url: URL,
  answered: Omit<RequestLogEntry, 'time' | 'method' | 'path'>,
  body?: Uint8Array,
): void {
  const path = shownPath(url);
  world.requestLog.add({ time: world.clock.now(), method, path, ...answered }, body);
  if (world.requestLog.isFull) world.commitInBackground(() => world.requestLog.flush());
}

/** The log must not contain the secrets of the sign-in, even if a client sends them as JSON instead of a form. */
function isLogged({ bodyType }: Operation, { headers }: Request): boolean {
  return bodyType !== 'form' && /json/i.test(headers.get('content-type') ?? '');
}

/** Logs a request that ended before or outside an operation. @param body JSON of the reply */
export function logRejected(world: World, request: Request, status: number, body: unknown): void {
  const error = errorOf(status, body);
  logRequest(world, request, new URL(request.url), { status, operation: undefined, unread: [], ...error });
}
