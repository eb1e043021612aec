import { z } from 'zod';
import { numberOfText } from './common.ts';

/** The reply of the token endpoint (OAUTH-35 to OAUTH-42, OAUTH-58). */
export const TokenReply = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  refresh_token: z.string().optional(),
  refresh_token_expires_in: z.int().optional(),
  scope: z.string().optional(),
  owner_id: z.string().optional(),
  endpoint_id: z.string().optional(),
  session_id: z.string().optional(),
});
export type TokenReply = z.infer<typeof TokenReply>;

/** A lifetime in seconds. A parameter without a value counts as omitted (RFC 6749, section 3.2). */
const ttl = z.preprocess(
  (value: unknown) => (value === '' ? undefined : numberOfText(value)),
  z.int().optional(),
);
/** Form of the token endpoint with the fields of all grants. The route checks which fields each grant requires. */
export const TokenForm = z.object({
  grant_type: z.string(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  username: z.string().optional(),
  extension: z.string().optional(),
  password: z.string().optional(),
  refresh_token: z.string().optional(),
  /** The signed assertion of the jwt-bearer grant. */
  assertion: z.string().optional(),
  brand_id: z.string().optional(),
  account_id: z.string().optional(),
  partner_account_id: z.string().optional(),
  client_id: z.string().optional(),
  access_token_ttl: ttl,
  refresh_token_ttl: ttl,
  endpoint_id: z.string().optional(),
});

/** If a key is repeated, its first value applies. */
const first = z.preprocess(
  (value: string | readonly string[] | undefined) => [value].flat()[0],
  z.string().optional(),
);
/** Query of the authorize page (OAUTH-8 to OAUTH-15). The route checks the values. */
export const AuthorizeQuery = z.object({
  response_type: first,
  client_id: first,
  redirect_uri: first,
  state: first,
  code_challenge: first,
  code_challenge_method: first,
  prompt: first,
  login_hint: first,
  display: first,
  ui_locales: first,
  localeId: first,
  ui_options: first,
  brand_id: first,
  scope: first,
  nonce: first,
});
