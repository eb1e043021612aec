import { buildClient, type Client } from './client.ts';
import { fixedToken } from './fixed-token.ts';
import { parseBaseUrl } from './origin.ts';
import type { Dialect } from './dialect.ts';
import type { AccessTokenSource } from './transport.ts';
import { createUndiciHttp } from './undici-http.ts';

export { buildClient, type Client } from './client.ts';
export type { Dialect } from './dialect.ts';
export * from './errors.ts';
export type { HttpReply, HttpRequest, HttpSend } from './http.ts';
export { parseBaseUrl } from './origin.ts';
export type { PageOptions } from './paging.ts';
export type { AccessTokenSource, Call, RequestOptions, TransportSettings } from './transport.ts';

export interface ClientOptions {
  /** Address of the service, https (http for this machine only). */
  readonly baseUrl: string;
  /** An access token, or a source of them. */
  readonly token: string | AccessTokenSource;
  /** Default 30 s. */
  readonly timeoutMilliseconds?: number;
  readonly userAgent?: string;
  /** Where the deployment's names and paths differ from the specification. */
  readonly dialect?: Dialect;
}

/**
 * A client with a connection pool of its own; close it when done.
 * @throws {RangeError} for a base URL that is neither https nor this machine.
 */
export function createClient(options: ClientOptions): Client & { close(): Promise<void> } {
  const http = createUndiciHttp();
  const client = buildClient({
    baseUrl: parseBaseUrl(options.baseUrl),
    http: http.send,
    tokens: typeof options.token === 'string' ? fixedToken(options.token) : options.token,
    userAgent: options.userAgent ?? 'ucctl-client',
    timeoutMilliseconds: options.timeoutMilliseconds ?? 30_000,
    dialect: options.dialect,
  });
  return { ...client, close: () => http.close() };
}
