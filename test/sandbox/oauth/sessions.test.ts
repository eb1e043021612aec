import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, requestToken, send } from '../request.ts';

const dana = { grant_type: 'password', username: '+16505550112', password: 'Sandbox-102' };
const jwt = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

async function works(sandbox: Sandbox, token: unknown): Promise<boolean> {
  const { status } = await send(sandbox, 'GET', '/subscription', { token: String(token) });
  return status === 200;
}
function refresh(sandbox: Sandbox, token: unknown) {
  return requestToken(sandbox, { grant_type: 'refresh_token', refresh_token: String(token) });
}

describe('refresh', () => {
  test('spec:OAUTH-49 while the new pair is unused, the grace lasts an hour', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { refreshGraceSeconds: 10 } });
    const old = (await requestToken(sandbox, dana)).body;
    const first = (await refresh(sandbox, old['refresh_token'])).body;
    await sandbox.clock.advance(3_599_000);
    const again = (await refresh(sandbox, old['refresh_token'])).body;
    expect(again).toMatchObject({ access_token: first['access_token'], expires_in: 1 });
    await sandbox.clock.advance(1000);
    expect(rejection(await refresh(sandbox, old['refresh_token']))).toBe('400 OAU-210');
  });

  test('a setting leaves the old access token alive', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { refreshEndsAccessToken: false } });
    const old = (await requestToken(sandbox, dana)).body;
    await refresh(sandbox, old['refresh_token']);
    expect(await works(sandbox, old['access_token'])).toBe(true);
  });

  test('a setting ends the whole session when a refresh token is used twice', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { refreshReuseEndsSession: true } });
    const old = (await requestToken(sandbox, dana)).body;
    const fresh = (await refresh(sandbox, old['refresh_token'])).body;
    expect(await works(sandbox, fresh['access_token'])).toBe(true);
    expect(rejection(await refresh(sandbox, old['refresh_token']))).toBe('400 OAU-210');
    expect(await works(sandbox, fresh['access_token'])).toBe(false);
    expect(rejection(await refresh(sandbox, fresh['refresh_token']))).toBe('400 OAU-210');
  });

  test('spec:OAUTH-45 a refresh token gives no access to resources', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await requestToken(sandbox, dana);
    expect(await works(sandbox, body['refresh_token'])).toBe(false);
  });
});

test('spec:OAUTH-47 a change of the password ends all sessions at once, with every app', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const tokens = [
    (await requestToken(sandbox, dana)).body,
    (await requestToken(sandbox, dana, 'sandbox-batch:s3cr3t-sandbox-batch_~.')).body,
  ];
  const other = (await requestToken(sandbox, { ...dana, username: '+16505550113', password: 'Sandbox-103' }))
    .body;
  sandbox.setPassword(171_857_102, 'another');
  for (const token of tokens) expect(await works(sandbox, token['access_token'])).toBe(false);
  expect(rejection(await refresh(sandbox, tokens[0]?.['refresh_token']))).toBe('400 OAU-210');
  expect(await works(sandbox, other['access_token'])).toBe(true);
  expect(rejection(await requestToken(sandbox, dana))).toBe('401 OAU-140');
  expect((await requestToken(sandbox, { ...dana, password: 'another' })).status).toBe(200);
  expect(() => sandbox.setPassword(1, 'x')).toThrow('not found');
});

describe('spec:OAUTH-51 jwt-bearer', () => {
  const present = (sandbox: Sandbox, assertion: string, client?: string) =>
    requestToken(sandbox, { grant_type: jwt, assertion }, client);

  test('an assertion gives a pair of tokens', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { status, body } = await present(
      sandbox,
      sandbox.assertion({ sub: '171857102', iss: sandbox.ready.clientId }),
    );
    expect(status).toBe(200);
    expect(body).toMatchObject({ owner_id: '171857102', refresh_token: expect.any(String) as string });
    expect(body).not.toHaveProperty('scope');
    expect(await works(sandbox, body['access_token'])).toBe(true);
  });

  test('the key follows from the seed', async () => {
    await using one = await startSandbox({ listen: false });
    await using same = await startSandbox({ listen: false });
    await using other = await startSandbox({ listen: false, seed: 7 });
    const assertion = one.assertion({ sub: '171857102' });
    expect((await present(same, assertion)).status).toBe(200);
    expect(rejection(await present(other, assertion))).toBe('400 OAU-129');
  });

  test('what is rejected: malformed, another key, another algorithm, expired, for others', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const [, claims = ''] = sandbox.assertion({ sub: '171857102' }).split('.');
    const header = (alg: string) => Buffer.from(JSON.stringify({ alg })).toString('base64url');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const foreign = `${header('RS256')}.${claims}`;
    const cases = {
      'OAU-129': [
        'nonsense',
        `${header('none')}.${claims}.`,
        `${foreign}.${sign('sha256', Buffer.from(foreign), privateKey).toString('base64url')}`,
        sandbox.assertion({ sub: '171857102', aud: 'https://example.com' }),
        sandbox.assertion({ sub: '171857102', iss: 'sandbox-web' }),
        sandbox.assertion({ sub: '171857102', exp: undefined }),
        sandbox.assertion({ sub: '1' }),
      ],
      'OAU-128': [sandbox.assertion({ sub: '171857102', exp: 1 })],
    };
    for (const [code, assertions] of Object.entries(cases)) {
      for (const assertion of assertions)
        expect(rejection(await present(sandbox, assertion))).toBe(`400 ${code}`);
    }
    expect(rejection(await present(sandbox, sandbox.assertion({ sub: '171857108' })))).toBe('401 OAU-141');
    expect(rejection(await present(sandbox, ''))).toBe('400 CMN-101');
  });
});
