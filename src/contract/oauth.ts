import { z } from 'zod';

/** Specification, Token response. */
export const TokenReply = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
  refresh_token: z.string().optional(),
  refresh_token_expires_in: z.int().optional(),
  scope: z.string().optional(),
  owner_id: z.string().optional(),
  endpoint_id: z.string().optional(),
});
export type TokenReply = z.infer<typeof TokenReply>;

/** Facts 1.6: what the token endpoint answers when it refuses. */
export const TokenError = z.strictObject({
  error: z.string(),
  error_description: z.string(),
  errors: z.array(z.strictObject({ errorCode: z.string(), message: z.string() })),
});

const ttl = z.coerce.number().int().optional();
/** Form of the token endpoint, all grants together; the route checks what each grant requires. */
export const TokenForm = z.object({
  grant_type: z.string(),
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
  code_verifier: z.string().optional(),
  username: z.string().optional(),
  extension: z.string().optional(),
  password: z.string().optional(),
  refresh_token: z.string().optional(),
  client_id: z.string().optional(),
  access_token_ttl: ttl,
  refresh_token_ttl: ttl,
  endpoint_id: z.string().optional(),
});

/** Query of the authorize page (specification, Authorization code flow; facts 1.1, L312). */
export const AuthorizeQuery = z.object({
  response_type: z.string().optional(),
  client_id: z.string().optional(),
  redirect_uri: z.string().optional(),
  state: z.string().optional(),
  code_challenge: z.string().optional(),
  code_challenge_method: z.enum(['plain', 'S256']).optional(),
});
