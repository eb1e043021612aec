import type { Reply } from '../request/call.ts';
import type { ExtensionRow } from '../directory/extension-store.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import { markup, page, type Html } from './html.ts';
import { permissionWords } from './permission-words.ts';

/** Returns the sign-in form; `failure` is the code of the previous failed attempt. */
export function signInPage(
  request: AuthorizeRequest,
  username = '',
  extension = '',
  failure?: string,
): Reply {
  const error = failure && markup`<p class="error" id="error" role="alert">${failureWords(failure)}</p>`;
  const content = markup`<h1>Sign in</h1>
    <p class="soft">to continue to <strong>${request.app.name}</strong></p>
    ${error || undefined}
    <form method="post" action="/restapi/oauth/authorize">
      ${hiddenFields(request)}
      <label for="username">Phone number or e-mail address</label>
      <input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none"
        spellcheck="false" required autofocus>
      <label for="extension">Extension (optional)</label>
      <input id="extension" name="extension" value="${extension}" inputmode="numeric" autocomplete="off">
      <label for="password">Password</label>
      <input id="password" name="password" type="password" autocomplete="current-password" required>
      <div class="actions"><button type="submit">Sign in</button></div>
    </form>`;
  return page(failure ? 401 : 200, 'Sign in', content, formTarget(request.redirectUri));
}

/** Returns the consent page, which lists the permissions of the app for the user to allow or deny. */
export function consentPage(request: AuthorizeRequest, user: ExtensionRow, ticket: string): Reply {
  const permissions = request.app.permissions.map(
    (permission) => markup`<li>${permissionWords[permission]}<span>${permission}</span></li>`,
  );
  const number = user.extensionNumber === null ? '' : `, extension ${user.extensionNumber}`;
  const content = markup`<h1>Allow ${request.app.name}?</h1>
    <p class="soft">You are signed in as <strong>${user.name}</strong>${number}. The app asks for permission to:</p>
    <ul tabindex="0" aria-label="Permissions">
      ${permissions}
    </ul>
    <form method="post" action="/restapi/oauth/authorize">
      ${hiddenFields(request)}
      <input type="hidden" name="ticket" value="${ticket}">
      <div class="actions">
        <button type="submit" class="quiet" name="decision" value="deny">Deny</button>
        <button type="submit" name="decision" value="allow">Allow</button>
      </div>
    </form>`;
  return page(200, `Allow ${request.app.name}?`, content, formTarget(request.redirectUri));
}

function hiddenFields(request: AuthorizeRequest): Html[] {
  const fields = {
    response_type: 'code',
    client_id: request.app.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: request.codeChallenge,
    code_challenge_method: request.codeChallengeMethod,
  };
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`);
}

function failureWords(code: string): string {
  if (code === 'OAU-141') return 'This extension is not enabled. Ask your administrator.';
  return 'The number, extension or password is wrong.';
}

/** Returns the form-action source without which a browser blocks the redirect to the app. */
function formTarget(redirectUri: string): string {
  const url = new URL(redirectUri);
  // A policy source cannot contain an IPv6 address, so the scheme is used.
  const nameless = url.origin === 'null' || url.hostname.startsWith('[');
  return nameless ? url.protocol : url.origin;
}
