import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuth } from '../../src/auth/index.ts';
import type { CodeSignIn, SessionSummary } from '../../src/runtime/auth.ts';
import type { HttpSend } from '../../src/client/index.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { tunnelCommand } from '../../src/auth/redirect-uri.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import { fakeReply } from '../support/fake-service.ts';
import { sandboxHttp, userOf } from '../support/sandbox.ts';
import { nextStep, ucctl } from '../../src/errors/hint.ts';
import { hintText } from '../../src/errors/hint.ts';

/** What the person does at the service's page, without a browser. Gives the address that a browser would end at. */
async function decide(sandbox: Sandbox, url: string, decision: 'allow' | 'deny'): Promise<string> {
  const { username, password } = userOf(sandbox, '102');
  const send = (fields: Record<string, string>): Promise<Response> => {
    const body = new URLSearchParams({ ...Object.fromEntries(new URL(url).searchParams), ...fields });
    return sandbox.fetch(new Request(new URL('/restapi/oauth/authorize', url), { method: 'POST', body }));
  };
  const consent = await (await send({ username, password })).text();
  const ticket = /name="ticket" value="([^"]+)"/.exec(consent)?.[1] ?? '';
  return (await send({ ticket, decision })).headers.get('location') ?? '';
}

interface Sitting {
  readonly sandbox: Sandbox;
  readonly signIn: (
    answer: (url: string) => string | Promise<string>,
    more?: Partial<CodeSignIn>,
  ) => Promise<SessionSummary>;
  /** Waits so far, in milliseconds. */
  readonly slept: readonly number[];
}

/**
 * `putOff`: the Retry-After of a 429 before the exchange of the code. `shift`: milliseconds by which the clock of this
 * machine is set during the wait.
 */
async function sitting(putOff?: number, shift = 0): Promise<Sitting> {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const { clientId, clientSecret, url: baseUrl } = sandbox.ready;
  const slept: number[] = [];
  let isPutOff = putOff !== undefined;
  const http: HttpSend = (request) => {
    if (!isPutOff || !request.url.pathname.endsWith('/token')) return sandboxHttp(sandbox)(request);
    isPutOff = false;
    return Promise.resolve(fakeReply({ status: 429, headers: { 'retry-after': String(putOff) } }));
  };
  const environment = await authEnvironment({
    http,
    env: { UCCTL_STORE: 'memory' },
    now: () => sandbox.clock.now() + (isPutOff ? 0 : shift),
    elapsed: () => sandbox.clock.now(),
    sleep: async (milliseconds) => {
      slept.push(milliseconds);
      await sandbox.clock.advance(milliseconds);
    },
  });
  const signIn: Sitting['signIn'] = (answer, more = {}) => {
    let shown = '';
    return createAuth(environment).signInByCode({
      baseUrl: new URL(baseUrl),
      clientId,
      clientSecret,
      redirectUris: ['http://127.0.0.1:8734/callback'],
      pkce: true,
      timeoutSeconds: 10,
      openUrl: () => Promise.resolve(false),
      show: (text) => {
        shown = /https?:\S+/.exec(hintText(text))?.[0] ?? shown;
      },
      noBrowser: true,
      paste: async () => answer(shown),
      ...more,
    });
  };
  return { sandbox, signIn, slept };
}

describe('the code flow by paste', () => {
  test.each([
    ['the whole address', (address: string) => `  ${address}\n`],
    ['its query', (address: string) => new URL(address).search],
    ['the address in quotes', (address: string) => `"${address}"`],
    ['the address in angle brackets', (address: string) => `<${address}>`],
    ['a header with the address', (address: string) => `Location: ${address}`],
    ['a sentence with the address', (address: string) => `It is ${address}.`],
  ])('takes %s', async (_name, pick) => {
    const { sandbox, signIn } = await sitting();
    const summary = await signIn(async (url) => pick(await decide(sandbox, url, 'allow')));
    expect(summary).toMatchObject({ flow: 'code', ownerId: userOf(sandbox, '102').extensionId, alive: true });
  });

  test('works without PKCE too', async () => {
    const { sandbox, signIn } = await sitting();
    const summary = await signIn((url) => decide(sandbox, url, 'allow'), { pkce: false });
    expect(summary.alive).toBe(true);
  });

  test('ignores invalid lines', async () => {
    const { sandbox, signIn } = await sitting();
    const junk = ['hello', 'https://elsewhere.example/'];
    const summary = await signIn(async (url) => junk.shift() ?? decide(sandbox, url, 'allow'));
    expect([junk, summary.alive]).toEqual([[], true]);
  });

  test('spec:OAUTH-7 explains why a user may not use it', async () => {
    const { signIn } = await sitting();
    const answer = (url: string) =>
      Promise.resolve(`?error=unauthorized_client&state=${new URL(url).searchParams.get('state')}`);
    await expect(signIn(answer)).rejects.toMatchObject({
      code: 'flow_forbidden',
      exit: 4,
      hint: nextStep`apps without a user interface may not use this flow; to sign in without a browser: ${ucctl('login --flow jwt --assertion-stdin')}`,
    });
  });

  test('reports a denial', async () => {
    const { sandbox, signIn } = await sitting();
    await expect(signIn((url) => decide(sandbox, url, 'deny'))).rejects.toMatchObject({
      exit: 4,
      code: 'sign_in_denied',
    });
  });

  test('rejects the address of another sign-in before the code is exchanged', async () => {
    const { sandbox, signIn } = await sitting();
    let other = '';
    await signIn(async (url) => (other = await decide(sandbox, url, 'allow')));
    const before = sandbox.requestLog().length;
    await expect(signIn(() => other)).rejects.toMatchObject({ exit: 4, code: 'callback_foreign' });
    expect(sandbox.requestLog()).toHaveLength(before);
  });

  test('reports an expired code', async () => {
    const { sandbox, signIn } = await sitting();
    const late = signIn(async (url) => {
      const address = await decide(sandbox, url, 'allow');
      await sandbox.clock.advance(10 * 60_000);
      return address;
    });
    await expect(late).rejects.toMatchObject({ exit: 4, code: 'code_rejected' });
  });

  test('waits after a 429 of the exchange while the code is valid', async () => {
    const { sandbox, signIn, slept } = await sitting(30);
    const summary = await signIn((url) => decide(sandbox, url, 'allow'));
    expect([summary.alive, slept]).toEqual([true, [30_050]]);
  });

  test('does not take a clock that is set forward for the expiry of the code', async () => {
    const { signIn, sandbox } = await sitting(30, 3_600_000);
    expect((await signIn((url) => decide(sandbox, url, 'allow'))).origin).toBe(sandbox.url);
  });

  test('does not wait beyond the expiry of the code', async () => {
    const { sandbox, signIn, slept } = await sitting(60);
    await expect(signIn((url) => decide(sandbox, url, 'allow'))).rejects.toMatchObject({
      name: 'RateLimitError',
      waitSeconds: 60,
      hint: nextStep`the sign-in code expires before the next attempt; in ${60} s, run ${ucctl('login')} again`,
    });
    expect(slept).toEqual([]);
  });
});

test.each([
  ['http://127.0.0.1:8734/callback', 'ssh -L 8734:127.0.0.1:8734 HOST'],
  ['http://localhost:8734/callback', 'ssh -L 8734:127.0.0.1:8734 HOST'],
  ['http://[::1]:8734/callback', 'ssh -L 8734:[::1]:8734 HOST'],
  ['http://127.0.0.1/callback', 'ssh -L 80:127.0.0.1:80 HOST'],
])('the tunnel to %s ends at the address of the listener', (uri, command) => {
  expect(tunnelCommand(uri)).toBe(command);
});
