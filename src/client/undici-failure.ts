import { ConnectionError } from '../errors/service.ts';
import { NoTunnel } from './connecting.ts';
import type { HttpRequest } from './http.ts';

/**
 * Error codes of failed connection attempts, in which no byte of the request was sent. Needed for proxies, whose
 * connector cannot report such a failure.
 */
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The code for a header or address that is invalid in HTTP. undici rejects it before it opens a connection. */
const unsendable = 'UND_ERR_INVALID_ARG';

/**
 * Returns the error for a failed request: the reason of its signal, or a ConnectionError that tells whether the service
 * may have received the request.
 * @param isUnsent whether the connection attempt failed
 * @param proxy origin of the proxy of the request
 */
export function toConnectionError(
  error: unknown,
  outgoing: HttpRequest,
  isUnsent: boolean,
  proxy: string | undefined,
): unknown {
  if (outgoing.signal?.aborted) return outgoing.signal.reason;
  // With too little memory, Node cannot start its HTTP parser, which is WebAssembly.
  if (error instanceof RangeError) return outOfMemory(error);
  const { origin } = outgoing.url;
  const noTunnel = tunnelFailure(error);
  if (noTunnel) return new ConnectionError(noTunnel.code, 'no', origin, error, { proxy });
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return new ConnectionError('TIMEOUT', 'unknown', origin, error);
  }
  const proxyStatus = proxyRejection(error);
  if (proxyStatus) return new ConnectionError(`PROXY_${proxyStatus}`, 'no', origin, error);
  if (code === unsendable) return new ConnectionError(code, 'no', origin, error);
  const isConnectFailure = neverSent.has(code) && isOfConnecting(error);
  const reached = isUnsent || isConnectFailure ? 'no' : 'unknown';
  const failed = new ConnectionError(code, reached, origin, error, { via: proxy });
  // TLS checks the certificate before anything is sent.
  return failed.isCertificateFault ? new ConnectionError(code, 'no', origin, error, { via: proxy }) : failed;
}

/** Returns the error of a proxy that opened no tunnel. undici wraps it if the proxy's certificate is for another host. */
function tunnelFailure(error: unknown): NoTunnel | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].find((one) => one instanceof NoTunnel);
}

/**
 * Returns the error for too little memory, in the form of a system error. `mmap` means that the parser could not start;
 * undici starts it before it sends a request.
 */
function outOfMemory(cause: RangeError): Error {
  const syscall = cause.message.startsWith('WebAssembly') ? 'mmap' : 'read';
  const message = `not enough memory for a connection (${cause.message}); raise the limit of the shell (ulimit -v), or add memory`;
  return Object.assign(new Error(message, { cause }), { code: 'ENOMEM', syscall });
}

/**
 * Whether the error occurred while connecting. An established connection can end with the same code if the route to the
 * host is lost (Linux reports the last ICMP error). In that case the service may have read the request.
 */
function isOfConnecting(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.every(isOfConnecting);
  const { syscall } = error as NodeJS.ErrnoException;
  return (
    syscall !== 'read' &&
    syscall !== 'write' &&
    (!(error.cause instanceof Error) || isOfConnecting(error.cause))
  );
}

/** Returns the status with which a proxy rejected a tunnel. */
function proxyRejection(error: unknown): string | undefined {
  return error instanceof Error ? /^Proxy response \((\d+)\) !== 200/.exec(error.message)?.[1] : undefined;
}

/** Returns the error code; for a host with several addresses Node reports it in the parts of an AggregateError. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const own = (error as NodeJS.ErrnoException).code;
  if (own) return own;
  if (error instanceof AggregateError && error.errors.length > 0) return errorCode(error.errors[0]);
  return error.cause instanceof Error ? errorCode(error.cause) : error.name;
}
