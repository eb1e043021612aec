import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, requestToken, send } from '../request.ts';

const redirectUri = 'http://127.0.0.1:8734/callback';
const base = { response_type: 'code', client_id: 'sandbox-desk', redirect_uri: redirectUri, state: 'a b&c' };
type Fields = Readonly<Record<string, string>>;

function open(sandbox: Sandbox, fields: Fields, slash = '') {
  const query = new URLSearchParams(fields).toString();
  return send(sandbox, 'GET', `/restapi/oauth/authorize${slash}?${query}`, {
    headers: { accept: 'text/html' },
  });
}
function submit(sandbox: Sandbox, fields: Fields) {
  return send(sandbox, 'POST', '/restapi/oauth/authorize', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    body: new URLSearchParams(fields).toString(),
  });
}
/** What a browser would send back: the form's hidden fields. */
function hidden(text: unknown): Fields {
  const inputs = String(text).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g);
  const decode = (value = '') =>
    value.replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, decode(value)]));
}
const login = { username: '+16505550112', extension: '', password: 'Sandbox-102' };

async function consent(sandbox: Sandbox, fields: Fields, decision: string) {
  const form = await open(sandbox, fields);
  const page = await submit(sandbox, { ...hidden(form.body['text']), ...login });
  const answer = await submit(sandbox, { ...hidden(page.body['text']), decision });
  return new URL(answer.headers.get('location') ?? 'about:blank');
}

describe('pages', () => {
  test('spec:OAUTH-3 the sign-in form, also with a trailing slash', async () => {
    await using sandbox = await startSandbox({ listen: false });
    for (const slash of ['', '/']) {
      const page = await open(sandbox, base, slash);
      expect(page.status).toBe(200);
      expect(page.body['text']).toContain('<label for="username">');
      expect(hidden(page.body['text'])).toEqual(base);
    }
  });

  test('the policy lets the form end at the redirect, and nothing else', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { headers, body } = await open(sandbox, base);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain(`form-action 'self' http://127.0.0.1:8734;`);
    expect(policy).toContain(`default-src 'none'`);
    const style = /<style>([\s\S]*)<\/style>/.exec(String(body['text']))?.[1] ?? '';
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  });

  test('a wrong password shows the form again, with what was typed, escaped', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const page = await submit(sandbox, { ...base, username: '"><script>', extension: '7', password: 'x' });
    expect(page.status).toBe(401);
    expect(page.body['text']).toContain('role="alert"');
    expect(page.body['text']).not.toContain('<script>');
    expect(page.body['text']).toContain('value="7"');
  });

  test('spec:PERMISSION-1 the consent page lists what the app may do', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const page = await submit(sandbox, { ...base, ...login });
    expect(page.body['text']).toContain('Dana Okafor');
    for (const permission of ['EditExtensions', 'SMS', 'ReadMessages']) {
      expect(page.body['text']).toContain(`<span>${permission}</span>`);
    }
  });
});

describe('outcome', () => {
  test('spec:OAUTH-8 to OAUTH-13, OAUTH-17 to OAUTH-19, OAUTH-22, OAUTH-39 allow: a code with its lifetime and the state unchanged; exchanged once', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const url = await consent(sandbox, base, 'allow');
    expect(url.origin + url.pathname).toBe(redirectUri);
    expect(url.searchParams.get('state')).toBe('a b&c');
    expect(url.searchParams.get('expires_in')).toBe('60');
    const form = {
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
    };
    const token = await requestToken(sandbox, form);
    expect(token.body['owner_id']).toBe('171857102');
    expect(String(token.body['scope']).split(' ')).toContain('ReadMessages');
    expect((await requestToken(sandbox, form)).body.errors[0]?.errorCode).toBe('OAU-106');
  });

  test('spec:OAUTH-14 deny: access_denied with the state', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const url = await consent(sandbox, base, 'deny');
    expect(url.searchParams.get('error')).toBe('access_denied');
    expect(url.searchParams.get('error_description')).toMatch(/\w/);
    expect(url.searchParams.get('state')).toBe('a b&c');
    expect(url.searchParams.has('code')).toBe(false);
  });

  test('spec:OAUTH-10 without a registered redirect URI the error stays here', async () => {
    await using sandbox = await startSandbox({ listen: false });
    for (const fields of [
      { ...base, redirect_uri: `${redirectUri}/` },
      { ...base, redirect_uri: 'https://elsewhere.example.com/' },
      { ...base, client_id: 'unknown' },
    ]) {
      const page = await open(sandbox, fields);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
      const query = new URLSearchParams(fields).toString();
      const json = await send(sandbox, 'GET', `/restapi/oauth/authorize?${query}`);
      expect(json.body['error']).toMatch(/^invalid_(request|client)$/);
    }
  });

  test('spec:OAUTH-8, OAUTH-7 a wrong response_type and an app without user interface are reported by redirect', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const error = async (fields: Fields) => {
      const answer = await open(sandbox, fields);
      return new URL(answer.headers.get('location') ?? 'about:blank').searchParams.get('error');
    };
    expect(await error({ ...base, response_type: 'token' })).toBe('unsupported_response_type');
    expect(await error({ ...base, client_id: 'sandbox-batch' })).toBe('unauthorized_client');
  });

  test('spec:OAUTH-18, OAUTH-19, OAUTH-22, ERROR-23 a code ends by the clock, and belongs to its app and redirect URI', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const exchange = async (change: Fields, client?: string) => {
      const url = await consent(sandbox, base, 'allow');
      if (change['late']) await sandbox.clock.advance(60_000);
      const code = url.searchParams.get('code') ?? '';
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...change };
      const { status, body } = await requestToken(sandbox, form, client);
      return `${status} ${String(body['error'])} ${body.errors[0]?.errorCode}`;
    };
    expect(await exchange({ late: '1' })).toBe('400 invalid_grant OAU-108');
    expect(await exchange({ redirect_uri: 'http://localhost:8734/callback' })).toBe(
      '400 invalid_grant OAU-109',
    );
    expect(await exchange({}, 'sandbox-web:s3cr3t-sandbox-web_~.')).toBe('400 invalid_grant OAU-110');
    expect(await exchange({ code: 'x' })).toBe('400 invalid_grant OAU-106');
  });

  test.each([
    ['user is disabled', (sandbox: Sandbox) => sandbox.control('POST', '/users/102/disable')],
    ['user is deleted', (sandbox: Sandbox) => sandbox.control('DELETE', '/users/102')],
    [
      'password is changed',
      (sandbox: Sandbox) => sandbox.control('POST', '/users/102/password', { password: 'New-102' }),
    ],
    [
      'password is changed in the program',
      (sandbox: Sandbox) => Promise.resolve(sandbox.setPassword('171857102', 'New-102')),
    ],
  ])('codes and tickets end when the %s', async (_name, change) => {
    await using sandbox = await startSandbox({ listen: false });
    const code = (await consent(sandbox, base, 'allow')).searchParams.get('code') ?? '';
    const page = await submit(sandbox, { ...base, ...login });
    await change(sandbox);
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
    expect(rejection(await requestToken(sandbox, exchange))).toBe('400 OAU-106');
    const answer = await submit(sandbox, { ...hidden(page.body['text']), decision: 'allow' });
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
  });

  test('spec:OAUTH-16 PKCE: S256 and plain are enforced when they were announced', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const verifier = 'v'.repeat(43);
    const s256 = createHash('sha256').update(verifier).digest('base64url');
    const exchange = async (challenge: Fields, given: Fields) => {
      const url = await consent(sandbox, { ...base, client_id: 'sandbox-public', ...challenge }, 'allow');
      const code = url.searchParams.get('code') ?? '';
      const form = {
        grant_type: 'authorization_code',
        client_id: 'sandbox-public',
        code,
        redirect_uri: redirectUri,
      };
      return (await requestToken(sandbox, { ...form, ...given }, null)).status;
    };
    const challenge = { code_challenge: s256, code_challenge_method: 'S256' };
    expect(await exchange(challenge, { code_verifier: verifier })).toBe(200);
    expect(await exchange(challenge, { code_verifier: 'wrong' })).toBe(400);
    expect(await exchange(challenge, {})).toBe(400);
    expect(
      await exchange(
        { code_challenge: verifier, code_challenge_method: 'plain' },
        { code_verifier: verifier },
      ),
    ).toBe(200);
  });

  test('a ticket can be used once, and only by its own app', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const page = await submit(sandbox, { ...base, ...login });
    const fields = { ...hidden(page.body['text']), decision: 'allow' };
    expect((await submit(sandbox, { ...fields, client_id: 'sandbox-web' })).status).toBe(200);
    expect((await submit(sandbox, fields)).status).toBe(302);
    expect((await submit(sandbox, fields)).status).toBe(200);
  });
});
