import { isHeaderSafe } from '../platform/header-safe.ts';
import { buildClient, type Client } from './client.ts';
import { fixedToken } from './fixed-token.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import type { Dialect } from './dialect.ts';
import type { Timing } from './timing.ts';
import type { AccessTokenSource } from './call.ts';
import type { Wait } from './transport-settings.ts';
import { createUndiciHttp } from './undici-http.ts';

export { buildClient, type Client } from './client.ts';
export type { Dialect } from './dialect.ts';
export {
  ApiError,
  type ApiErrorDetail,
  ConnectionError,
  DryRunStop,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  type RequestLine,
  SignInRequiredError,
  UntrustedHostError,
  type WithheldRequest,
} from '../errors/service.ts';
export { type CommandText, type Hint, hintText } from '../errors/hint.ts';
export type { HttpReply, HttpRequest, HttpSend } from './http.ts';
export { parseBaseUrl } from '../platform/base-url.ts';
export type { PageOptions } from './paging.ts';
export type { FaxDocument } from './resources/faxes.ts';
export type { MessageOutcome } from './resources/messages.ts';
export type { PresenceOutcome } from './resources/presence.ts';
export type { CallScope } from './resources/call-log.ts';
export type { MediaOptions } from './resources/media.ts';
export type { OutcomeRecorder, OutcomeReport } from './outcome-recorder.ts';
export { systemTiming, type Timing } from './timing.ts';
export type { Exchange } from './trace/traced-http.ts';
export type { AccessTokenSource, Call, Refusal, RequestOptions } from './call.ts';
export type { TransportSettings, Wait } from './transport-settings.ts';

export interface ClientOptions {
  /** Address of the service, https (http for this machine only). */
  readonly baseUrl: string;
  /** An access token, or a source of them. */
  readonly token: string | AccessTokenSource;
  /** Default 30 s. */
  readonly timeoutMilliseconds?: number;
  readonly userAgent?: string;
  /** Sent as Accept-Language. */
  readonly language?: string;
  /** Further tries of a request that may be repeated; default 4. Texts, calls and the like are never repeated once they may have been read. */
  readonly retries?: number;
  /** Longest wait of one request for the service's rate limits; default 2 min. */
  readonly maxWaitMilliseconds?: number;
  /** Hosts that may see the token besides the service's own, for media. */
  readonly mediaHosts?: readonly string[];
  /** Most connections kept alive; default 16, best twice the requests at a time. */
  readonly connections?: number;
  /** Names and paths of the deployment where they differ from dialect `spec`. */
  readonly dialect?: Dialect;
  /** Time and chance, for tests. */
  readonly timing?: Timing;
  /** Told before each wait. */
  readonly onWait?: (wait: Wait) => void;
}

/**
 * A client with a connection pool of its own; close it when done.
 * @throws {RangeError} for a base URL that is neither https nor this machine, for a token that no header can carry, and for numbers out of range.
 * @throws {TypeError} for options that are not there, as only JavaScript without types can have it.
 */
export function createClient(options: ClientOptions): Client & { close(): Promise<void> } {
  requireOptions(options);
  const { baseUrl, token, userAgent, timeoutMilliseconds, connections, ...rest } = options;
  const http = createUndiciHttp(connections === undefined ? {} : { connections });
  let isClosed = false;
  const client = buildClient({
    ...rest,
    baseUrl: parseBaseUrl(baseUrl),
    http: http.send,
    tokens: typeof token === 'string' ? fixedToken(headerSafe(token)) : checked(token),
    userAgent: userAgent ?? 'ucctl-client',
    guard: () => (isClosed ? Promise.reject(new TypeError('the client is closed')) : Promise.resolve()),
    timeoutMilliseconds: timeoutMilliseconds ?? 30_000,
  });
  return {
    ...client,
    close: () => {
      isClosed = true;
      return http.close();
    },
  };
}

/** Tries and waits may be without end; the HTTP stack wants the others finite. */
const bounds = {
  timeoutMilliseconds: [0, Number.MAX_SAFE_INTEGER],
  retries: [0, Infinity],
  maxWaitMilliseconds: [0, Infinity],
  connections: [1, Number.MAX_SAFE_INTEGER],
} as const;

/** What the compiler sees, for whoever has none; and numbers that are none. */
function requireOptions(options: Partial<Record<keyof ClientOptions, unknown>> | undefined): void {
  const { baseUrl, token } = options ?? {};
  for (const [name, [least, most]] of Object.entries(bounds)) {
    const value = (options as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (value === undefined || (typeof value === 'number' && value >= least && value <= most)) continue;
    throw new RangeError(`${name} must be a number from ${least}`);
  }
  if (typeof baseUrl !== 'string')
    throw new TypeError('createClient needs a baseUrl, such as https://service.example');
  if (typeof token === 'string' || isTokenSource(token)) return;
  throw new TypeError(
    'createClient needs a token: a text, or an object with the functions current and renew',
  );
}

function isTokenSource(token: unknown): boolean {
  const { current, renew } = (token ?? {}) as Partial<Record<keyof AccessTokenSource, unknown>>;
  return typeof current === 'function' && typeof renew === 'function';
}

/** Nothing goes out without a token, or with one that makes a second header. */
function checked(source: AccessTokenSource): AccessTokenSource {
  return {
    current: async () => headerSafe(await source.current()),
    renew: async (refused) => headerSafe(await source.renew(refused)),
    ...(source.signInCommand && { signInCommand: () => source.signInCommand?.() ?? Promise.resolve('') }),
  };
}

/** Not repeated in what is thrown. */
function headerSafe(token: unknown): string {
  if (typeof token !== 'string' || token === '') throw new RangeError('the token is empty');
  if (isHeaderSafe(token)) return token;
  throw new RangeError('the token must be on one line, without spaces');
}
