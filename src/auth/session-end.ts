import { SignInRequiredError, type ApiError } from '../errors/service.ts';
import { CommandError } from '../errors/command.ts';
import { apartSeconds } from './renewal-time.ts';
import type { SessionRecord } from './session-record.ts';
import { type CommandText, nextStep, ucctl } from '../errors/hint.ts';

/** Possible reasons for the rejection of a token that has not expired (OAUTH-47). */
export const causes =
  'the user revoked the session, an administrator disabled or deleted the user, or a password change ended all sessions';

/** Returns the command for signing in again in the same way. */
export function signInCommand({ flow, appSession }: Pick<SessionRecord, 'flow' | 'appSession'>): CommandText {
  if (flow === 'code') return ucctl('login');
  return ucctl`login --flow ${flow} ${appSession === undefined ? [] : ['--session', appSession]}`;
}

/** Returns the error for an access token that has expired and cannot be renewed. */
export function ended(record: SessionRecord): SignInRequiredError {
  const at = new Date(record.expiresAt).toISOString();
  return new SignInRequiredError(
    'expired',
    `the session expired at ${at} and ${notRenewableText(record)}`,
    undefined,
    signInCommand(record),
  );
}

/**
 * Returns the error for a 401 in a client-credentials session (OAUTH-31, OAUTH-34). A renewal would not help: the token
 * is valid, but not for this request.
 */
export function rejectedForApp(record: SessionRecord): SignInRequiredError {
  const text =
    record.appSession === 'signup'
      ? 'a signup session can access numbers and common dictionaries (countries, states, locations, time zones), but no account data'
      : `an account session can access only its own account (${record.account ?? 'specified at sign-in'})`;
  const hint =
    record.appSession === 'signup'
      ? nextStep`to get access to account data: ${ucctl('login --flow client-credentials --session account')}`
      : nextStep`use ~ or the ID of the account of the session; if the token was revoked, sign in again: ${signInCommand(record)}`;
  return new SignInRequiredError('rejected', text, undefined, hint);
}

/**
 * Returns the error for a renewed session that the store could not store. The service accepts the old refresh token only
 * once (OAUTH-45). Returns an error of another kind unchanged.
 */
export function notStored(record: SessionRecord, error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  const { code, exit, message, details } = error;
  return new CommandError(code, exit, `${message}: the new tokens of a renewal are not stored`, {
    hint: nextStep`check the free disk space and the permissions of the folder, then sign in again: ${signInCommand(record)}`,
    details,
    cause: error,
  });
}

/** The code of a 401 for an expired access token (ERROR-26). */
const expiredCode = 'OAU-128';

/**
 * Returns the error for a token that the service rejects right after its renewal. Another renewal would only
 * use up refresh tokens. A clock of the sandbox may have expired the token.
 */
export function rejectedAfterRenewal(record: SessionRecord, code: string | undefined): SignInRequiredError {
  if (code === expiredCode) {
    const text = `the access token expired right after its renewal, and ucctl renews a session at most once in ${apartSeconds} s`;
    return new SignInRequiredError('rejected', text, undefined, `run the command again in ${apartSeconds} s`);
  }
  return new SignInRequiredError(
    'rejected',
    `the service rejected an access token that it had just issued: ${causes}`,
    undefined,
    signInCommand(record),
  );
}

/**
 * Returns the error for a session that another process replaced, or deleted if `stored` is undefined.
 * @param record the session that this process used
 */
export function replaced(
  record: SessionRecord,
  stored: SessionRecord | undefined,
  during: string,
): SignInRequiredError {
  const text = `another process signed ${stored ? 'in' : 'out'} ${during}`;
  const hint = stored ? 'run the command again to use the new session' : signInCommand(record);
  return new SignInRequiredError('no-session', text, undefined, hint);
}

/** Returns the error for an application that may not use the refresh flow (OAUTH-7) or no longer exists. */
export function renewalForbidden(record: SessionRecord, error: ApiError): SignInRequiredError {
  const forbidden = error.code === 'unauthorized_client' || error.code === 'unsupported_grant_type';
  const text = forbidden
    ? `the registration of this application does not allow renewing sessions: ${error.message}`
    : error.message;
  return new SignInRequiredError('rejected', text, error, signInCommand(record));
}

function notRenewableText({ flow }: SessionRecord): string {
  return flow === 'client-credentials'
    ? 'cannot be renewed, because client-credentials sessions have no refresh token'
    : 'cannot be renewed: the service issued no refresh token';
}
