import type { Call, Handler, Reply } from '../request/call.ts';
import { TokenError } from '../request/errors.ts';
import { parseForm } from '../request/shape.ts';
import type { World } from '../world/world.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { acceptsGrant, mayUse } from './client-app.ts';
import { markup, page } from './html.ts';
import { consentPage, signInPage } from './pages.ts';
import { signIn } from './sign-in.ts';

/**
 * Serves GET and POST oauth/authorize: the sign-in form, then the consent page, then a redirect with a code or an
 * error. It sets no cookie: the request is in hidden fields, and an unguessable ticket identifies the signed-in user on
 * the second page.
 */
export const authorizePage: Handler<'authorize'> = (call) => {
  const form = parseForm(call.text);
  const query = call.query as Readonly<Record<string, string | undefined>>;
  const fields: Readonly<Record<string, string | undefined>> = { ...query, ...form };
  const app = call.world.apps.byId(fields['client_id'] ?? '');
  const redirectUri = fields['redirect_uri'];
  if (!app) return stop(call, 'OAU-153', 'invalid_client', 'The client_id is unknown');
  if (app.redirectUris.length === 0) {
    return stop(call, 'OAU-113', 'invalid_request', 'No redirect_uri is registered for this app');
  }
  if (!redirectUri || !app.redirectUris.includes(redirectUri)) {
    return stop(call, 'OAU-109', 'invalid_request', 'The redirect_uri is not registered for this app');
  }
  const request: AuthorizeRequest = {
    app,
    redirectUri,
    state: fields['state'],
    codeChallenge: fields['code_challenge'],
    codeChallengeMethod: fields['code_challenge_method'],
  };
  if (fields['response_type'] !== 'code') {
    return redirectError(request, 'unsupported_response_type', 'response_type must be code');
  }
  if (!acceptsGrant(call.world, 'code') || !mayUse(app, 'code')) {
    return redirectError(request, 'unauthorized_client', 'The app may not use the authorization code flow');
  }
  const problem = problemOf(call.world, fields);
  if (problem) return redirectError(request, ...problem);
  if (form['decision']) return decide(call.world, request, form);
  if (form['username'] !== undefined) return enter(call.world, request, form);
  return signInPage(request, fields['login_hint']);
};

/** Returns the error of a request whose redirect URI is valid; undefined for a valid request. */
function problemOf(
  world: World,
  fields: Readonly<Record<string, string | undefined>>,
): readonly [error: string, description: string] | undefined {
  const { prompt, code_challenge: challenge, code_challenge_method: method = 'plain' } = fields;
  // The sandbox sets no cookies, so no user is signed in before this request.
  if (prompt === 'none') return ['access_denied', 'Login is required'];
  const prompts = prompt?.split(/[ ,]+/) ?? [];
  if (!prompts.every((value) => ['login', 'sso', 'consent', ''].includes(value))) {
    return ['invalid_request', 'prompt has an unknown value'];
  }
  if (challenge === undefined || world.settings.pkce === 'ignore') return undefined;
  if (world.settings.pkce === 'reject') return ['invalid_request', 'code_challenge is not supported'];
  if (!['plain', 'S256'].includes(method))
    return ['invalid_request', 'code_challenge_method is not supported; use S256 or plain'];
  return undefined;
}

/** Handles the submitted sign-in form. */
function enter(world: World, request: AuthorizeRequest, form: Readonly<Record<string, string>>): Reply {
  const username = form['username'] ?? '';
  const extension = form['extension'] || undefined;
  try {
    const user = signIn(world, { username, extension, password: form['password'] ?? '' });
    const ticket = world.random.token();
    addAuthorization(world, request, {
      code: ticket,
      stage: 'consent',
      extensionId: user.id,
      seconds: world.settings.consentSeconds,
    });
    return consentPage(request, user, ticket);
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    return signInPage(request, username, extension, error.code);
  }
}

/** Handles the submitted consent page. */
function decide(world: World, request: AuthorizeRequest, form: Readonly<Record<string, string>>): Reply {
  const ticket = world.authorizations.find(form['ticket'] ?? '');
  const good =
    ticket?.stage === 'consent' &&
    ticket.clientId === request.app.clientId &&
    ticket.redirectUri === request.redirectUri &&
    ticket.expiresAt > world.clock.now();
  if (!good) return signInPage(request);
  world.authorizations.remove(ticket.code);
  if (form['decision'] !== 'allow') return redirectError(request, 'access_denied', 'The user denied access');
  const code = world.random.token();
  const { codeSeconds } = world.settings;
  addAuthorization(world, request, {
    code,
    stage: 'code',
    extensionId: ticket.extensionId,
    seconds: codeSeconds,
  });
  return redirect(request, { code, expires_in: String(codeSeconds) });
}

/** A sign-in that waits for consent, or a code that was granted. */
interface Grant {
  readonly code: string;
  readonly stage: 'consent' | 'code';
  readonly extensionId: number;
  /** Seconds until the authorization expires. */
  readonly seconds: number;
}

function addAuthorization(
  world: World,
  request: AuthorizeRequest,
  { code, stage, extensionId, seconds }: Grant,
): void {
  world.authorizations.add({
    code,
    stage,
    clientId: request.app.clientId,
    redirectUri: request.redirectUri,
    extensionId,
    codeChallenge: request.codeChallenge ?? null,
    codeChallengeMethod:
      request.codeChallenge === undefined ? null : (request.codeChallengeMethod ?? 'plain'),
    expiresAt: world.clock.now() + seconds * 1000,
    sessionId: null,
  });
}

function redirectError(request: AuthorizeRequest, error: string, description: string): Reply {
  return redirect(request, { error, error_description: description });
}

function redirect(request: AuthorizeRequest, fields: Readonly<Record<string, string>>): Reply {
  const query = new URLSearchParams({
    ...fields,
    ...(request.state !== undefined && { state: request.state }),
  });
  const separator = request.redirectUri.includes('?') ? '&' : '?';
  const location = `${request.redirectUri}${separator}${query.toString()}`;
  return {
    status: 302,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  };
}

/** Without a valid redirect URI, a browser gets the error as a page, and other clients get JSON. */
function stop(call: Call<'authorize'>, code: string, error: string, message: string): Reply {
  if (!call.headers.get('accept')?.includes('text/html')) throw new TokenError(400, error, code, message);
  return page(
    400,
    'Sign-in is not possible',
    markup`<h1>Sign-in is not possible</h1>
      <p class="error" role="alert">${message} (${code}).</p>
      <p class="soft">Close this window and check the settings of the app that sent you here.</p>`,
  );
}
