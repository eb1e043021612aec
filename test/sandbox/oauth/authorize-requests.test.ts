import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox, type SandboxSettings } from '../../../src/sandbox/index.ts';
import { requestToken, send } from '../request.ts';

const redirectUri = 'http://127.0.0.1:8734/callback';
const base = { response_type: 'code', client_id: 'sandbox-desk', redirect_uri: redirectUri };

function open(sandbox: Sandbox, query: string | Readonly<Record<string, string>>) {
  return send(sandbox, 'GET', `/restapi/oauth/authorize?${new URLSearchParams(query).toString()}`);
}
function submit(sandbox: Sandbox, fields: Readonly<Record<string, string>>) {
  return send(sandbox, 'POST', '/restapi/oauth/authorize', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
}
function errorOf(location: string | null): string | null {
  return location === null ? null : new URL(location).searchParams.get('error');
}

describe('spec:OAUTH-15 query of the authorize page', () => {
  test('what it does not need is ignored; login_hint fills the form', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const page = await open(sandbox, {
      ...base,
      display: 'touch',
      ui_locales: 'fr',
      localeId: 'fr',
      ui_options: 'x',
      brand_id: '1210',
      scope: 'anything',
      nonce: 'n',
      prompt: 'login sso consent',
      login_hint: 'dana.okafor@example.com',
    });
    expect(page.status).toBe(200);
    expect(page.body['text']).toContain('value="dana.okafor@example.com"');
  });

  test('prompt=none cannot be met, an unknown one is rejected', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const none = await open(sandbox, { ...base, prompt: 'none', state: 's' });
    expect(none.status).toBe(302);
    expect(none.headers.get('location')).toContain('state=s');
    expect(errorOf(none.headers.get('location'))).toBe('access_denied');
    const magic = await open(sandbox, { ...base, prompt: 'magic' });
    expect(errorOf(magic.headers.get('location'))).toBe('invalid_request');
  });

  test('of repeated keys the first counts', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const query = `${new URLSearchParams(base).toString()}&client_id=other&prompt=login&prompt=none&access_token_ttl=1`;
    expect((await open(sandbox, query)).status).toBe(200);
  });

  test('the form may also be asked for by POST', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const page = await submit(sandbox, base);
    expect(page.status).toBe(200);
    expect(page.body['text']).toContain('<form method="post"');
  });
});

describe('code challenges', () => {
  const challenge = { code_challenge: 'abc', code_challenge_method: 'plain' };

  /** The outcome of the whole flow with a challenge and a wrong verifier. */
  async function exchange(settings: Partial<SandboxSettings>) {
    await using sandbox = await startSandbox({ listen: false, settings });
    const login = { username: '+16505550112', password: 'Sandbox-102' };
    const page = await submit(sandbox, { ...base, ...challenge, ...login });
    const location = page.headers.get('location');
    if (location !== null) return errorOf(location);
    const ticket = /name="ticket" value="([^"]*)"/.exec(String(page.body['text']))?.[1] ?? '';
    const done = await submit(sandbox, { ...base, ...challenge, ticket, decision: 'allow' });
    const code = new URL(done.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const answer = await requestToken(sandbox, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: 'wrong',
    });
    return answer.status;
  }

  test('are enforced, ignored or rejected, as the setting says', async () => {
    expect(await exchange({})).toBe(400);
    expect(await exchange({ pkce: 'ignore' })).toBe(200);
    expect(await exchange({ pkce: 'reject' })).toBe('invalid_request');
  });

  test('an unknown method is reported by redirect', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const answer = await open(sandbox, { ...base, code_challenge: 'abc', code_challenge_method: 'S1' });
    expect(errorOf(answer.headers.get('location'))).toBe('invalid_request');
  });
});
