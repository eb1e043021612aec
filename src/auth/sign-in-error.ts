import { CommandError, Exit } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { isFinalRejection } from '../errors/service-codes.ts';
import type { Flow } from '../runtime/auth.ts';

/** Error codes for a grant that the registration of the app does not allow (ERROR-24). */
const forbiddenFlow = new Set(['unauthorized_client', 'unsupported_grant_type']);

/**
 * Signs in without a browser where the password is rejected. The assertion comes from a pipe or a variable, never from
 * the command line.
 */
const assertion = ucctl('login --flow jwt --assertion-stdin');
const browser = ucctl('login --flow code');

/**
 * Hints for a flow that the service or the registration of the app does not allow (OAUTH-7, CURRENT-16). They
 * name the flows to use instead.
 */
const registrations: Readonly<Record<Flow, Hint>> = {
  password: nextStep`Public apps, and Private apps of the platform types Browser-Based and Server/Web, may not use this flow; current services reject this flow for all apps; to sign in with a browser: ${browser}; without a browser: ${assertion}`,
  code: nextStep`apps without a user interface may not use this flow; to sign in without a browser: ${assertion}`,
  'client-credentials': nextStep`only apps of trusted partners may use this flow; current services reject this flow for all apps; to sign in as a user with a browser: ${browser}; without a browser: ${assertion}`,
  jwt: nextStep`the app registration does not allow this flow: add the JWT grant to the registration; to sign in with a browser: ${browser}`,
};

const rejections: Readonly<
  Record<Flow, { readonly code: string; readonly what: string; readonly hint: Hint }>
> = {
  password: {
    code: 'credentials_rejected',
    what: 'the service rejected the user name, extension or password',
    hint: 'check --username (a number in E.164 such as +16505550100, or an e-mail address), --extension, and the password',
  },
  code: {
    code: 'code_rejected',
    what: 'the service rejected the sign-in',
    hint: nextStep`run ${ucctl('login')} again`,
  },
  'client-credentials': {
    code: 'credentials_rejected',
    what: 'the service rejected the brand or the account',
    hint: 'check --brand-id, and --account-id or --partner-account-id',
  },
  jwt: {
    code: 'assertion_rejected',
    what: 'the service rejected the assertion',
    hint: 'check that the assertion is for this app and base URL, that it has not expired, and that its user exists',
  },
};

/**
 * Returns the error for a sign-in that the token endpoint rejected. Any other error (service down, too many requests,
 * no network, reply of another server) is returned unchanged.
 */
export function toSignInError(error: unknown, flow: Flow, usedPkce: boolean): unknown {
  if (!isFinalRejection(error)) return error;
  // The error report adds code and status from the cause.
  const said = error.message;
  if (forbiddenFlow.has(error.code)) return flowForbidden(flow, said, error);
  if (error.code === 'invalid_client' || (error.status === 401 && error.code !== 'invalid_grant')) {
    return signInRejected(
      'client_rejected',
      `the client ID or the client secret is wrong: ${said}`,
      'check --client-id and the secret (UCCTL_CLIENT_SECRET, --secret-stdin); make sure that the app is registered with the service at --base-url',
      error,
    );
  }
  if (usedPkce && /code_challenge|code_verifier|pkce/i.test(error.message)) {
    return signInRejected(
      'pkce_rejected',
      `the service does not support PKCE: ${said}`,
      ucctl('login --no-pkce'),
      error,
    );
  }
  const { code, what, hint } = rejections[flow];
  return signInRejected(code, `${what}: ${said}`, hint, error);
}

/** Whether an error code means that the registration of the app does not allow the flow. */
export function isFlowForbidden(code: string): boolean {
  return forbiddenFlow.has(code);
}

/** Returns the error for a flow that the registration of the app does not allow. */
export function flowForbidden(flow: Flow, said: string, cause?: unknown): CommandError {
  return signInRejected(
    'flow_forbidden',
    `this app may not use the ${flow} flow: ${said}`,
    registrations[flow],
    cause,
  );
}

/** Returns the error for a sign-in code that expired before it was exchanged (OAUTH-22). */
export function codeRanOut(seconds: number, cause: unknown): CommandError {
  return signInRejected(
    'code_expired',
    `the sign-in code expired after ${seconds} s, before ucctl could exchange it for a token`,
    nextStep`run ${ucctl('login')} again`,
    cause,
  );
}

/** Returns the error (exit 4) for a sign-in that the service rejected or the user denied. */
export function signInRejected(code: string, message: string, hint: Hint, cause?: unknown): CommandError {
  return new CommandError(code, Exit.signIn, message, { hint, cause });
}
