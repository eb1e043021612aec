import { parseJson, stringifyJson } from '../platform/json.ts';
import { specDialect, spell, type Dialect } from './dialect.ts';
import { ConnectionError, DryRunStop, OutcomeUnknownError, ReplyError } from './errors.ts';
import type { HttpReply, HttpRequest, HttpSend } from './http.ts';
import { toApiError } from './error-reply.ts';

/** Where access tokens come from. Implemented by src/auth; a fixed token needs only `current`. */
export interface AccessTokenSource {
  /** @throws {SignInRequiredError} when there is none. */
  current(): Promise<string>;
  /**
   * A newer token than `refused`, which the service answered with 401.
   * @throws {SignInRequiredError} when there is none to be had.
   */
  renew(refused: string): Promise<string>;
}

export interface TransportSettings {
  readonly baseUrl: URL;
  readonly http: HttpSend;
  readonly tokens: AccessTokenSource;
  readonly userAgent: string;
  readonly timeoutMilliseconds: number;
  /** Sent as Accept-Language. */
  readonly language?: string | undefined;
  /** Spelling of paths where the deployment differs from the specification. */
  readonly dialect?: Dialect | undefined;
  /** Refuses every request but GET. */
  readonly dryRun?: boolean;
}

export type QueryValue = string | number | boolean | readonly string[] | undefined;

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Made by the `path` tag. */
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly body?: unknown;
  /** Whether doing it twice is worse than not knowing: sends a text, rings a phone, creates a thing. */
  readonly once?: boolean;
}

/** What every resource method takes last. */
export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the service, instead of the client's. */
  readonly timeoutMilliseconds?: number | undefined;
}

/** Everything that all requests share: token, one renewal after a 401, timeout, errors, the dry-run guard. */
export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  /**
   * Sends one call and reads its JSON reply; a reply without body gives undefined.
   * @throws {ApiError} the service refused. @throws {ConnectionError} no reply. @throws {OutcomeUnknownError} a `once` call may have been done.
   */
  async send<T>(call: Call, options: RequestOptions = {}): Promise<T> {
    const reply = await this.open(call, options);
    const text = await readText(reply, call);
    if (text === '') return undefined as T;
    try {
      return parseJson(text) as T;
    } catch (error) {
      throw new ReplyError(reply.status, call, 'a body that is not JSON', error);
    }
  }

  /** As `send`, leaving the body to the caller. */
  async open(call: Call, options: RequestOptions = {}): Promise<HttpReply> {
    const url = this.#url(call);
    if (this.#settings.dryRun && call.method !== 'GET') {
      throw new DryRunStop({ method: call.method, url: url.href, body: call.body });
    }
    const token = await this.#settings.tokens.current();
    const first = await this.#attempt(url, call, token, options);
    if (first.status < 400) return first;
    if (first.status !== 401) throw toApiError(first, await readText(first, call), call);
    // 401 means the request was not processed, so it may be repeated with a newer token.
    const refusal = toApiError(first, await readText(first, call), call);
    const newer = await this.#settings.tokens.renew(token).catch((error: unknown) => {
      if (error instanceof Error && !error.cause) error.cause = refusal;
      throw error;
    });
    const second = await this.#attempt(url, call, newer, options);
    if (second.status < 400) return second;
    throw toApiError(second, await readText(second, call), call);
  }

  #url(call: Call): URL {
    const { baseUrl, dialect = specDialect } = this.#settings;
    const url = new URL(baseUrl.pathname.replace(/\/$/, '') + spell(dialect, call.path), baseUrl);
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value === undefined) continue;
      for (const item of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(item));
    }
    return url;
  }

  async #attempt(url: URL, call: Call, token: string, options: RequestOptions): Promise<HttpReply> {
    try {
      return await this.#settings.http(this.#request(url, call, token, options));
    } catch (error) {
      throw afterFailure(error, call);
    }
  }

  #request(url: URL, call: Call, token: string, options: RequestOptions): HttpRequest {
    const { userAgent, language, timeoutMilliseconds } = this.#settings;
    const hasBody = call.body !== undefined;
    return {
      method: call.method,
      url,
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'user-agent': userAgent,
        ...(language && { 'accept-language': language }),
        ...(hasBody && { 'content-type': 'application/json' }),
      },
      body: hasBody ? stringifyJson(call.body) : undefined,
      signal: options.signal,
      freshConnection: call.once ?? false,
      timeoutMilliseconds: options.timeoutMilliseconds ?? timeoutMilliseconds,
    };
  }
}

async function readText(reply: HttpReply, call: Call): Promise<string> {
  try {
    return await reply.text();
  } catch (error) {
    throw afterFailure(error, call);
  }
}

/** A `once` call that may have reached the service has an unknown outcome, whatever broke afterwards. */
function afterFailure(error: unknown, call: Call): unknown {
  const sent = !(error instanceof ConnectionError && error.reached === 'no');
  return call.once && sent ? new OutcomeUnknownError(call, error) : error;
}
