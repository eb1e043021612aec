import type { AppSession } from '../../runtime/auth.ts';
import { usageError } from '../../errors/command.ts';
import type { LoginOptions } from './login-options.ts';

type Flow = LoginOptions['flow'];

/** Which options belong to which flow. @throws {CommandError} `usage` (exit 2) for one that belongs to another. */
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
  const wrong = given.find(([flow, , there]) => there && flow !== options.flow);
  if (wrong) {
    const [flow, flag] = wrong;
    throw usageError(`${flag} belongs to --flow ${flow}`, `add --flow ${flow}, or leave it out`);
  }
  if (options.flow !== 'client-credentials') return;
  if (options.publicClient) {
    throw usageError('--flow client-credentials needs an application secret', 'leave --public-client out');
  }
  if (options.refreshTokenTtl !== undefined) {
    throw usageError(
      '--refresh-token-ttl does not go with --flow client-credentials',
      'such a session has no refresh token; --access-token-ttl sets its length',
    );
  }
}

/** What a client-credentials session is asked for with. */
export interface AppIdentity {
  readonly session: AppSession;
  readonly brandId: string;
  readonly accountId: string | undefined;
  readonly partnerAccountId: string | undefined;
}

/**
 * The identifiers of a client-credentials session (OAUTH-30, OAUTH-32).
 * @throws {CommandError} `usage` (exit 2) for one too many or too few.
 */
export function appIdentity(options: LoginOptions): AppIdentity {
  const { session, brandId, accountId, partnerAccountId } = options;
  if (session === undefined) {
    throw usageError(
      '--flow client-credentials needs --session',
      '--session signup reads numbers and dictionaries; --session account works for one account',
    );
  }
  if (brandId === undefined) {
    throw usageError(`--session ${session} needs --brand-id`, 'the constant that the partner was given');
  }
  const accounts = [accountId, partnerAccountId].filter((id) => id !== undefined).length;
  if (session === 'signup' && accounts > 0) {
    throw usageError(
      '--session signup has no account',
      'leave --account-id and --partner-account-id out, or use --session account',
    );
  }
  if (session === 'account' && accounts !== 1) {
    throw usageError('--session account needs --account-id or --partner-account-id, one of them');
  }
  return { session, brandId, accountId, partnerAccountId };
}
