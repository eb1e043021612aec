import {
  allowInsecureRequests,
  authorizationCodeGrantRequest,
  customFetch,
  genericTokenEndpointRequest,
  None,
  nopkce,
  processAuthorizationCodeResponse,
  processGenericTokenEndpointResponse,
  processRefreshTokenResponse,
  processRevocationResponse,
  refreshTokenGrantRequest,
  revocationRequest,
  validateAuthResponse,
  type AuthorizationServer,
  type Client,
  type ClientAuth,
  type TokenEndpointRequestOptions,
  type TokenEndpointResponse,
} from 'oauth4webapi';
import { ApiError, ConnectionError, DryRunStop, ReplyError } from '../client/index.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { oauthFetch, type OAuthTransport } from './oauth-fetch.ts';

/** The token endpoint of the service, and the application that uses it. */
export interface TokenEndpoint extends OAuthTransport {
  readonly baseUrl: URL;
  readonly clientId: string;
  /** Undefined for a public app, which sends only its client ID. */
  readonly clientSecret: string | undefined;
}

export type Grant =
  | {
      readonly type: 'authorization_code';
      readonly code: string;
      readonly state: string;
      readonly redirectUri: string;
      /** Undefined without PKCE. */
      readonly codeVerifier: string | undefined;
    }
  | {
      readonly type: 'password';
      readonly username: string;
      readonly extension?: string | undefined;
      readonly password: string;
    }
  | { readonly type: 'refresh_token'; readonly refreshToken: string }
  | {
      readonly type: 'client_credentials';
      readonly brandId?: string | undefined;
      readonly accountId?: string | undefined;
      readonly partnerAccountId?: string | undefined;
    }
  | { readonly type: 'jwt'; readonly assertion: string };

/** Requested lifetimes in seconds (OAUTH-20, OAUTH-21); the service adjusts them to its limits. */
export interface Lifetimes {
  readonly accessTtlSeconds?: number | undefined;
  readonly refreshTtlSeconds?: number | undefined;
}

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/**
 * Sends a request to the token endpoint (OAUTH-1).
 * @throws {ApiError} the service rejected the request. @throws {ConnectionError} no reply. @throws {ReplyError} the
 * reply is not a token reply.
 */
export async function requestToken(
  endpoint: TokenEndpoint,
  grant: Grant,
  lifetimes: Lifetimes = {},
): Promise<TokenReply> {
  return guard(endpoint, '/restapi/oauth/token', async () =>
    toTokenReply(await send(endpoint, grant, lifetimes)),
  );
}

/**
 * Revokes a token. The service replies with 200 even if nothing was revoked (OAUTH-55).
 * @throws {ApiError} @throws {ConnectionError} @throws {ReplyError} for an HTML page, which comes from another server.
 */
export async function revokeToken(endpoint: TokenEndpoint, token: string): Promise<void> {
  await guard(endpoint, '/restapi/oauth/revoke', async () => {
    const { server, client, auth, options } = prepare(endpoint);
    await processRevocationResponse(await revocationRequest(server, client, auth, token, options));
  });
}

/** Returns the URL of a path below the base URL, which may itself contain a path. */
export function serviceUrl(baseUrl: URL, path: string): URL {
  return new URL(baseUrl.pathname.replace(/\/$/, '') + path, baseUrl);
}

async function send(
  endpoint: TokenEndpoint,
  grant: Grant,
  lifetimes: Lifetimes,
): Promise<TokenEndpointResponse> {
  const { server, client, auth, options: bare } = prepare(endpoint);
  const ttl = ttlFields(grant, lifetimes);
  const options = { ...bare, additionalParameters: ttl };
  if (grant.type === 'refresh_token') {
    const reply = await refreshTokenGrantRequest(server, client, auth, grant.refreshToken, options);
    return processRefreshTokenResponse(server, client, reply);
  }
  if (grant.type === 'password') {
    const { username, extension, password } = grant;
    const form = { username, ...(extension !== undefined && { extension }), password };
    return generic('password', form);
  }
  if (grant.type === 'client_credentials') {
    const { brandId, accountId, partnerAccountId } = grant;
    return generic('client_credentials', {
      ...(brandId !== undefined && { brand_id: brandId }),
      ...(accountId !== undefined && { account_id: accountId }),
      ...(partnerAccountId !== undefined && { partner_account_id: partnerAccountId }),
    });
  }
  if (grant.type === 'jwt') return generic(jwtBearer, { assertion: grant.assertion });
  const { code, state, redirectUri, codeVerifier } = grant;
  // The library requires the state again, even though ucctl has already checked it in constant time.
  const callback = validateAuthResponse(server, client, new URLSearchParams({ code, state }), state);
  const verifier = codeVerifier ?? nopkce;
  return processAuthorizationCodeResponse(
    server,
    client,
    await authorizationCodeGrantRequest(server, client, auth, callback, redirectUri, verifier, options),
  );

  async function generic(
    grantType: string,
    form: Readonly<Record<string, string>>,
  ): Promise<TokenEndpointResponse> {
    const reply = await genericTokenEndpointRequest(
      server,
      client,
      auth,
      grantType,
      { ...form, ...ttl },
      bare,
    );
    return processGenericTokenEndpointResponse(server, client, reply);
  }
}

/** Returns the form fields of the lifetimes. A client-credentials session has no refresh token. */
function ttlFields(grant: Grant, { accessTtlSeconds, refreshTtlSeconds }: Lifetimes): Record<string, string> {
  const withRefresh = grant.type !== 'client_credentials' && refreshTtlSeconds !== undefined;
  return {
    ...(accessTtlSeconds !== undefined && { access_token_ttl: String(accessTtlSeconds) }),
    ...(withRefresh && { refresh_token_ttl: String(refreshTtlSeconds) }),
  };
}

function prepare(endpoint: TokenEndpoint): {
  readonly server: AuthorizationServer;
  readonly client: Client;
  readonly auth: ClientAuth;
  readonly options: TokenEndpointRequestOptions;
} {
  const { baseUrl, clientId, clientSecret } = endpoint;
  return {
    server: {
      issuer: baseUrl.origin,
      token_endpoint: serviceUrl(baseUrl, '/restapi/oauth/token').href,
      revocation_endpoint: serviceUrl(baseUrl, '/restapi/oauth/revoke').href,
    },
    client: { client_id: clientId },
    auth: clientSecret === undefined ? None() : rawBasic(clientId, clientSecret),
    options: {
      [customFetch]: oauthFetch(endpoint),
      // parseBaseUrl allows plain http only for this machine.
      [allowInsecureRequests]: baseUrl.protocol === 'http:',
    },
  };
}

/**
 * Basic authentication with the raw key and secret, as OAUTH-5 requires. The library form-encodes them, which breaks
 * keys with "-" or "_".
 */
function rawBasic(clientId: string, clientSecret: string): ClientAuth {
  const credentials = Buffer.from(`${clientId}:${clientSecret}`, 'utf8').toString('base64');
  return (_server, _client, _body, headers) => headers.set('authorization', `Basic ${credentials}`);
}

function toTokenReply(reply: TokenEndpointResponse): TokenReply {
  if (typeof reply.expires_in !== 'number') throw new TypeError('expires_in is missing');
  return { ...reply, token_type: 'bearer', expires_in: reply.expires_in };
}

async function guard<T>(endpoint: TokenEndpoint, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isExpected = [ApiError, ConnectionError, ReplyError, DryRunStop].some(
      (kind) => error instanceof kind,
    );
    if (isExpected || endpoint.signal?.aborted) throw error;
    throw new ReplyError(200, { method: 'POST', path }, 'a reply without a token', {
      cause: error,
    });
  }
}
