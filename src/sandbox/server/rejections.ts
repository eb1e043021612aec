import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { lookupTable } from '../../platform/lookup-table.ts';
import { unknownRouteBody } from '../request/errors.ts';
import type { World } from '../world/world.ts';
import { rejectRaw } from './raw-reply.ts';
import { shownTarget } from './request-log.ts';

/** A request that was answered before routing. */
interface UnroutedRequest {
  /** Method and target as the client sent them; empty if they could not be read. */
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly errorCode?: string;
  readonly message?: string;
}

/** A request that was rejected before routing. */
export interface RejectedRequest extends UnroutedRequest {
  readonly errorCode: string;
  readonly message: string;
}

const rejections: Readonly<Record<string, readonly [number, string]>> = lookupTable({
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large'],
});

/** Answers requests that Node does not pass to the handler of the server, with an error body of the service. */
export function serveRejections(server: Server, onRejected: (request: RejectedRequest) => void): void {
  const reject = (socket: Duplex, rejected: RejectedRequest): void => {
    onRejected(rejected);
    const { status, errorCode, message } = rejected;
    rejectRaw(socket, status, { errorCode, message, errors: [{ errorCode, message }] });
  };
  server.on('clientError', (error: ClientError, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, message] = rejections[error.code ?? ''] ?? [400, 'The request is malformed'];
    reject(socket, { ...firstLineOf(error), status, errorCode: 'CMN-104', message });
  });
  server.on('connect', ({ method = '', url: target = '' }: IncomingMessage, socket: Duplex) => {
    const { errorCode, message } = unknownRouteBody;
    onRejected({ method, target, status: 404, errorCode, message });
    rejectRaw(socket, 404, unknownRouteBody);
  });
  server.on('checkExpectation', ({ method = '', url: target = '', socket }: IncomingMessage) =>
    reject(socket, {
      method,
      target,
      status: 417,
      errorCode: 'CMN-407',
      message: 'Header [Expect] is invalid',
    }),
  );
}

interface ClientError extends NodeJS.ErrnoException {
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/** Returns method and target of a request that could not be parsed; empty if its first line is not in the packet. */
function firstLineOf({ rawPacket }: ClientError): Pick<RejectedRequest, 'method' | 'target'> {
  const [, method = '', target = ''] =
    /^([A-Z]+) (\S+) HTTP\//.exec(rawPacket?.toString('latin1') ?? '') ?? [];
  return { method, target };
}

/** Adds a request that was answered before routing to the request log. */
export function logUnrouted(
  world: World,
  { method, target, status, errorCode, message: errorMessage }: UnroutedRequest,
): void {
  const path = shownTarget(target);
  const time = world.clock.now();
  world.requestLog.add({
    time,
    method,
    path,
    status,
    operation: undefined,
    unread: [],
    errorCode,
    errorMessage,
  });
  if (world.requestLog.isFull) world.commitInBackground(() => world.requestLog.flush());
}
