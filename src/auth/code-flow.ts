import { randomBytes } from 'node:crypto';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import type { CodeSignIn } from '../runtime/auth.ts';
import { CommandError, usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import { listenForCallback, type Answer } from './callback-listener.ts';
import { readCallback } from './callback-reply.ts';
import { loopbackTargets, returnsHere } from './redirect-uri.ts';
import { flowForbidden, isFlowForbidden, refused } from './sign-in-error.ts';
import { serviceUrl } from './token-endpoint.ts';

/** The part of a sign-in that its flow through the browser reads. */
export interface CodeFlowOptions extends Omit<
  CodeSignIn,
  'clientSecret' | 'accessTtlSeconds' | 'refreshTtlSeconds' | 'store' | 'beforeSuccess'
> {
  readonly signal: AbortSignal;
}

type Application = Pick<CodeFlowOptions, 'baseUrl' | 'clientId'>;

const mostJunkLines = 5;

/** The code that the service gave, with what belongs to it. */
export interface AuthorizationCode {
  readonly code: string;
  readonly state: string;
  readonly redirectUri: string;
  readonly codeVerifier: string | undefined;
  readonly expiresInSeconds: number | undefined;
}

/**
 * Signs in by the service's own page (RFC 8252): opens it, waits at the redirect address, then lets `complete` exchange and store; the browser is
 * told how that went, and only then.
 * @throws {CommandError} exit 4 denied, foreign or too late; exit 12 every port taken.
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
      throw usageError('no redirect address is known', 'name one with --redirect-uri');
    const url = await address(redirectUri);
    options.show(
      `Open this address in a browser, sign in, and copy the address that it ends at:\n\n  ${url}\n`,
    );
    // A custom scheme or another host: the browser here can sign in, only the way back is by hand.
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
      text: 'ucctl has what it needs. You can close this window.',
    });
    return result;
  } catch (error) {
    const text = sentence(error instanceof CommandError ? error.message : 'it could not be completed');
    await listener.finish({ good: false, title: 'Sign-in failed', text: `${text} See the terminal.` });
    throw error;
  } finally {
    await listener.close();
  }
}

/** What a dry run shows of it: the page that would be opened, and what would be exchanged for a session with the code that it gives. */
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
  const { port } = new URL(redirectUri);
  options.show(
    `No browser could be opened. Open the address by hand; from another machine through ssh -L ${port}:127.0.0.1:${port}, ` +
      'or stop this and run: ucctl login --no-browser',
  );
}

/** Ends the wait at the limit, or when the user stops it. */
async function within(answer: Promise<Answer>, options: CodeFlowOptions): Promise<Answer> {
  const { signal, timeoutSeconds } = options;
  signal.throwIfAborted();
  let timer: NodeJS.Timeout | undefined;
  let stop: (() => void) | undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(tooLate(timeoutSeconds)), timeoutSeconds * 1000);
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, ended]);
  } finally {
    clearTimeout(timer);
    if (stop) signal.removeEventListener('abort', stop);
  }
}

function tooLate(timeoutSeconds: number): CommandError {
  return refused(
    'sign_in_timeout',
    `nobody signed in within ${timeoutSeconds} s`,
    'run it again, with --browser-timeout 10m for more time; if the page refused the redirect address, name a registered one with --redirect-uri',
  );
}

/** What is plainly no answer of a sign-in, such as a line that was in the clipboard before, is passed over some times. */
async function pastedAddress(options: CodeFlowOptions): Promise<string> {
  for (let tries = 0; tries < mostJunkLines; tries += 1) {
    const text = await options.paste('Address that the browser ended at');
    if (/[?&]?\b(?:code|error|state)=/.test(text)) return text;
    options.show('That is not the address of a sign-in: it has no code. Paste the whole one.');
  }
  return options.paste('Address that the browser ended at');
}

/** Takes the whole address, or its query alone. */
function readPasted(text: string, state: string): Answer {
  const trimmed = text.trim();
  const query = URL.canParse(trimmed)
    ? new URL(trimmed).searchParams
    : new URLSearchParams(trimmed.replace(/^\?/, ''));
  const reply = readCallback(query, state);
  if (reply.kind !== 'foreign') return reply;
  throw refused(
    'callback_foreign',
    `that address was not accepted: ${reply.why}`,
    nextStep`paste the whole address from the browser of this sign-in; each run of ${ucctl('login')} has its own`,
  );
}

function codeOf(answer: Answer, usedPkce: boolean): Pick<AuthorizationCode, 'code' | 'expiresInSeconds'> {
  if (answer.kind === 'code') return { code: answer.code, expiresInSeconds: answer.expiresInSeconds };
  const { error, description } = answer;
  const said = description === undefined ? error : `${description} [${error}]`;
  if (error === 'access_denied') {
    throw refused(
      'sign_in_denied',
      `access was denied at the service's page: ${said}`,
      nextStep`run ${ucctl('login')} again and allow it there`,
    );
  }
  if (isFlowForbidden(error)) throw flowForbidden('code', said);
  const hint =
    usedPkce && error === 'invalid_request'
      ? nextStep`if the service does not take PKCE: ${ucctl('login --no-pkce')}`
      : nextStep`run ${ucctl('login')} again`;
  throw refused('sign_in_refused', `the service refused the sign-in: ${said}`, hint);
}

/** An error message, which begins small and ends open, as a sentence of a page. */
function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
