import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import type { CodeSignIn } from '../runtime/auth.ts';
import { unlessAborted } from '../platform/aborted.ts';
import { limitTime } from '../platform/time-limit.ts';
import { CommandError, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { listenForCallback, type CallbackAnswer } from './callback-listener.ts';
import { readCallback } from './callback-reply.ts';
import { loopbackTargets, returnsHere, tunnelCommand } from './redirect-uri.ts';
import { flowForbidden, isFlowForbidden, signInRejected } from './sign-in-error.ts';
import { serviceUrl } from './token-endpoint.ts';

/** Options of the sign-in in the browser. */
export interface CodeFlowOptions extends Omit<
  CodeSignIn,
  'clientSecret' | 'accessTtlSeconds' | 'refreshTtlSeconds' | 'store' | 'beforeSuccess'
> {
  readonly signal: AbortSignal;
}

type Application = Pick<CodeFlowOptions, 'baseUrl' | 'clientId'>;

/** Maximum number of pasted texts that are not the address of a sign-in. */
const maxUnrelatedPastes = 5;

/** An authorization code with the parameters that its exchange needs. */
export interface AuthorizationCode {
  readonly code: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
  readonly expiresInSeconds: number | undefined;
}

/**
 * Signs in on the page of the service (RFC 8252): opens the page, waits for the redirect, then calls `complete` to
 * exchange the code and store the session. The browser shows the result only after that.
 * @throws {CommandError} exit 4 if the sign-in was denied, timed out or does not belong to this run; exit 12 if all
 * ports are in use.
 */
export async function runCodeFlow<T>(
  options: CodeFlowOptions,
  complete: (code: AuthorizationCode) => Promise<T>,
): Promise<T> {
  const state = randomBytes(32).toString('base64url');
  const codeVerifier = options.pkce ? generateRandomCodeVerifier() : undefined;
  const address = (redirectUri: string): Promise<string> =>
    authorizeUrl(options, redirectUri, state, codeVerifier);
  if (options.noBrowser || !options.redirectUris.some(returnsHere)) {
    const [redirectUri] = options.redirectUris;
    if (redirectUri === undefined)
      throw usageError('no redirect URI is set', 'set a redirect URI with --redirect-uri');
    const url = await address(redirectUri);
    options.show(
      `Open this address in a browser, sign in, then copy the final address from the browser:\n\n  ${url}\n`,
    );
    // If the redirect URI has a custom scheme or another host, the browser can sign in, but its redirect
    // does not reach this process.
    if (!options.noBrowser) void options.openUrl(url).catch(() => false);
    const pasted = await pastedAddress(options);
    const code = codeOf(readPasted(pasted, state), options.pkce);
    return complete({ ...code, state, redirectUri, codeVerifier });
  }
  const listener = await listenForCallback(loopbackTargets(options.redirectUris), state);
  try {
    const url = await address(listener.redirectUri);
    options.show(`Sign in at:\n\n  ${url}\n`);
    void openBrowser(options, url, listener.redirectUri);
    const answer = await within(listener.answer, options);
    const { redirectUri } = listener;
    const result = await complete({ ...codeOf(answer, options.pkce), state, redirectUri, codeVerifier });
    await listener.finish({
      good: true,
      title: 'You are signed in',
      text: 'You can close this window and return to the terminal.',
    });
    return result;
  } catch (error) {
    const text = sentence(
      error instanceof CommandError ? error.message : 'ucctl could not complete the sign-in',
    );
    await listener.finish({ good: false, title: 'Sign-in failed', text: `${text} See the terminal.` });
    throw error;
  } finally {
    await listener.close();
  }
}

/**
 * Returns the preview for a dry run: the page that would be opened, and the parameters of the code exchange that would
 * follow.
 */
export async function previewOfCode(
  options: Application & Pick<CodeFlowOptions, 'redirectUris' | 'pkce'>,
): Promise<{ readonly url: string; readonly code: Omit<AuthorizationCode, 'expiresInSeconds'> }> {
  const redirectUri = options.redirectUris[0] ?? '';
  const state = randomBytes(32).toString('base64url');
  const codeVerifier = options.pkce ? generateRandomCodeVerifier() : undefined;
  const url = await authorizeUrl(options, redirectUri, state, codeVerifier);
  return { url, code: { code: '***', state, redirectUri, codeVerifier } };
}

async function authorizeUrl(
  { baseUrl, clientId }: Application,
  redirectUri: string,
  state: string,
  codeVerifier: string | undefined,
): Promise<string> {
  const url = serviceUrl(baseUrl, '/restapi/oauth/authorize');
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    ...(codeVerifier !== undefined && {
      code_challenge: await calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
    }),
  };
  url.search = new URLSearchParams(parameters).toString();
  return url.href;
}

async function openBrowser(options: CodeFlowOptions, url: string, redirectUri: string): Promise<void> {
  const opened = await options.openUrl(url).catch(() => false);
  if (opened || options.signal.aborted) return;
  options.show(
    nextStep`Cannot open a browser. Open the address above yourself. If the browser is on another machine, run this command there: ${tunnelCommand(redirectUri)} (HOST is this machine). Or press Ctrl-C and run: ${ucctl('login --no-browser')}`,
  );
}

/** Waits for the reply until the timeout, or until the user aborts. */
async function within(answer: Promise<CallbackAnswer>, options: CodeFlowOptions): Promise<CallbackAnswer> {
  const { signal, timeoutSeconds } = options;
  signal.throwIfAborted();
  const limit = limitTime(signal, timeoutSeconds * 1000);
  try {
    return await unlessAborted(answer, limit.signal);
  } catch (error) {
    throw limit.isOver() ? tooLate(timeoutSeconds) : error;
  } finally {
    limit.end();
  }
}

function tooLate(timeoutSeconds: number): CommandError {
  return signInRejected(
    'sign_in_timeout',
    `the sign-in did not complete within ${timeoutSeconds} s`,
    'run the command again; to wait longer, use --browser-timeout 10m; if the page rejected the redirect URI, specify a registered URI with --redirect-uri',
  );
}

/** Asks for the final address. Other texts, such as the previous content of the clipboard, are rejected a few times. */
async function pastedAddress(options: CodeFlowOptions): Promise<string> {
  for (let tries = 0; tries < maxUnrelatedPastes; tries += 1) {
    const text = await options.paste('Final address in the browser');
    if (/[?&]?\b(?:code|error|state)=/.test(text)) return text;
    options.show(
      'This address does not contain a sign-in code. Paste the complete address from the browser.',
    );
  }
  return options.paste('Final address in the browser');
}

/** An address with a query, of any scheme. Quotes, angle brackets and spaces end it. */
const addressWithQuery = /[a-z][a-z\d+.-]*:[^\s"'<>?]*\?[^\s"'<>]+/i;

/** Reads the pasted address, also with other text around it, or its query alone. */
function readPasted(text: string, state: string): CallbackAnswer {
  const address = addressWithQuery.exec(text)?.[0].replace(/[.,;:!)\]}]+$/, '');
  const trimmed = (address ?? text).trim();
  const query = URL.canParse(trimmed)
    ? new URL(trimmed).searchParams
    : new URLSearchParams(trimmed.replace(/^\?/, ''));
  const reply = readCallback(query, state);
  if (reply.kind !== 'foreign') return reply;
  throw signInRejected(
    'callback_foreign',
    `cannot use the pasted address: ${reply.reason}`,
    nextStep`paste the complete address from this sign-in; each run of ${ucctl('login')} uses a different address`,
  );
}

function codeOf(
  answer: CallbackAnswer,
  usedPkce: boolean,
): Pick<AuthorizationCode, 'code' | 'expiresInSeconds'> {
  if (answer.kind === 'code') return { code: answer.code, expiresInSeconds: answer.expiresInSeconds };
  const { error, description } = answer;
  const said = description === undefined ? error : `${description} [${error}]`;
  if (error === 'access_denied') {
    throw signInRejected(
      'sign_in_denied',
      `the user or the service denied access on the sign-in page: ${said}`,
      nextStep`run ${ucctl('login')} again and allow access`,
    );
  }
  if (isFlowForbidden(error)) throw flowForbidden('code', said);
  const hint =
    usedPkce && error === 'invalid_request'
      ? nextStep`if the service does not support PKCE, run: ${ucctl('login --no-pkce')}`
      : nextStep`run ${ucctl('login')} again`;
  throw signInRejected('sign_in_rejected', `the service rejected the sign-in: ${said}`, hint);
}

/** Returns an error message as a sentence with a capital letter and a period. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
