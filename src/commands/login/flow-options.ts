import type { AppSession } from '../../runtime/auth.ts';
import { usageError } from '../../errors/command.ts';
import type { LoginOptions } from './login-options.ts';

type Flow = LoginOptions['flow'];

/** Checks that every option belongs to the chosen flow. @throws {CommandError} `usage` (exit 2). */
export function checkFlowOptions(options: LoginOptions): void {
  const given: readonly (readonly [Flow, string, boolean])[] = [
    ['password', '--username', options.username !== undefined],
    ['password', '--extension', options.extension !== undefined],
    ['password', '--password-stdin', options.passwordStdin ?? false],
    ['code', '--no-browser', options.noBrowser ?? false],
    ['code', '--no-pkce', options.noPkce ?? false],
    ['code', '--redirect-uri', options.redirectUri.length > 0],
    ['client-credentials', '--session', options.session !== undefined],
    ['client-credentials', '--brand-id', options.brandId !== undefined],
    ['client-credentials', '--account-id', options.accountId !== undefined],
    ['client-credentials', '--partner-account-id', options.partnerAccountId !== undefined],
    ['jwt', '--assertion-file', options.assertionFile !== undefined],
    ['jwt', '--assertion-stdin', options.assertionStdin ?? false],
  ];
  const wrong = given.find(([flow, , isGiven]) => isGiven && flow !== options.flow);
  if (wrong) {
    const [flow, flag] = wrong;
    throw usageError(`${flag} requires --flow ${flow}`, `add --flow ${flow}, or remove ${flag}`);
  }
  if (options.flow !== 'client-credentials') return;
  if (options.publicClient) {
    throw usageError('--flow client-credentials needs a client secret', 'remove --public-client');
  }
  if (options.refreshTokenTtl !== undefined) {
    throw usageError(
      '--refresh-token-ttl cannot be used with --flow client-credentials',
      'client-credentials sessions have no refresh token; use --access-token-ttl to set the lifetime',
    );
  }
}

/** Parameters of a client-credentials sign-in. */
export interface AppIdentity {
  readonly session: AppSession;
  readonly brandId: string;
  readonly accountId: string | undefined;
  readonly partnerAccountId: string | undefined;
}

/**
 * Returns the identifiers of a client-credentials session (OAUTH-30, OAUTH-32).
 * @throws {CommandError} `usage` (exit 2) if an option is missing or must not be given.
 */
export function appIdentity(options: LoginOptions): AppIdentity {
  const { session, brandId, accountId, partnerAccountId } = options;
  if (session === undefined) {
    throw usageError(
      '--flow client-credentials needs --session',
      'use --session signup for numbers and dictionaries, or --session account for one account',
    );
  }
  if (brandId === undefined) {
    throw usageError(`--session ${session} needs --brand-id`, 'use the brand ID of the partner');
  }
  const accounts = [accountId, partnerAccountId].filter((id) => id !== undefined).length;
  if (session === 'signup' && accounts > 0) {
    throw usageError(
      '--session signup cannot be used with an account',
      'remove --account-id and --partner-account-id, or use --session account',
    );
  }
  if (session === 'account' && accounts !== 1) {
    throw usageError(
      '--session account needs exactly one account',
      'use either --account-id or --partner-account-id',
    );
  }
  return { session, brandId, accountId, partnerAccountId };
}
