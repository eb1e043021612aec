import type { Routes } from '../request/call.ts';
import { authorizePage } from './authorize-page.ts';
import { issueToken } from './issue-token.ts';
import { revokeToken } from './revoke-token.ts';

/** Operations of the sign-in page and of tokens. */
export const oauthRoutes = { authorize: authorizePage, issueToken, revokeToken } satisfies Routes;
