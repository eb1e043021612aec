import { chmodSync, cpSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { sandboxHttp, signInAs, userOf } from '../support/sandbox.ts';
import { temporaryPaths } from '../support/temporary.ts';

const fixture = 'test/fixtures/caa7557';
const origin = 'http://127.0.0.1:24310';
const hour = 3_600_000;

interface OldSession {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly signedInAt: number;
  readonly expiresAt: number;
  readonly generation: number;
}

function readSession(folder: string, profile: string): OldSession {
  return JSON.parse(readFileSync(join(folder, 'sessions', `${profile}.json`), 'utf8')) as OldSession;
}

const old = readSession(join(fixture, 'config'), 'default');

/** Copies of the old files with the modes that ucctl gives them: Git does not store modes. */
function copyOldFiles() {
  const paths = temporaryPaths();
  for (const name of ['config', 'state'] as const) {
    cpSync(join(fixture, name), paths[name], { recursive: true });
    restrict(paths[name]);
  }
  return paths;
}

function restrict(path: string): void {
  const isFolder = statSync(path).isDirectory();
  chmodSync(path, isFolder ? 0o700 : 0o600);
  if (isFolder) for (const name of readdirSync(path)) restrict(join(path, name));
}

/**
 * The old files and a sandbox of now. The sandbox has not issued the old tokens, so the network checks them and puts tokens of this sandbox in their
 * place.
 */
async function openOldFiles() {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const send = sandboxHttp(sandbox);
  const token = await signInAs(sandbox, 'administrator');
  const user = userOf(sandbox, 'administrator');
  const seen: string[] = [];
  const renewals: unknown[] = [];
  const http: HttpSend = (request) => {
    const { authorization } = request.headers;
    const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body ?? []).toString();
    seen.push(`${request.method} ${request.url.origin}${request.url.pathname}`);
    if (request.url.pathname.endsWith('/oauth/token')) {
      renewals.push(Object.fromEntries(new URLSearchParams(body)));
      const { username, extension, password } = user;
      const again = new URLSearchParams({ grant_type: 'password', username, extension, password });
      return send({ ...request, body: again.toString() });
    }
    const isOld = authorization === `Bearer ${old.accessToken}`;
    return send(
      isOld ? { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } } : request,
    );
  };
  const paths = copyOldFiles();
  const run = (line: string, now = old.signedInAt + 60_000) =>
    runUcctl(line, { sandbox: { http }, paths, now });
  return { paths, run, seen, renewals };
}

describe('files that commit caa7557 wrote', () => {
  it('give every setting of both profiles', async () => {
    const { run } = await openOldFiles();
    const settings = async (profile: string): Promise<Readonly<Record<string, unknown>>> => {
      const { exit, stdout, stderr } = await run(`config list -p ${profile} -o json`);
      expect([exit, stderr]).toEqual([0, '']);
      const rows = JSON.parse(stdout) as readonly { key: string; value: unknown; origin: string }[];
      return Object.fromEntries(
        rows.filter((row) => row.origin === 'profile').map(({ key, value }) => [key, value]),
      );
    };
    expect(await settings('default')).toEqual({
      'base-url': origin,
      'client-id': 'sandbox-desk',
      'redirect-uris': 'http://127.0.0.1:8735/callback',
      store: 'file',
      timeout: 45,
      language: 'en-US',
      output: 'json',
      protect: '103,José',
      'media-hosts': 'media.example.com',
      'webhook-limit': 800,
      'default-country': 'US',
      'sms-from': '+16505550110',
      'allow-prefixes': '+1650,+1555',
      'forbid-prefixes': '+1900',
      'quiet-hours': '22:00-07:00 Europe/Berlin',
      'max-per-hour': 100,
      retry: 2,
      'max-wait': 180,
    });
    expect(await settings('dana')).toEqual({
      'base-url': origin,
      'client-id': 'sandbox-desk',
      store: 'file',
      dialect: 'current',
      'chat-path': '/chat/v1',
      'channel-transport': 'Channel/HTTP',
      'ringout-path': 'ring-out',
      'read-only': true,
    });
  });

  it('keep the other settings and the other profile when one setting changes', async () => {
    const { run, paths } = await openOldFiles();
    const read = (): { profiles: Record<string, object> } =>
      JSON.parse(readFileSync(join(paths.config, 'config.json'), 'utf8')) as ReturnType<typeof read>;
    const before = read();
    expect((await run('config set timeout 20')).exit).toBe(0);
    const { default: changed, ...others } = before.profiles;
    expect(read()).toEqual({
      ...before,
      profiles: { ...others, default: { ...changed, timeoutSeconds: 20 } },
    });
  });

  it('hold a session that needs no new sign-in', async () => {
    const { run, seen } = await openOldFiles();
    const { exit, stdout, stderr } = await run('queue list --fields name -o tsv');
    expect([exit, stdout, stderr]).toEqual([0, 'Support\nSales\nBilling\n', '']);
    expect(seen).not.toHaveLength(0);
    expect(seen.every((line) => line.startsWith(`GET ${origin}/`))).toBe(true);
  });

  it('hold a session that is renewed after its access token has expired', async () => {
    const { run, paths, seen, renewals } = await openOldFiles();
    const { exit, stderr } = await run('queue list --fields name -o tsv', old.expiresAt + hour);
    expect([exit, stderr, seen[0]]).toEqual([0, '', `POST ${origin}/restapi/oauth/token`]);
    expect(renewals).toEqual([
      expect.objectContaining({ grant_type: 'refresh_token', refresh_token: old.refreshToken }),
    ]);
    const renewed = readSession(paths.config, 'default');
    expect(renewed.generation).toBe(old.generation + 1);
    expect(renewed.signedInAt).toBe(old.signedInAt);
  });

  it('remember the dedupe key of a text that was sent', async () => {
    const { run } = await openOldFiles();
    const again = await run(
      'sms send --to +16505550199 "Hello from caa7557" --dedupe-key release-1 --yes',
      Date.UTC(2026, 10, 22, 13, 50),
    );
    expect([again.exit, again.stderr]).toEqual([11, expect.stringContaining('release-1')]);
  });
});
