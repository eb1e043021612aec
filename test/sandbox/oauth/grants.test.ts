import { expect, test } from 'vitest';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { userOf } from '../../support/sandbox.ts';
import { rejection, requestToken, send } from '../request.ts';

const jwt = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** What the token endpoint answers to each grant. */
async function answers(sandbox: Sandbox) {
  const { extensionId, username, extension, password } = userOf(sandbox, '102');
  const signedIn = await requestToken(sandbox, {
    grant_type: jwt,
    assertion: sandbox.assertion({ sub: extensionId }),
  });
  const { refresh_token } = signedIn.body as unknown as { readonly refresh_token: string };
  const others = [
    { grant_type: 'refresh_token', refresh_token },
    { grant_type: 'password', username, extension, password },
    { grant_type: 'client_credentials', brand_id: '1210' },
  ];
  const all = [signedIn];
  for (const form of others) all.push(await requestToken(sandbox, form));
  return all.map((answer) => (answer.status === 200 ? 'token' : rejection(answer)));
}

test.each([
  ['spec', undefined, ['token', 'token', 'token', '403 OAU-112']],
  ['current', undefined, ['token', 'token', '400 OAU-251', '400 OAU-251']],
  ['current', 'all', ['token', 'token', 'token', '403 OAU-112']],
  ['spec', 'current', ['token', 'token', '400 OAU-251', '400 OAU-251']],
] as const)('spec:CURRENT-16 dialect %s with the setting %s', async (dialect, grants, expected) => {
  const options: SandboxOptions = { listen: false, dialect, ...(grants && { settings: { grants } }) };
  await using sandbox = await startSandbox(options);
  expect(await answers(sandbox)).toEqual(expected);
});

test('spec:CURRENT-16 the page for the code flow opens in dialect current', async () => {
  await using sandbox = await startSandbox({ listen: false, dialect: 'current' });
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: sandbox.ready.clientId,
    redirect_uri: sandbox.ready.redirectUris[0] ?? '',
  });
  expect((await send(sandbox, 'GET', `/restapi/oauth/authorize?${query.toString()}`)).status).toBe(200);
});

test.each([
  ['current', { scope: expect.stringContaining('TeamMessaging'), session_id: expect.any(String) }],
  ['spec', { scope: undefined, session_id: undefined }],
] as const)('spec:OAUTH-58 the members of a session in dialect %s', async (dialect, expected) => {
  await using sandbox = await startSandbox({ listen: false, dialect, settings: { refreshGraceSeconds: 60 } });
  const { extensionId } = userOf(sandbox, '102');
  const assertion = sandbox.assertion({ sub: extensionId });
  const signedIn = await requestToken(sandbox, { grant_type: jwt, assertion });
  const membersOf = ({ body }: { readonly body: object }) => ({
    scope: undefined,
    session_id: undefined,
    ...body,
  });
  expect(membersOf(signedIn)).toMatchObject(expected);
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: (signedIn.body as unknown as { readonly refresh_token: string }).refresh_token,
  };
  const refreshed = await requestToken(sandbox, refresh);
  expect(membersOf(refreshed)).toMatchObject(expected);
  expect(refreshed.body['session_id']).toBe(signedIn.body['session_id']);
  expect(membersOf(await requestToken(sandbox, refresh))).toMatchObject(expected);
});

test.each([
  ['spec', '2592000', 604_800],
  ['current', '2592000', 2_592_000],
  ['current', '2592001', 604_800],
  ['current', undefined, 604_800],
] as const)(
  'spec:OAUTH-57 in dialect %s, refresh_token_ttl=%s gives %s s',
  async (dialect, ttl, expected) => {
    await using sandbox = await startSandbox({ listen: false, dialect });
    const assertion = sandbox.assertion({ sub: userOf(sandbox, '102').extensionId });
    const lifetime = ttl === undefined ? {} : { refresh_token_ttl: ttl };
    const { body } = await requestToken(sandbox, { grant_type: jwt, assertion, ...lifetime });
    expect(body['refresh_token_expires_in']).toBe(expected);
  },
);
