import type { Client, ErrorStatusReply, HttpReply } from '../../client/index.ts';
import { ConnectionError, RateLimitError, ReplyError, SignInRequiredError } from '../../errors/service.ts';
import { parseJsonExactly } from '../../platform/json.ts';

/** The result of one read, without its values. */
export interface ReadResult {
  readonly outcome: 'reply' | 'no reply' | 'rate limited' | 'sign-in required' | 'failed';
  /** HTTP status of the last reply; absent if there was none. */
  readonly status?: number;
  readonly contentType?: string;
  readonly body?: 'JSON' | 'not JSON' | 'empty' | 'not read';
  /** Names of the rate-limit headers of the reply. */
  readonly rateHeaders: readonly string[];
  /** Usage group that the reply names, compared with the group in the contract. */
  readonly rateGroup?: 'expected' | 'different' | 'absent';
  /** Error codes of the service; a code in an unknown form is shown as `(other)`. */
  readonly errorCodes: readonly string[];
  /** Error code of the connection, such as `ECONNREFUSED`. */
  readonly connectionError?: string;
}

/** The result of one read, with its JSON body for further evaluation. */
export interface Read {
  readonly result: ReadResult;
  /** The body of a successful reply; undefined if it is not JSON. */
  readonly value?: unknown;
  /** The body of a reply, successful or not, if it is JSON. */
  readonly anyValue?: unknown;
  /** Whether the body has integers that a double cannot hold. */
  readonly hasLongIds: boolean;
}

/** The request of one read. */
export interface ReadRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Usage group according to the contract. */
  readonly group: string | undefined;
}

const rateHeaderNames = [
  'x-rate-limit-group',
  'x-rate-limit-limit',
  'x-rate-limit-remaining',
  'x-rate-limit-window',
  'retry-after',
] as const;
const contentTypes = ['application/json', 'text/html', 'text/plain', 'multipart/mixed', 'text/xml'] as const;
/** Error codes that do not have the usual form `ABC-123`. */
const namedCodes: ReadonlySet<string> = new Set([
  'InsufficientPermissions',
  'InvalidContent',
  'InvalidParameter',
  'FeatureNotAvailable',
  'OperationNotSupported',
  'TokenExpired',
  'TokenInvalid',
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_token',
  'unauthorized_client',
]);

/**
 * Sends one read through the transport, which respects the rate limits and retries failed requests. Failures are
 * results.
 * @throws the reason of `signal` if it is aborted.
 */
export async function readOnce(client: Client, request: ReadRequest, signal: AbortSignal): Promise<Read> {
  let failed: ErrorStatusReply | undefined;
  const onErrorStatus = (reply: ErrorStatusReply): void => {
    failed = reply;
  };
  try {
    const { path, query } = request;
    const reply = await client.transport.open({ method: 'GET', path, query }, { signal, onErrorStatus });
    return readOf(reply, await reply.text(), request, 'reply');
  } catch (error) {
    signal.throwIfAborted();
    const outcome = outcomeOf(error);
    if (failed && outcome !== 'no reply') return readOf(failed.reply, failed.text, request, outcome);
    return { result: resultOf(error, outcome), hasLongIds: false };
  }
}

function outcomeOf(error: unknown): ReadResult['outcome'] {
  if (error instanceof ConnectionError) return 'no reply';
  if (error instanceof RateLimitError) return 'rate limited';
  if (error instanceof SignInRequiredError) return 'sign-in required';
  return error instanceof Error && 'status' in error ? 'reply' : 'failed';
}

/** Returns the result of a read that ended without a reply that can be read. */
function resultOf(error: unknown, outcome: ReadResult['outcome']): ReadResult {
  return {
    outcome,
    ...(error instanceof ReplyError && { status: error.status, body: 'not read' as const }),
    rateHeaders: [],
    errorCodes: [],
    ...(error instanceof ConnectionError && { connectionError: connectionCode(error.code) }),
  };
}

function readOf(reply: HttpReply, text: string, request: ReadRequest, outcome: ReadResult['outcome']): Read {
  const { body, value } = parsed(text);
  const group = reply.header('x-rate-limit-group')?.toLowerCase();
  const sameOrOther = group === request.group?.toLowerCase() ? 'expected' : 'different';
  const isSuccess = reply.status >= 200 && reply.status < 300;
  return {
    result: {
      outcome,
      status: reply.status,
      contentType: contentTypeOf(reply.header('content-type')),
      body,
      rateHeaders: rateHeaderNames.filter((name) => reply.header(name) !== undefined),
      ...(request.group !== undefined && { rateGroup: group === undefined ? 'absent' : sameOrOther }),
      errorCodes: isSuccess ? [] : errorCodesOf(value),
    },
    ...(isSuccess && body === 'JSON' && { value }),
    ...(body === 'JSON' && { anyValue: value }),
    hasLongIds: hasBigInt(value),
  };
}

/** Whether a JSON value contains an integer that a double cannot hold. */
function hasBigInt(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  return Object.values(value).some(hasBigInt);
}

function parsed(text: string): { readonly body: 'JSON' | 'not JSON' | 'empty'; readonly value?: unknown } {
  if (text.trim() === '') return { body: 'empty' };
  try {
    return { body: 'JSON', value: parseJsonExactly(text) };
  } catch {
    return { body: 'not JSON' };
  }
}

function contentTypeOf(header: string | undefined): string {
  if (header === undefined) return 'absent';
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  return contentTypes.find((known) => known === type) ?? 'other';
}

/** Returns the error codes of an error body (ERROR-1, ERROR-2). A code that could be data is not shown. */
function errorCodesOf(body: unknown): readonly string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { errorCode, error, errors } = body as Readonly<Record<string, unknown>>;
  const details = Array.isArray(errors) ? (errors as readonly unknown[]) : [];
  const nested = details.map((item) =>
    typeof item === 'object' && item !== null && 'errorCode' in item ? item.errorCode : undefined,
  );
  const codes = [errorCode, error, ...nested].filter((code) => typeof code === 'string' && code !== '');
  return [...new Set(codes.map((code) => shownCode(String(code))))];
}

function shownCode(code: string): string {
  return /^[A-Z]{3}-\d{3}$/.test(code) || namedCodes.has(code) ? code : '(other)';
}

function connectionCode(code: string): string {
  return /^[A-Z][A-Z_]{2,39}$/.test(code) ? code : '(other)';
}
