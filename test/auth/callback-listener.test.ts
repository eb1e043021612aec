import { request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenForCallback, type CallbackListener } from '../../src/auth/callback-listener.ts';
import { loopbackTargets, portsBusy, type LoopbackTarget } from '../../src/auth/redirect-uri.ts';
import { freePort } from '../support/free-port.ts';

const state = 'the-right-state';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

function fetchFrom(url: string, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method }, (reply) => {
      let body = '';
      reply.setEncoding('utf8');
      reply.on('data', (piece: string) => (body += piece));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function listen(
  host = '127.0.0.1',
): Promise<{ listener: CallbackListener; uri: string; origin: string }> {
  const origin = `http://${host}:${await freePort()}`;
  const uri = `${origin}/callback`;
  const listener = await listenForCallback(loopbackTargets([uri]), state);
  onTestFinished(() => listener.close());
  return { listener, uri, origin };
}

describe('the listener at the redirect URI', () => {
  test('answers unexpected and hostile requests and keeps waiting for the right one', async () => {
    const { listener, uri, origin } = await listen();
    expect((await fetchFrom(`${origin}/favicon.ico`)).status).toBe(404);
    expect((await fetchFrom(`${origin}/done`)).status).toBe(404);
    expect(await fetchFrom(uri, 'POST')).toMatchObject({ status: 405, headers: { allow: 'GET' } });
    expect((await fetchFrom(uri, 'HEAD')).status).toBe(405);
    for (const query of [
      'code=stolen&state=wrong',
      'code=stolen',
      `state=${state}`,
      `code=a&code=b&state=${state}`,
      `code=a&state=${state}&state=${state}`,
      'error=access_denied&state=wrong',
    ]) {
      expect((await fetchFrom(`${uri}?${query}`)).status).toBe(400);
    }
    expect(await fetchFrom(`${uri}?code=right&state=${state}`)).toMatchObject({
      status: 303,
      headers: { location: '/done', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' },
    });
    expect(await listener.answer).toEqual({ kind: 'code', code: 'right' });
  });

  test('shows the last page only when the result is known, and releases the port', async () => {
    const { listener, uri, origin } = await listen();
    await fetchFrom(`${uri}?code=right&state=${state}`);
    let shown: Reply | undefined;
    const page = fetchFrom(`${origin}/done`).then((reply) => (shown = reply));
    await fetchFrom(`${origin}/nothing`);
    expect(shown).toBeUndefined();
    await listener.finish({ good: false, title: 'Failed', text: '<script>alert("1")</script>' });
    const { headers, body, status } = await page;
    expect(status).toBe(400);
    expect(body).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;');
    expect(body).not.toContain('<script');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    const again = await listenForCallback(loopbackTargets([uri]), state);
    await again.close();
  });

  test('listens on both families for localhost, and on one address for a literal one', async () => {
    const { uri } = await listen('localhost');
    const { port } = new URL(uri);
    expect((await fetchFrom(`http://127.0.0.1:${port}/x`)).status).toBe(404);
    expect((await fetchFrom(`http://[::1]:${port}/x`)).status).toBe(404);
    const single = await listen();
    await expect(fetchFrom(`http://[::1]:${new URL(single.uri).port}/x`)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
    await expect(fetchFrom(`http://127.0.0.2:${new URL(single.uri).port}/x`)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  test('takes the first registered address whose port is free', async () => {
    const first = await listen();
    const second = `http://127.0.0.1:${await freePort()}/callback`;
    const listener = await listenForCallback(loopbackTargets([first.uri, second]), state);
    onTestFinished(() => listener.close());
    expect(listener.redirectUri).toBe(second);
  });

  test('skips an address that this machine does not have, as [::1] on a machine without IPv6', async () => {
    const uri = `http://127.0.0.1:${await freePort()}/callback`;
    const targets = loopbackTargets(['http://[::1]:8734/callback', uri]);
    // 192.0.2.1 is an address for documentation (RFC 5737), which no machine has.
    const [first] = targets.map((target) => ({ ...target, addresses: ['192.0.2.1'] }));
    const listener = await listenForCallback([...(first ? [first] : []), ...targets.slice(1)], state);
    onTestFinished(() => listener.close());
    expect(listener.redirectUri).toBe(uri);
    await expect(listenForCallback(first ? [first] : [], state)).rejects.toThrow('EADDRNOTAVAIL');
  });

  test('reports which port is in use and how to choose another', async () => {
    const { uri } = await listen();
    await expect(listenForCallback(loopbackTargets([uri]), state)).rejects.toMatchObject({
      exit: 12,
      code: 'redirect_port_busy',
      message: `port ${new URL(uri).port} of the redirect URI is in use`,
      hint: expect.stringContaining('--redirect-uri'),
    });
  });

  test('does not report a port that this user may not open as in use', () => {
    const [low, other] = loopbackTargets(['http://127.0.0.1:80/callback', 'http://127.0.0.1:8734/callback']);
    const forbidden = { target: low as LoopbackTarget, code: 'EACCES' };
    expect(portsBusy([forbidden], undefined)).toMatchObject({
      message: 'port 80 of the redirect URI is not available: permission denied',
      hint: 'set another registered URI with --redirect-uri, or use --no-browser',
    });
    const busy = { target: other as LoopbackTarget, code: 'EADDRINUSE' };
    expect(portsBusy([forbidden, busy], undefined)).toMatchObject({
      message:
        'port 8734 of the redirect URI is in use; port 80 of the redirect URI is not available: permission denied',
      hint: expect.stringContaining('stop the program that uses port 8734'),
    });
  });

  test('cannot be created for an address of another machine', () => {
    expect(() =>
      loopbackTargets(['https://example.test/cb', 'http://127.0.0.1.evil.test/cb', 'app:/cb']),
    ).toThrow('no redirect URI points to this machine');
  });
});
