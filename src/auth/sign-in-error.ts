import { ApiError } from '../client/index.ts';
import { CommandError, Exit } from '../runtime/errors.ts';
import type { Flow } from './session-record.ts';

/** Codes of the service for a grant that the app's registration does not allow (facts 1.6). */
const forbiddenFlow = new Set(['unauthorized_client', 'unsupported_grant_type']);

/**
 * Puts a refusal of the token endpoint into words for who signs in. Anything that is not a judgement on the sign-in (service down, too many requests,
 * no network) stays what it is.
 */
export function toSignInError(error: unknown, flow: Flow, usedPkce: boolean): unknown {
  if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) return error;
  // Code and status stand beside it: the report takes them from the cause.
  const said = error.message;
  if (forbiddenFlow.has(error.code)) {
    return refused(
      'flow_forbidden',
      `this application may not use the ${flow} flow: ${said}`,
      flowHint(flow),
      error,
    );
  }
  if (error.code === 'invalid_client' || (error.status === 401 && error.code !== 'invalid_grant')) {
    return refused(
      'client_refused',
      `the application key or secret is wrong: ${said}`,
      'check --client-id and the secret (UCCTL_CLIENT_SECRET, --secret-stdin), and that --base-url is where the application is registered',
      error,
    );
  }
  if (usedPkce && /code_challenge|code_verifier|pkce/i.test(error.message)) {
    return refused('pkce_refused', `the service does not take PKCE: ${said}`, 'ucctl login --no-pkce', error);
  }
  if (flow === 'password') {
    return refused(
      'credentials_refused',
      `user name, extension or password refused: ${said}`,
      'check --username (a number in E.164 such as +16505550100, or an e-mail address), --extension, and the password',
      error,
    );
  }
  return refused('code_refused', `the service refused the sign-in: ${said}`, 'run ucctl login again', error);
}

function flowHint(flow: Flow): string {
  return flow === 'password'
    ? 'Public apps and Private Browser-Based or Server/Web apps may not; use: ucctl login --flow code'
    : 'apps without a user interface may not; use: ucctl login --flow password';
}

/** The service, or the person at its page, said no (exit 4). */
export function refused(code: string, message: string, hint: string, cause?: unknown): CommandError {
  return new CommandError(code, Exit.signIn, message, { hint, cause });
}
