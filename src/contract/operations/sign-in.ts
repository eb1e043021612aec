import { ApiVersions } from '../dictionary.ts';
import { AuthorizeQuery, TokenForm, TokenReply } from '../oauth.ts';
import type { Operation } from './operation.ts';

/** Versions of the interface, sign-in and tokens. */
export const signIn = {
  readApiVersions: {
    method: 'GET',
    path: '/restapi',
    aliases: ['/restapi/v1.0'],
    section: 'Versioning',
    summary: 'Lists the versions of the interface',
    authorization: 'none',
    status: 200,
    reply: ApiVersions,
  },
  authorize: {
    method: 'GET',
    path: '/restapi/oauth/authorize',
    section: 'Authorization code flow',
    summary: 'Shows the sign-in and consent page, which then redirects to the application',
    authorization: 'none',
    query: AuthorizeQuery,
    status: 200,
  },
  issueToken: {
    method: 'POST',
    path: '/restapi/oauth/token',
    section: 'Token endpoints',
    summary: 'Issues tokens for all grant types',
    authorization: 'client',
    group: 'Auth',
    body: TokenForm,
    bodyType: 'form',
    status: 200,
    reply: TokenReply,
  },
  revokeToken: {
    method: 'POST',
    path: '/restapi/oauth/revoke',
    section: 'Revocation',
    summary: 'Revokes a token; always returns 200',
    authorization: 'client',
    group: 'Auth',
    bodyType: 'form',
    status: 200,
  },
} as const satisfies Record<string, Operation>;
