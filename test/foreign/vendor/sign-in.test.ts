import { expect, it } from 'vitest';
import { userOf } from '../../support/sandbox.ts';
import { clientOf, json, realSandbox, signedIn } from './signed-in.ts';

const me = '/restapi/v1.0/account/~/extension/~';

it('signs in by password, renews and signs out', async () => {
  await using sandbox = await realSandbox();
  const sdk = await signedIn(sandbox, '102');
  expect(await json(sdk.get(me))).toMatchObject({ extensionNumber: '102' });
  const before = await sdk.platform().authHeader();
  await sdk.refresh();
  expect(await sdk.platform().authHeader()).not.toBe(before);
  expect(await json(sdk.get(me))).toMatchObject({ extensionNumber: '102' });
  await sdk.logout();
  expect(await sdk.platform().loggedIn()).toBe(false);
});

it('signs in by an assertion', async () => {
  await using sandbox = await realSandbox();
  const sdk = clientOf(sandbox);
  const user = sandbox.ready.users.find(({ extension }) => extension === '102');
  const jwt = sandbox.assertion({
    sub: user?.extensionId,
    aud: `${sandbox.url}/restapi/oauth/token`,
    exp: Math.floor(Date.now() / 1000) + 600,
  });
  await sdk.login({ jwt });
  expect(await json(sdk.get(me))).toMatchObject({ extensionNumber: '102' });
});

it.each([false, true])('signs in by the code of the sign-in page; PKCE: %s', async (usePKCE) => {
  await using sandbox = await realSandbox();
  const sdk = clientOf(sandbox);
  const { username, password } = userOf(sandbox, '102');
  const url = sdk.loginUrl({ state: 'a state', usePKCE });
  const page = await hiddenFields(await fetch(url, { headers: { accept: 'text/html' } }));
  const consent = await hiddenFields(
    await submit(sandbox.url, { ...page, username, extension: '', password }),
  );
  const done = await submit(sandbox.url, { ...consent, decision: 'allow' });
  const { code, state } = sdk
    .platform()
    .parseLoginRedirect(new URL(done.headers.get('location') ?? '').search);
  expect(state).toBe('a state');
  await sdk.login({ code: code ?? '' });
  expect(await json(sdk.get(me))).toMatchObject({ extensionNumber: '102' });
});

it('reads the message of a rejected sign-in', async () => {
  await using sandbox = await realSandbox();
  const sdk = clientOf(sandbox);
  const { username } = userOf(sandbox, '102');
  await expect(sdk.login({ username, password: 'wrong' })).rejects.toThrow(/credential|invalid|password/i);
});

function submit(origin: string, fields: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${origin}/restapi/oauth/authorize`, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: 'text/html' },
    body: new URLSearchParams(fields),
  });
}

/** What a browser would submit: the hidden fields of the form. */
async function hiddenFields(page: Response): Promise<Readonly<Record<string, string>>> {
  const inputs = (await page.text()).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const decoded = (value = ''): string =>
    value.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, decoded(value)]));
}
