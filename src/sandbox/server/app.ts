import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono, type Context } from 'hono';
import { operationsOf, pathsOf, type Operation, type OperationId } from '../../contract/operations.ts';
import { corsHeaders, preflightReply } from './cors.ts';
import { Interrupted } from '../control/interrupted.ts';
import { ServiceError, unknownRouteBody } from '../request/errors.ts';
import { ReplyQueue } from './reply-queue.ts';
import { defaultLanguage, type Socket } from './send-reply.ts';
import { routes } from './routes.ts';
import { logRejected, serve } from './serve.ts';
import type { World } from '../world/world.ts';

/** The connection of the HTTP server; absent for requests in process. */
export interface ServerBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/**
 * Answers one request. Rejects only when replies are validated, with a ContractViolation or any other internal error.
 */
export type Answer = (request: Request, server?: ServerBindings) => Promise<Response>;

/** The service over HTTP. */
export function createApp(world: World, validateReplies: boolean): Answer {
  const app = new Hono();
  for (const [id, operation] of operationsOf(world.dialectName))
    addRoute(app, id, operation, serve(world, id, operation, routes[id], validateReplies));
  app.notFound((c) => logAndReply(world, c.req.raw, 404, unknownRouteBody));
  app.onError((error, c) => {
    // In tests, an internal error must not look like a reply of the service.
    if (validateReplies || error instanceof Interrupted) throw error;
    world.noteFailure(error);
    const failure = new ServiceError(500, 'CMN-203', 'Internal error');
    return logAndReply(world, c.req.raw, 500, failure.body);
  });
  const replies = new ReplyQueue();
  let count = 0;
  return async (request, server) => {
    count += 1;
    const cors = corsHeaders(world, request);
    const preflight = cors && preflightReply(request, cors);
    if (preflight) return preflight;
    const about = {
      ...cors,
      'x-request-id': `sandbox-${String(count).padStart(8, '0')}`,
      // The Date header uses the sandbox clock, because clients compare their clock with the clock of the
      // service.
      date: new Date(world.clock.now()).toUTCString(),
    };
    const response = await answer(world, app, request, server, { about, replies });
    if (response === RESPONSE_ALREADY_SENT) return response;
    for (const [name, value] of Object.entries(about)) response.headers.set(name, value);
    for (const [name, value] of Object.entries(defaultLanguage))
      if (!response.headers.has(name)) response.headers.set(name, value);
    return response;
  };
}

/** Returns the reply to a request that ends before or outside an operation, after adding it to the request log. */
function logAndReply(world: World, request: Request, status: number, body: unknown): Response {
  logRejected(world, request, status, body);
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json;charset=UTF-8' },
  });
}

function addRoute(
  app: Hono,
  id: OperationId,
  operation: Operation,
  handler: (c: Context) => Promise<Response>,
): void {
  const paths = pathsOf(operation).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'));
  app.on(operation.method, paths, handler);
  if (id !== 'authorize') return;
  // The sign-in page posts its form to its own address, and browsers may add a slash.
  app.post(operation.path, handler);
  app.on(['GET', 'POST'], `${operation.path}/`, handler);
}

async function answer(
  world: World,
  app: Hono,
  request: Request,
  server: ServerBindings | undefined,
  reply: Omit<Socket, 'outgoing'>,
): Promise<Response> {
  const hosts = server?.incoming?.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  try {
    if (hosts && hosts.length !== 1) throw new ServiceError(400, 'CMN-407', 'Header [Host] is invalid');
    const socket = server?.outgoing && { outgoing: server.outgoing, ...reply };
    return await app.fetch(overrideMethod(request), socket);
  } catch (error) {
    if (error instanceof ServiceError) return logAndReply(world, request, error.status, error.body);
    throw error;
  }
}

/**
 * Returns the method that replaces POST, from a header or the query (BASE-17).
 * @throws {ServiceError} when header and query differ, or when a method other than POST is overridden.
 */
function overrideMethod(request: Request): Request {
  const header = request.headers.get('x-http-method-override')?.toUpperCase();
  const query = request.url.includes('_method=')
    ? new URL(request.url).searchParams.get('_method')?.toUpperCase()
    : undefined;
  const method = header ?? query;
  if (!method || method === request.method) return request;
  const conflict = header !== undefined && query !== undefined && header !== query;
  if (conflict || request.method !== 'POST' || !['GET', 'PUT', 'PATCH', 'DELETE'].includes(method)) {
    throw new ServiceError(400, 'CMN-407', 'Header [X-HTTP-Method-Override] is invalid');
  }
  if (method === 'GET') return new Request(request.url, { method, headers: request.headers });
  return new Request(request.url, { method, headers: request.headers, body: request.body, duplex: 'half' });
}
