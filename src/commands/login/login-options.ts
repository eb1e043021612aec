/** Options of `login`. */
export interface LoginOptions {
  readonly flow: 'code' | 'jwt' | 'password' | 'client-credentials';
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  readonly clientId?: string | undefined;
  readonly publicClient?: boolean | undefined;
  readonly secretStdin?: boolean | undefined;
  readonly passwordStdin?: boolean | undefined;
  /** A token store, or the address of a PostgreSQL store. */
  readonly store?: string | undefined;
  readonly noBrowser?: boolean | undefined;
  readonly noPkce?: boolean | undefined;
  readonly redirectUri: readonly string[];
  readonly session?: 'signup' | 'account' | undefined;
  readonly brandId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly partnerAccountId?: string | undefined;
  readonly assertionFile?: string | undefined;
  readonly assertionStdin?: boolean | undefined;
  /** The requested lifetime of access tokens, in seconds. */
  readonly accessTokenTtl?: number | undefined;
  /** The requested lifetime of the refresh token, in seconds; 0 requests no refresh token. */
  readonly refreshTokenTtl?: number | undefined;
  /** The maximum wait for the browser, in seconds. */
  readonly browserTimeout: number;
}
