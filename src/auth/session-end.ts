import { SignInRequiredError, type ApiError } from '../errors/service.ts';
import type { SessionRecord } from './session-record.ts';
import { type CommandText, nextStep, ucctl } from '../errors/hint.ts';

/** Why the service rejects a token that has not expired (OAUTH-47). */
export const causes = 'the user revoked it, or the credentials were changed, which ends all sessions at once';

/** The command that makes a session like this one again. */
export function signInCommand({ flow, appSession }: Pick<SessionRecord, 'flow' | 'appSession'>): CommandText {
  if (flow === 'code') return ucctl('login');
  return ucctl(`login --flow ${flow}${appSession === undefined ? '' : ` --session ${appSession}`}`);
}

/** The access token ran out and nothing can renew it. */
export function ended(record: SessionRecord, why = whyNot(record)): SignInRequiredError {
  const at = new Date(record.expiresAt).toISOString();
  return new SignInRequiredError(
    'expired',
    `the session ended at ${at} and ${why}`,
    undefined,
    signInCommand(record),
  );
}

/**
 * What a 401 means for a session of an application (OAUTH-31, OAUTH-34). A refresh token, which such a session does not have, would not
 * help: the token is valid, but not for this request.
 */
export function refusedToApp(record: SessionRecord): SignInRequiredError {
  const text =
    record.appSession === 'signup'
      ? 'a signup session reads numbers and common dictionaries (countries, states, locations, time zones) only; account data is refused to it'
      : `an account session works for its own account only (${record.account ?? 'the one named at sign-in'}); another account is refused to it`;
  const hint =
    record.appSession === 'signup'
      ? nextStep`for account data: ${ucctl('login --flow client-credentials --session account')}`
      : nextStep`name that account or ~; if the token was revoked: ${signInCommand(record)}`;
  return new SignInRequiredError('refused', text, undefined, hint);
}

/** A token that was renewed a moment ago is refused already: renewing again would only use up refresh tokens. */
export function refusedAtOnce(record: SessionRecord): SignInRequiredError {
  return new SignInRequiredError(
    'refused',
    `the service refuses a token that it gave a moment ago: ${causes}`,
    undefined,
    signInCommand(record),
  );
}

/** The application may not use the refresh flow (OAUTH-7), or it no longer exists. */
export function renewalForbidden(record: SessionRecord, error: ApiError): SignInRequiredError {
  const forbidden = error.code === 'unauthorized_client' || error.code === 'unsupported_grant_type';
  const text = forbidden
    ? `the registration of this application does not allow renewing sessions: ${error.message}`
    : error.message;
  return new SignInRequiredError('refused', text, error, signInCommand(record));
}

function whyNot({ flow }: SessionRecord): string {
  return flow === 'client-credentials'
    ? 'sessions of an application cannot be renewed'
    : 'it cannot be renewed: the service gave no refresh token';
}
