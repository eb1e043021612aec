import type { IncomingMessage, ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { operations, type Operation, type OperationId } from '../../contract/operations.ts';
import { corsHeaders, preflightReply } from './cors.ts';
import { Interrupted } from '../control/interrupted.ts';
import { ServiceError } from '../request/errors.ts';
import { ReplyQueue } from './reply-queue.ts';
import type { Socket } from './send-reply.ts';
import { routes } from './routes.ts';
import { logUnknown, serve } from './serve.ts';
import type { World } from '../world/world.ts';

/** What the HTTP server tells beside the request; absent in process. */
export interface ServerBindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
}

/** Answers one request. Rejects only when replies are validated: with a ContractViolation, or with any other bug of ours. */
export type Answer = (request: Request, server?: ServerBindings) => Promise<Response>;

/** The service over HTTP. */
export function createApp(world: World, validateReplies: boolean): Answer {
  const app = new Hono();
  for (const id of Object.keys(operations) as OperationId[]) addRoute(app, world, id, validateReplies);
  const page = serve(world, 'authorize', routes.authorize, validateReplies);
  app.post('/restapi/oauth/authorize', page);
  app.on(['GET', 'POST'], '/restapi/oauth/authorize/', page);
  app.notFound((c) => unknownRoute(world, c.req.raw));
  app.onError((error) => {
    // In tests a bug of ours must not pass for an answer of the service.
    if (validateReplies || error instanceof Interrupted) throw error;
    world.noteFailure(error);
    const failure = new ServiceError(500, 'CMN-203', 'Internal error');
    return errorResponse(500, failure.body);
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
      // Of the service's own clock: who compares clocks compares with this one.
      date: new Date(world.clock.now()).toUTCString(),
    };
    const response = await answer(app, request, server, { about, replies });
    if (response === RESPONSE_ALREADY_SENT) return response;
    for (const [name, value] of Object.entries(about)) response.headers.set(name, value);
    if (!response.headers.has('content-language')) response.headers.set('content-language', 'en-US');
    return response;
  };
}

/** The reply for an unknown route: the list of errors is empty (ERROR-3). */
export function unknownRoute(world: World, request: Request): Response {
  logUnknown(world, request, 404);
  return errorResponse(404, { errorCode: 'AGW-404', message: 'Resource not found', errors: [] });
}

function addRoute(app: Hono, world: World, id: OperationId, validateReplies: boolean): void {
  const operation: Operation = operations[id];
  const paths = [operation.path, ...(operation.aliases ?? [])].map((path) =>
    path.replaceAll(/\{(\w+)\}/g, ':$1'),
  );
  app.on(operation.method, paths, serve(world, id, routes[id], validateReplies));
}

async function answer(
  app: Hono,
  request: Request,
  server: ServerBindings | undefined,
  reply: Omit<Socket, 'outgoing'>,
): Promise<Response> {
  const hosts = server?.incoming?.rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
  if (hosts && hosts.length !== 1)
    return reject(new ServiceError(400, 'CMN-407', 'Header [Host] is invalid'));
  try {
    const socket = server?.outgoing && { outgoing: server.outgoing, ...reply };
    return await app.fetch(overrideMethod(request), socket);
  } catch (error) {
    if (error instanceof ServiceError) return reject(error);
    throw error;
  }
}

/**
 * POST may stand for another method (BASE-17).
 * @throws {ServiceError} when header and query disagree, or another method than POST is overridden.
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

function reject(error: ServiceError): Response {
  return errorResponse(error.status, error.body);
}

function errorResponse(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json;charset=UTF-8' },
  });
}
