import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { userOf } from '../../support/sandbox.ts';
import { requestToken, send, userClient, type Answer } from '../request.ts';

function failure({ status, body }: Answer): string {
  return `${status} ${String(body['error'])} ${body.errors[0]?.errorCode}`;
}
const dana = { grant_type: 'password', username: 'dana.okafor@example.com', password: 'Sandbox-102' };

describe('password grant', () => {
  test('spec:OAUTH-1, OAUTH-4, OAUTH-35 to OAUTH-38, OAUTH-40, OAUTH-41 answers the tokens, lower-case bearer and owner; without scope', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { status, body } = await requestToken(sandbox, dana);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token_expires_in: 604_800,
      owner_id: '171857102',
    });
    expect(body).not.toHaveProperty('scope');
  });

  test('spec:OAUTH-23 to OAUTH-26 by e-mail, direct number, company number with extension, number*extension', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const owner = async (form: Readonly<Record<string, string>>) =>
      (await requestToken(sandbox, { ...dana, ...form })).body['owner_id'];
    expect(await owner({ username: 'Dana.Okafor@example.com', extension: '102' })).toBe('171857102');
    expect(await owner({ username: '+16505550112' })).toBe('171857102');
    expect(await owner({ username: '+16505550100', extension: '102' })).toBe('171857102');
    expect(await owner({ username: '16505550100*102', extension: '999' })).toBe('171857102');
  });

  test('spec:OAUTH-25 the main number alone means the main administrator', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const admin = userOf(sandbox, 'administrator');
    const { body } = await requestToken(sandbox, {
      grant_type: 'password',
      username: sandbox.ready.mainNumber,
      password: admin.password,
    });
    expect(body['owner_id']).toBe(admin.extensionId);
    const other = { ...dana, username: '+16505550101', password: admin.password };
    expect(failure(await requestToken(sandbox, other))).toBe('401 invalid_grant OAU-140');
  });

  test('spec:SANDBOX-10 everyone in the ready file who is enabled can sign in as it says', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const results = await Promise.all(
      sandbox.ready.users.map(async ({ username, extension, password, role }) => {
        const { status } = await requestToken(sandbox, {
          grant_type: 'password',
          username,
          extension,
          password,
        });
        return [role, status];
      }),
    );
    const rejected = results.filter(([, status]) => status !== 200).map(([role]) => role);
    expect(rejected).toEqual(['disabled', 'frozen']);
  });

  test('spec:ERROR-2, ERROR-24, ERROR-27, OAUTH-53 wrong password, wrong extension, unknown user, missing fields, unknown grant', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const answers = [
      await requestToken(sandbox, { ...dana, password: 'no' }),
      await requestToken(sandbox, { ...dana, extension: '103' }),
      await requestToken(sandbox, { ...dana, username: 'nobody@example.com' }),
      await requestToken(sandbox, { grant_type: 'password' }),
      await requestToken(sandbox, { grant_type: 'magic' }),
      await requestToken(sandbox, {}),
      await requestToken(sandbox, { ...dana, access_token_ttl: 'long' }),
      await requestToken(sandbox, { ...dana, access_token_ttl: '1e3' }),
      await requestToken(sandbox, { grant_type: 'refresh_token' }),
    ];
    expect(answers.map(failure)).toEqual([
      '401 invalid_grant OAU-140',
      '401 invalid_grant OAU-140',
      '401 invalid_grant OAU-140',
      '400 invalid_request CMN-101',
      '400 unsupported_grant_type OAU-251',
      '400 invalid_request CMN-101',
      '400 invalid_request CMN-101',
      '400 invalid_request CMN-101',
      '400 invalid_request CMN-101',
    ]);
    expect(answers[0]?.body['error_description']).toBe('Invalid resource owner credentials');
  });

  test('spec:OAUTH-43, OAUTH-44, OAUTH-27, OAUTH-20, OAUTH-21 lifetimes are clamped: 600 to 3600, larger is the default; none for 0', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const lives = async (access: string, refresh: string) => {
      const { body } = await requestToken(sandbox, {
        ...dana,
        access_token_ttl: access,
        refresh_token_ttl: refresh,
      });
      return [body['expires_in'], body['refresh_token_expires_in']];
    };
    expect(await lives('-1', '100')).toEqual([600, 100]);
    expect(await lives('1200', '999999999')).toEqual([1200, 604_800]);
    expect(await lives('7200', '0')).toEqual([3600, undefined]);
  });

  test('spec:OAUTH-20 spec:OAUTH-21 lifetimes without a value have their defaults', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const empty = { access_token_ttl: '', refresh_token_ttl: '' };
    const { status, body } = await requestToken(sandbox, { ...dana, ...empty });
    expect([status, body['expires_in'], body['refresh_token_expires_in']]).toEqual([200, 3600, 604_800]);
  });
});

describe('client authentication', () => {
  test('spec:BASE-19, OAUTH-5 the Basic header is needed, and compared byte by byte', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { clientId, clientSecret } = sandbox.ready;
    const encoded = clientSecret.replaceAll(
      /[^\w]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    );
    expect(encoded).not.toBe(clientSecret);
    const answers = [
      await requestToken(sandbox, dana, null),
      await requestToken(sandbox, { ...dana, client_id: clientId }, null),
      await requestToken(sandbox, dana, `${clientId}:${encoded}`),
      await requestToken(sandbox, dana, `${clientId}:`),
      await requestToken(sandbox, { ...dana, client_id: 'sandbox-web' }),
    ];
    expect(answers.map(failure)).toEqual([
      '401 invalid_client OAU-123',
      '401 invalid_client OAU-146',
      '401 invalid_client OAU-146',
      '401 invalid_client OAU-146',
      '401 invalid_client OAU-146',
    ]);
    expect((await requestToken(sandbox, { ...dana, client_id: clientId })).status).toBe(200);
  });

  test('spec:OAUTH-7, ERROR-24, OAUTH-56 which registrations may use the password grant', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const results = await Promise.all(
      sandbox.ready.apps.map(async ({ clientId, clientSecret }) => {
        const isPublic = clientSecret === null;
        const form = isPublic ? { ...dana, client_id: clientId } : dana;
        const answer = await requestToken(sandbox, form, isPublic ? null : `${clientId}:${clientSecret}`);
        return [clientId, answer.status === 200 ? 200 : failure(answer)];
      }),
    );
    const forbidden = '403 unauthorized_client OAU-112';
    expect(Object.fromEntries(results)).toEqual({
      'sandbox-desk': 200,
      'sandbox-public': forbidden,
      'sandbox-browser': forbidden,
      'sandbox-web': forbidden,
      'sandbox-batch': 200,
      'sandbox-short': 200,
      'sandbox-reader': 200,
      'sandbox-production': 200,
      'sandbox-partner': 200,
    });
  });
});

describe('refresh', () => {
  test('spec:OAUTH-45, OAUTH-48 a new pair; the old access token ends at once; single use', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const first = (await requestToken(sandbox, dana)).body;
    const form = { grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) };
    const second = (await requestToken(sandbox, form)).body;
    expect(second['refresh_token']).not.toBe(first['refresh_token']);
    const status = async (token: unknown) =>
      (await send(sandbox, 'GET', '/subscription', { token: String(token) })).status;
    expect(await status(first['access_token'])).toBe(401);
    expect(await status(second['access_token'])).toBe(200);
    expect(failure(await requestToken(sandbox, form))).toBe('400 invalid_grant OAU-210');
    expect(await status(second['access_token'])).toBe(200);
  });

  test('spec:OAUTH-49 within the grace time a used one still answers the same pair', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { refreshGraceSeconds: 10 } });
    const { body } = await requestToken(sandbox, dana);
    const form = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
    const again = async () => (await requestToken(sandbox, form)).status;
    const first = (await requestToken(sandbox, form)).body;
    await sandbox.clock.advance(9999);
    const second = (await requestToken(sandbox, form)).body;
    expect(second['access_token']).toBe(first['access_token']);
    expect(second['refresh_token']).toBe(first['refresh_token']);
    await send(sandbox, 'GET', '/subscription', { token: String(first['access_token']) });
    await sandbox.clock.advance(1);
    expect(await again()).toBe(400);
  });

  test('spec:ERROR-29 expired, unknown, an access token, and one of another app are rejected', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await requestToken(sandbox, { ...dana, refresh_token_ttl: '60' });
    const refresh = (token: unknown, client?: string) =>
      requestToken(sandbox, { grant_type: 'refresh_token', refresh_token: String(token) }, client);
    const other = sandbox.ready.apps.find(({ clientId }) => clientId === 'sandbox-web');
    const answers = [
      await refresh('nothing'),
      await refresh(body['access_token']),
      await refresh(body['refresh_token'], `${other?.clientId}:${other?.clientSecret}`),
    ];
    await sandbox.clock.advance(60_000);
    answers.push(await refresh(body['refresh_token']));
    expect(answers.map(failure)).toEqual(Array.from({ length: 4 }, () => '400 invalid_grant OAU-210'));
  });

  test('spec:OAUTH-7 an app without refresh gets no refresh token and may not use the grant', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const client = 'sandbox-short:s3cr3t-sandbox-short_~.';
    expect((await requestToken(sandbox, dana, client)).body).not.toHaveProperty('refresh_token');
    const rejected = await requestToken(sandbox, { grant_type: 'refresh_token', refresh_token: 'x' }, client);
    expect(failure(rejected)).toBe('403 unauthorized_client OAU-112');
  });

  test('spec:OAUTH-50 a sixth session ends the oldest', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const first = await userClient(sandbox, '102');
    for (let count = 0; count < 4; count += 1) await requestToken(sandbox, dana);
    expect((await first.get('/subscription')).status).toBe(200);
    await requestToken(sandbox, dana);
    expect((await first.get('/subscription')).status).toBe(401);
  });
});

describe('revoke', () => {
  const revoke = (sandbox: Awaited<ReturnType<typeof startSandbox>>, token: string, query = '') =>
    send(sandbox, 'POST', `/restapi/oauth/revoke${query}`, {
      headers: {
        authorization: `Basic ${Buffer.from(`${sandbox.ready.clientId}:${sandbox.ready.clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: token === '' ? '' : new URLSearchParams({ token }).toString(),
    });

  test('spec:OAUTH-2, OAUTH-54, OAUTH-47 ends the session, by access or refresh token, in form or query', async () => {
    await using sandbox = await startSandbox({ listen: false });
    for (const [kind, inQuery] of [
      ['access_token', false],
      ['refresh_token', false],
      ['access_token', true],
    ] as const) {
      const { body } = await requestToken(sandbox, dana);
      const token = String(body[kind]);
      const answer = inQuery ? await revoke(sandbox, '', `?token=${token}`) : await revoke(sandbox, token);
      expect(answer.status).toBe(200);
      const after = await send(sandbox, 'GET', '/subscription', { token: String(body['access_token']) });
      expect(after.status).toBe(401);
    }
  });

  test('spec:OAUTH-55, ERROR-10 says 200 for anything, but needs the app', async () => {
    await using sandbox = await startSandbox({ listen: false });
    expect((await revoke(sandbox, 'malformed')).status).toBe(200);
    expect((await revoke(sandbox, '')).status).toBe(200);
    const other = await userClient(sandbox, '102', 'sandbox-batch');
    expect((await revoke(sandbox, other.token)).status).toBe(200);
    expect((await other.get('/subscription')).status).toBe(200);
    expect((await send(sandbox, 'POST', '/restapi/oauth/revoke', { body: 'token=x' })).status).toBe(401);
  });
});
