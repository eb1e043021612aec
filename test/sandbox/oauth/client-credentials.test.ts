import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, requestToken, send } from '../request.ts';

const partner = 'sandbox-partner:s3cr3t-sandbox-partner_~.';
const grant = { grant_type: 'client_credentials', brand_id: '1210' };

function ask(sandbox: Sandbox, fields: Readonly<Record<string, string>> = {}, client = partner) {
  return requestToken(sandbox, { ...grant, ...fields }, client);
}
async function session(sandbox: Sandbox, fields: Readonly<Record<string, string>> = {}) {
  const token = String((await ask(sandbox, fields)).body['access_token']);
  return (path: string) => send(sandbox, 'GET', path, { token });
}

describe('signup session', () => {
  test('spec:OAUTH-28, OAUTH-29, OAUTH-37, OAUTH-39 the reply has scope, no refresh token and no owner', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { status, body } = await ask(sandbox, { access_token_ttl: '900' });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'bearer',
      expires_in: 900,
      scope: expect.stringContaining('ReadAccounts') as string,
    });
  });

  test('spec:OAUTH-30, OAUTH-31, ERROR-6 it reads dictionaries and nothing of an account', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const get = await session(sandbox);
    for (const name of ['country', 'state', 'location', 'timezone']) {
      expect((await get(`/dictionary/${name}`)).status).toBe(200);
    }
    const { accountId } = sandbox.ready;
    for (const path of [
      '/account/~/extension',
      `/account/${accountId}/extension`,
      '/subscription',
      '/chat/webhooks',
    ]) {
      expect(rejection(await get(path))).toBe('401 OAU-149');
    }
  });
});

describe('account-centric session', () => {
  test('spec:OAUTH-32, OAUTH-33 by account id, or by brand and partner id', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { accountId, partnerAccountId } = sandbox.ready;
    for (const fields of [{ account_id: accountId }, { partner_account_id: partnerAccountId }]) {
      const get = await session(sandbox, fields);
      expect((await get('/account/~/extension')).status).toBe(200);
      expect((await get(`/account/${accountId}/extension`)).status).toBe(200);
      expect((await get('/dictionary/country')).status).toBe(200);
      expect((await ask(sandbox, fields)).body).not.toHaveProperty('refresh_token');
    }
  });

  test('spec:OAUTH-34, ERROR-6 another account with an account-centric token', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const get = await session(sandbox, { account_id: sandbox.ready.accountId });
    expect(rejection(await get('/account/1/extension'))).toBe('401 OAU-149');
    expect(rejection(await get('/account/1/extension/~/presence'))).toBe('401 OAU-149');
  });

  test('it is not a session of the administrator: five more do not end it', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const get = await session(sandbox, { account_id: sandbox.ready.accountId });
    const admin = { grant_type: 'password', username: sandbox.ready.mainNumber, password: 'Sandbox-100' };
    for (let count = 0; count < 6; count += 1) await requestToken(sandbox, admin, partner);
    expect((await get('/account/~/extension')).status).toBe(200);
  });

  test.each([
    ['set-password', '/users/100/password', { password: 'New-100' }],
    ['token revoke --user', '/tokens/revoke', { user: '100' }],
  ])(
    'spec:OAUTH-47 %s of the administrator ends only the sessions of the user',
    async (_name, path, body) => {
      await using sandbox = await startSandbox({ listen: false });
      const get = await session(sandbox, { account_id: sandbox.ready.accountId });
      const admin = { grant_type: 'password', username: sandbox.ready.mainNumber, password: 'Sandbox-100' };
      const token = String((await requestToken(sandbox, admin, partner)).body['access_token']);
      expect(await sandbox.control('POST', path, body)).toMatchObject({ endedSessions: 1 });
      expect((await get('/account/~/extension')).status).toBe(200);
      expect(rejection(await send(sandbox, 'GET', '/account/~/extension', { token }))).toBe('401 OAU-213');
    },
  );
});

test('what is rejected: other apps, no brand, a wrong brand, an unknown account', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { clientId, clientSecret } = sandbox.ready;
  const answers = [
    await ask(sandbox, {}, `${clientId}:${clientSecret}`),
    await ask(sandbox, { brand_id: '' }),
    await ask(sandbox, { brand_id: '1' }),
    await ask(sandbox, { account_id: '1' }),
    await ask(sandbox, { partner_account_id: 'nobody' }),
    await ask(sandbox, {}, 'sandbox-partner:wrong'),
  ];
  expect(answers.map((answer) => `${rejection(answer)} ${String(answer.body['error'])}`)).toEqual([
    '403 OAU-112 unauthorized_client',
    '400 CMN-101 invalid_request',
    '400 CMN-101 invalid_request',
    '401 OAU-142 invalid_grant',
    '401 OAU-142 invalid_grant',
    '401 OAU-146 invalid_client',
  ]);
});
