/** What `login` is called with. */
export interface LoginOptions {
  readonly flow: 'code' | 'password' | 'client-credentials' | 'jwt';
  readonly username?: string | undefined;
  readonly extension?: string | undefined;
  readonly clientId?: string | undefined;
  readonly publicClient?: boolean | undefined;
  readonly secretStdin?: boolean | undefined;
  readonly passwordStdin?: boolean | undefined;
  readonly store?: 'keychain' | 'file' | 'memory' | undefined;
  readonly noBrowser?: boolean | undefined;
  readonly noPkce?: boolean | undefined;
  readonly redirectUri: readonly string[];
  readonly session?: 'signup' | 'account' | undefined;
  readonly brandId?: string | undefined;
  readonly accountId?: string | undefined;
  readonly partnerAccountId?: string | undefined;
  readonly assertionFile?: string | undefined;
  readonly assertionStdin?: boolean | undefined;
  /** Seconds. */
  readonly accessTokenTtl?: number | undefined;
  /** Seconds; 0 asks for no refresh token. */
  readonly refreshTokenTtl?: number | undefined;
  /** Seconds. */
  readonly browserTimeout: number;
}
