import { ApiError } from '../client/index.ts';
import { CommandError, Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import type { Flow } from '../runtime/auth.ts';

/** Codes for a grant that the registration of the application does not allow: ERROR-24. */
const forbiddenFlow = new Set(['unauthorized_client', 'unsupported_grant_type']);

/** Which applications may not use a flow (OAUTH-7), and which flow to use instead. */
const registrations: Readonly<Record<Flow, Hint>> = {
  password: nextStep`apps that are Public, or Private of Browser-Based or Server/Web platform type, may not; use: ${ucctl('login --flow code')}`,
  code: nextStep`apps registered with no user interface may not; use: ${ucctl('login --flow password')}`,
  'client-credentials': nextStep`only applications of trusted partners may; a user signs in with: ${ucctl('login --flow code')}`,
  jwt: nextStep`it is a matter of the application's registration; use: ${ucctl('login --flow code')}`,
};

const refusals: Readonly<
  Record<Flow, { readonly code: string; readonly what: string; readonly hint: Hint }>
> = {
  password: {
    code: 'credentials_refused',
    what: 'user name, extension or password refused',
    hint: 'check --username (a number in E.164 such as +16505550100, or an e-mail address), --extension, and the password',
  },
  code: {
    code: 'code_refused',
    what: 'the service refused the sign-in',
    hint: nextStep`run ${ucctl('login')} again`,
  },
  'client-credentials': {
    code: 'credentials_refused',
    what: 'the brand or the account was refused',
    hint: 'check --brand-id, and --account-id or --partner-account-id',
  },
  jwt: {
    code: 'assertion_refused',
    what: 'the assertion was refused',
    hint: 'check that it was made for this application and this address, and that it has not run out',
  },
};

/**
 * Puts a refusal of the token endpoint into words for who signs in. Anything that is not a judgement on the sign-in (service down, too many requests,
 * no network) stays what it is.
 */
export function toSignInError(error: unknown, flow: Flow, usedPkce: boolean): unknown {
  if (!(error instanceof ApiError) || error.status === 429 || error.status >= 500) return error;
  // Code and status stand beside it: the report takes them from the cause.
  const said = error.message;
  if (forbiddenFlow.has(error.code)) return flowForbidden(flow, said, error);
  if (error.code === 'invalid_client' || (error.status === 401 && error.code !== 'invalid_grant')) {
    return refused(
      'client_refused',
      `the application key or secret is wrong: ${said}`,
      'check --client-id and the secret (UCCTL_CLIENT_SECRET, --secret-stdin), and that --base-url is where the application is registered',
      error,
    );
  }
  if (usedPkce && /code_challenge|code_verifier|pkce/i.test(error.message)) {
    return refused(
      'pkce_refused',
      `the service does not take PKCE: ${said}`,
      ucctl('login --no-pkce'),
      error,
    );
  }
  const { code, what, hint } = refusals[flow];
  return refused(code, `${what}: ${said}`, hint, error);
}

/** Whether a code of the service says that the registration of the app does not allow the flow. */
export function isFlowForbidden(code: string): boolean {
  return forbiddenFlow.has(code);
}

/** The registration of the app does not allow the flow: who may, and what to use instead. */
export function flowForbidden(flow: Flow, said: string, cause?: unknown): CommandError {
  return refused(
    'flow_forbidden',
    `this application may not use the ${flow} flow: ${said}`,
    registrations[flow],
    cause,
  );
}

/** The exchange took longer than the code is valid (OAUTH-22). */
export function codeRanOut(seconds: number, cause: unknown): CommandError {
  return refused(
    'code_expired',
    `the service's code lives ${seconds} s and was not exchanged in that time`,
    nextStep`run ${ucctl('login')} again`,
    cause,
  );
}

/** The service, or the person at its page, said no (exit 4). */
export function refused(code: string, message: string, hint: Hint, cause?: unknown): CommandError {
  return new CommandError(code, Exit.signIn, message, { hint, cause });
}
