import { isHeaderSafe } from '../platform/header-safe.ts';
import { buildClient, type Client } from './client.ts';
import { unlessEnded } from './ended.ts';
import { fixedToken } from './fixed-token.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import { checkHosts } from '../platform/check-hosts.ts';
import { type Dialect, type DialectName, dialects, specDialect } from './dialect.ts';
import type { Timing } from './timing.ts';
import type { AccessTokenSource, Wait } from './call.ts';
import type { OutcomeRecorder } from './outcome-recorder.ts';
import { connectMilliseconds, createUndiciHttp } from './undici-http.ts';

export { buildClient, type Client } from './client.ts';
export { dialects, type Dialect, type DialectName } from './dialect.ts';
export { DryRunStop, type DryRunRequest } from '../errors/dry-run-stop.ts';
export {
  ApiError,
  type ApiErrorDetail,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  type RequestLine,
  SignInRequiredError,
  UntrustedHostError,
} from '../errors/service.ts';
export { ClientClosedError } from '../errors/client-closed.ts';
export { type CommandText, type Hint, hintText } from '../errors/hint.ts';
export type { HttpReply, HttpRequest, HttpSend, ReplyPart, StreamBody } from './http.ts';
export { parseBaseUrl } from '../platform/base-url.ts';
export type { PageOptions } from './paging.ts';
export type { FaxDocument } from './resources/faxes.ts';
export type { MessageOutcome } from './resources/message-outcomes.ts';
export type { MessagePatch } from './resources/messages.ts';
export type { PresenceOutcome } from './resources/presence.ts';
export type { HoursOwner } from './resources/business-hours.ts';
export type { CallScope } from './resources/call-log.ts';
export type { MediaOptions } from './resources/media.ts';
export type { OutcomeRecord, OutcomeRecorder, OutcomeReport } from './outcome-recorder.ts';
export { systemTiming, type Timing } from './timing.ts';
export type { Exchange } from './trace/traced-http.ts';
export type {
  AccessTokenSource,
  Call,
  ErrorStatusReply,
  QueryValue,
  ReplyFacts,
  RequestOptions,
  Wait,
} from './call.ts';
export type * from './contract-types.ts';
export type { PresenceDetail } from './resources/presence.ts';
export type { WholeReply } from './reply-value.ts';
export type { Transport } from './transport.ts';
export type { TransportSettings } from './transport-settings.ts';

export interface ClientOptions {
  /** Base URL of the service: https, or http for this machine. */
  readonly baseUrl: string;
  /** An access token, or a source of access tokens. */
  readonly token: string | AccessTokenSource;
  /** Timeout of a request in milliseconds; default 30,000. */
  readonly timeoutMilliseconds?: number;
  readonly userAgent?: string;
  /** Language of the texts in replies, sent as Accept-Language. */
  readonly language?: string;
  /** Maximum number of retries; default 4. Messages and calls are not retried once the service may have read them. */
  readonly retries?: number;
  /** Maximum time that one request waits for rate limits, in milliseconds; default 125,000. */
  readonly maxWaitMilliseconds?: number;
  /** Hosts that may receive the token for media, in addition to the host of the base URL. */
  readonly mediaHosts?: readonly string[];
  /**
   * Certificate authorities to trust, in PEM format, instead of the authorities that Node trusts. For a sandbox with
   * `tls`, the content of the file `sandbox.ready.ca`.
   */
  readonly ca?: readonly string[];
  /** Maximum number of kept-alive connections; default 16. Twice the number of parallel requests is best. */
  readonly connections?: number;
  /**
   * Dialect of the service: `spec`, which is the default, `current`, or an object with other values, such as
   * `{ ...dialects.current, chatPath: '/chat/v2' }`.
   */
  readonly dialect?: DialectName | Dialect;
  /** Records each request that must not be processed twice before it is sent. `dedupeKey` needs a recorder. */
  readonly recorder?: OutcomeRecorder;
  /** Clock and random numbers, for tests. */
  readonly timing?: Timing;
  /** Called before each wait for a retry or a rate limit. */
  readonly onWait?: (wait: Wait) => void;
}

/** A client with its own connection pool. */
export interface OwnedClient extends Client {
  /**
   * Ends waits for retries and rate limits, and opened replies that nobody reads. Waits for the replies to sent
   * requests.
   */
  close(): Promise<void>;
  /** Calls `close`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client with its own connection pool. Call `close` when you no longer need it: it ends waits for retries and
 * rate limits, and waits for the replies to sent requests. It ends an opened reply, such as that of `media.open`, if
 * nobody has begun to read it.
 * @throws {RangeError} for a base URL that is neither https nor on this machine, an invalid token or host, or a number
 * out of range.
 * @throws {TypeError} for a missing option or an option of the wrong type.
 */
export function createClient(options: ClientOptions): OwnedClient {
  requireOptions(options);
  const { baseUrl, token, userAgent, timeoutMilliseconds, ca, connections, mediaHosts, dialect, ...rest } =
    options;
  const timeout = timeoutMilliseconds ?? 30_000;
  const http = createUndiciHttp({
    ca,
    ...(connections !== undefined && { connections }),
    connectTimeoutMilliseconds: connectMilliseconds(timeout),
  });
  const closing = new AbortController();
  const client = buildClient({
    ...rest,
    baseUrl: parseBaseUrl(baseUrl),
    mediaHosts: mediaHosts && checkHosts(mediaHosts),
    dialect: typeof dialect === 'string' ? dialects[dialect] : dialect,
    http: http.send,
    tokens: typeof token === 'string' ? fixedToken(headerSafe(token)) : checked(token, closing.signal),
    userAgent: userAgent ?? 'ucctl-client',
    closing: closing.signal,
    timeoutMilliseconds: timeout,
  });
  const close = (): Promise<void> => {
    closing.abort();
    return http.close();
  };
  return { ...client, close, [Symbol.asyncDispose]: close };
}

/** Retries and waits may be infinite; undici requires all other numbers to be finite. */
const bounds = {
  timeoutMilliseconds: [0, Number.MAX_SAFE_INTEGER],
  retries: [0, Infinity],
  maxWaitMilliseconds: [0, Infinity],
  connections: [1, Number.MAX_SAFE_INTEGER],
} as const;

/** Options of a caller in JavaScript, which can have any type. */
type RawOptions = Partial<Record<keyof ClientOptions, unknown>>;

/** Checks the options at run time, for callers in JavaScript. */
function requireOptions(options: RawOptions | undefined): void {
  const { baseUrl, token } = options ?? {};
  for (const [name, [least, most]] of Object.entries(bounds)) {
    const value = (options as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (value === undefined) continue;
    if (typeof value !== 'number') throw new TypeError(`${name} must be a number`);
    if (value >= least && value <= most) continue;
    throw new RangeError(`${name} must be a number of at least ${least}`);
  }
  requireHeaderValues(options ?? {});
  requireTypes(options ?? {});
  if (typeof baseUrl !== 'string')
    throw new TypeError(
      'baseUrl is missing; specify the address of the service, such as https://service.example',
    );
  if (typeof token === 'string' || hasFunctions(token, ['current', 'renew'])) return;
  throw new TypeError(
    'token is missing; specify a string, or an object with the functions current and renew',
  );
}

/** @throws {TypeError} for an option whose wrong value would be ignored, or fail during a request. */
function requireTypes({ ca, dialect, mediaHosts, recorder, timing, onWait }: RawOptions): void {
  if (dialect !== undefined && !isDialect(dialect))
    throw new TypeError("dialect must be 'spec', 'current', or an object with the members of dialects.spec");
  if (ca !== undefined && !isTextList(ca))
    throw new TypeError('ca must be an array of certificates in PEM format');
  // A string would allow each part of it, because it also has the method `includes`.
  if (mediaHosts !== undefined && !isTextList(mediaHosts))
    throw new TypeError('mediaHosts must be an array of hosts, such as ["media.example.com"]');
  if (recorder !== undefined && !hasFunctions(recorder, ['before', 'requireUnused']))
    throw new TypeError('recorder must be an object with the functions before and requireUnused');
  if (timing !== undefined && !hasFunctions(timing, ['now', 'random', 'sleep']))
    throw new TypeError('timing must be an object with the functions now, random and sleep');
  if (onWait !== undefined && typeof onWait !== 'function') throw new TypeError('onWait must be a function');
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isDialect(value: unknown): boolean {
  if (typeof value === 'string') return Object.hasOwn(dialects, value);
  return (
    typeof value === 'object' && value !== null && Object.keys(specDialect).every((name) => name in value)
  );
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof members[name] === 'function');
}

/** @throws {RangeError} for an option that would be an invalid header. */
function requireHeaderValues(options: RawOptions): void {
  for (const name of ['userAgent', 'language'] as const) {
    const value = options[name] ?? '';
    if (typeof value !== 'string') throw new TypeError(`${name} must be a string`);
    if (/^[\x20-\x7e]*$/.test(value)) continue;
    throw new RangeError(`${name} contains line breaks or non-ASCII characters`);
  }
}

/**
 * Returns a token source that checks each token with `headerSafe` before use. Parallel requests share a renewal, because
 * a refresh token is valid once. A request whose rejection arrives after the renewal gets the current token. A request
 * that its caller ends, and each request of a closed client, does not wait for the source.
 */
function checked(source: AccessTokenSource, closing: AbortSignal): AccessTokenSource {
  const renewals = new Map<string, Promise<string>>();
  const renew = async (rejected: string, code?: string): Promise<string> => {
    try {
      const current = await source.current();
      return headerSafe(current === rejected ? await source.renew(rejected, undefined, code) : current);
    } finally {
      renewals.delete(rejected);
    }
  };
  return {
    current: async (signal) => headerSafe(await unlessEnded(source.current(), signal, closing)),
    renew: (rejected, signal, code) => {
      const renewal = renewals.get(rejected) ?? renew(rejected, code);
      renewals.set(rejected, renewal);
      return unlessEnded(renewal, signal, closing);
    },
    ...(source.signInCommand && { signInCommand: () => source.signInCommand?.() ?? Promise.resolve('') }),
  };
}

/** Returns the token if it is valid in a header. The errors do not contain the token. */
function headerSafe(token: unknown): string {
  if (typeof token !== 'string' || token === '') throw new RangeError('the token is empty');
  if (isHeaderSafe(token)) return token;
  throw new RangeError('the token contains spaces, line breaks or non-ASCII characters');
}
