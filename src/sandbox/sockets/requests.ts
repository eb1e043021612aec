import { webSocket } from '../../contract/limits.ts';
import { operations } from '../../contract/operations.ts';
import type { ClientRequestMeta } from '../../contract/web-socket.ts';
import { stringifyJson } from '../../platform/json.ts';
import { faultsBefore } from '../control/faults.ts';
import { Interrupted } from '../control/interrupted.ts';
import { ServiceError, unknownRouteBody } from '../request/errors.ts';
import { checkReply } from '../server/send-reply.ts';
import { callerNames, errorOf, type RequestLogEntry } from '../server/request-log.ts';
import type { World } from '../world/world.ts';
import type { LiveSession } from './registry.ts';
import {
  createSubscription,
  deleteSubscription,
  readSubscription,
  updateSubscription,
} from './subscription.ts';

/** The operations that a WebSocket serves. */
type SocketOperation =
  | 'createSubscription'
  | 'readSubscription'
  | 'updateSubscription'
  | 'renewSubscription'
  | 'deleteSubscription';

interface Request {
  readonly operation: SocketOperation;
  /** Processes the request in a transaction and returns the body of the reply. */
  readonly run: (world: World, session: LiveSession, body: unknown) => unknown;
}
interface Response {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Answers a request of the client: a subscription of this session is created, read, changed or deleted. For any other
 * path, the reply is "not found". Undefined if a fault cuts the connection.
 */
export async function answerRequest(
  world: World,
  session: LiveSession,
  meta: ClientRequestMeta,
  body: unknown,
  validateReplies: boolean,
): Promise<string | undefined> {
  const request = findRequest(meta);
  let response: Response | undefined;
  try {
    response = await respond(world, session, request, body, validateReplies);
  } catch (error) {
    response = rejection(world, error);
  }
  // The sandbox may have stopped while a fault delayed the request.
  if (!response || !session.connection) return undefined;
  const { status, headers } = response;
  const operation = request?.operation;
  world.metrics.count('requests', `${operation ?? 'unknown'} ${status}`);
  const entry = {
    time: world.clock.now(),
    method: meta.method,
    path: meta.path,
    status,
    operation,
    unread: [],
    ...namesOf(world, session),
    ...errorOf(status, response.body),
  };
  world.requestLog.add(entry, body === undefined ? undefined : Buffer.from(stringifyJson(body)));
  if (world.requestLog.isFull) world.commitInBackground(() => world.requestLog.flush());
  const answer = { type: 'ClientRequest', messageId: meta.messageId, status, headers };
  return stringifyJson(response.body === undefined ? [answer] : [answer, response.body]);
}

/** Returns application and user of a session; nothing if they were deleted. */
function namesOf(world: World, { owner }: LiveSession): Pick<RequestLogEntry, 'app' | 'user'> {
  const app = world.apps.byId(owner.clientId);
  const extension = world.extensions.byId(owner.extensionId);
  return app && extension ? callerNames({ app, extension }) : {};
}

async function respond(
  world: World,
  session: LiveSession,
  request: Request | undefined,
  body: unknown,
  validateReplies: boolean,
): Promise<Response> {
  if (!request) return { status: 404, headers: {}, body: unknownRouteBody };
  const operation = operations[request.operation];
  const faults = world.faults.onRequest(request.operation, new URL(world.baseUrl), () => []);
  if (faults.length > 0) await faultsBefore(faults);
  if (!session.connection) throw new Interrupted();
  const { extensionId, clientId } = session.owner;
  const headers = world.limits.take(`${clientId} ${extensionId}`, operation.group);
  const json = await world.commit(() => request.run(world, session, body));
  if (faults.some(({ kind }) => kind === 'reset-after')) throw new Interrupted();
  const { status } = operation;
  if (validateReplies) checkReply(request.operation, operation, { status, headers, json });
  return { status, headers: { ...headers, 'content-type': 'application/json;charset=UTF-8' }, body: json };
}

/** Returns the reply to a failed request; undefined if the connection must be cut. */
function rejection(world: World, error: unknown): Response | undefined {
  if (error instanceof Interrupted) return undefined;
  if (error instanceof ServiceError) {
    return { status: error.status, headers: error.headers, body: error.body };
  }
  world.noteFailure(error);
  const failure = new ServiceError(500, 'CMN-203', 'Internal error');
  return { status: 500, headers: {}, body: failure.body };
}

/** Returns the request for a method and a path. The path may have a query and a slash at its end. */
function findRequest({ method, path }: ClientRequestMeta): Request | undefined {
  const [pathname = ''] = path.split('?', 1);
  if (!pathname.startsWith(webSocket.path)) return undefined;
  const rest = /^(?:\/([^/]+)(\/renew)?)?\/?$/.exec(pathname.slice(webSocket.path.length));
  if (!rest) return undefined;
  const [, id, renew] = rest;
  const verb = method.toUpperCase();
  if (id === undefined)
    return verb === 'POST' ? { operation: 'createSubscription', run: createSubscription } : undefined;
  if (renew !== undefined) {
    if (verb !== 'POST') return undefined;
    return {
      operation: 'renewSubscription',
      run: (world, session) => updateSubscription(world, session, id, {}),
    };
  }
  if (verb === 'GET') {
    return { operation: 'readSubscription', run: (world, session) => readSubscription(world, session, id) };
  }
  if (verb === 'PUT') {
    const run: Request['run'] = (world, session, body) => updateSubscription(world, session, id, body);
    return { operation: 'updateSubscription', run };
  }
  if (verb !== 'DELETE') return undefined;
  return { operation: 'deleteSubscription', run: (world, session) => deleteSubscription(world, session, id) };
}
