import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { createUndiciHttp } from '../../../src/client/undici-http.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import type { Paths } from '../../../src/runtime/context.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { freePort } from '../../support/free-port.ts';
import { runUcctl, type RunOptions, type RunResult } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly todo?: string;
}
interface Desk {
  readonly sandbox: Sandbox;
  readonly paths: Paths;
  readonly signIn: () => Promise<void>;
  readonly doctor: (
    flags?: string,
    more?: RunOptions,
  ) => Promise<{ readonly exit: number; readonly stderr: string; readonly findings: readonly Finding[] }>;
  readonly run: (line: string, more?: RunOptions) => Promise<RunResult>;
}

async function desk(
  around: (send: HttpSend) => HttpSend = (send) => send,
  outside: (send: HttpSend) => HttpSend = (send) => send,
): Promise<Desk> {
  const sandbox = await startSandbox({ listen: false });
  const network = createUndiciHttp();
  onTestFinished(async () => {
    await network.close();
    await sandbox.close();
  });
  const paths = temporaryPaths();
  const inside = around(sandboxHttp(sandbox));
  const reachable = outside((request) => network.send(request));
  const http: HttpSend = (request) =>
    request.url.origin === sandbox.url ? inside(request) : reachable(request);
  const run: Desk['run'] = (line, more = {}) =>
    runUcctl(line, {
      sandbox: { http },
      paths,
      now: () => sandbox.clock.now(),
      ...more,
      env: {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_STORE: 'file',
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        ...more.env,
      },
    });
  const signIn = async (): Promise<void> => {
    const { username, password } = userOf(sandbox, '102');
    const line = `login --flow password --username ${username}`;
    expect((await run(line, { env: { UCCTL_PASSWORD: password } })).exit).toBe(0);
  };
  const doctor: Desk['doctor'] = async (flags = '', more = {}) => {
    const { exit, stdout, stderr } = await run(`doctor ${flags} -o json`, more);
    return { exit, stderr, findings: JSON.parse(stdout) as Finding[] };
  };
  return { sandbox, paths, signIn, doctor, run };
}

/** Sets the Date of every reply. */
function dated(date: (sandboxNow: number) => number | undefined): (send: HttpSend) => HttpSend {
  return (send) => async (request) => {
    const reply = await send(request);
    const at = date(Date.UTC(2026, 0, 5, 9));
    const header = (name: string): string | undefined => {
      if (name !== 'date') return reply.header(name);
      return at === undefined ? undefined : new Date(at).toUTCString();
    };
    return { ...reply, header };
  };
}

const named = (findings: readonly Finding[], check: string): Finding | undefined =>
  findings.find((one) => one.check === check);

describe('doctor', () => {
  test('checks everything, and exits with 0 if nothing fails', async () => {
    const { signIn, doctor } = await desk(dated((now) => now));
    await signIn();
    const { exit, findings } = await doctor();
    expect(findings.map(({ check, result }) => [check, result])).toEqual([
      ['config', 'ok'],
      ['folders', 'ok'],
      ['proxy', 'ok'],
      ['base-url', 'ok'],
      ['clock', 'ok'],
      ['tls', 'ok'],
      ['media-hosts', 'ok'],
      ['keychain', 'warn'],
      ['token', 'ok'],
      ['permissions', 'ok'],
      ['live-events', 'ok'],
      ['webhook', 'ok'],
      ['databases', 'ok'],
    ]);
    expect(named(findings, 'token')?.found).toMatch(
      /^the service accepts the session of Dana Okafor \(102\)$/,
    );
    expect(named(findings, 'permissions')?.found).toMatch(/^not checked: .*at the sign-in/);
    expect(exit).toBe(0);
  });

  test('exits with 1 if a check fails, and every finding that is not ok says what to do', async () => {
    const { doctor } = await desk(dated((now) => now));
    const { exit, stderr, findings } = await doctor();
    expect(exit).toBe(1);
    expect(named(findings, 'token')).toMatchObject({ result: 'fail', todo: 'ucctl login' });
    expect(stderr).toContain('1 of 12 checks failed: token');
    const mute = findings.filter(({ result, todo }) => result !== 'ok' && !todo);
    expect(mute).toEqual([]);
  });

  test.each([
    ['ten seconds', 10_000, 'ok', 'matches'],
    ['two minutes behind', 120_000, 'warn', "is 120 s behind the service's"],
    ['two minutes ahead', -121_000, 'warn', "is 120 s ahead of the service's"],
    ['a day behind', 86_400_000, 'fail', 'behind'],
  ])('clock: %s', async (_name, skew, result, text) => {
    const { doctor } = await desk(dated((now) => now + skew));
    const { findings } = await doctor();
    expect(named(findings, 'clock')).toMatchObject({ result, found: expect.stringContaining(text) });
  });

  test('clock: a service without Date cannot be compared', async () => {
    const { doctor } = await desk(dated(() => undefined));
    expect(named((await doctor()).findings, 'clock')?.result).toBe('warn');
  });

  test('base-url: nothing there; the session is not tried', async () => {
    const { doctor, sandbox, signIn } = await desk();
    await signIn();
    const http: HttpSend = () =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', sandbox.url, undefined));
    const { exit, findings } = await doctor('', { sandbox: { http } });
    expect(exit).toBe(1);
    expect(named(findings, 'base-url')?.found).toContain('does not respond (ECONNREFUSED)');
    expect(named(findings, 'token')).toMatchObject({
      result: 'warn',
      found: 'skipped because base-url failed',
    });
  });

  test.each([
    [200, '<html>Welcome</html>', 'warn', 'responds with text/html instead of', 'is not JSON'],
    [200, undefined, 'warn', 'responds without content instead of', 'an empty body'],
    [200, '{"ok":true}', 'ok', 'responds', 'is not a list of records'],
    [404, 'not found', 'warn', 'responds with HTTP 404 instead of', 'HTTP 404'],
  ])('base-url: another server (HTTP %s, %s) is not a problem of the session', async (...row) => {
    const [status, body, result, found, problem] = row;
    const type = body?.startsWith('{') ? 'application/json' : 'text/html; charset=utf-8';
    const server = createServer((_request, reply) => {
      reply.writeHead(status, body === undefined ? {} : { 'content-type': type }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { doctor } = await desk();
    const env = {
      UCCTL_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      UCCTL_TOKEN: 'token',
    };
    const { findings } = await doctor('', { env });
    expect(named(findings, 'base-url')).toMatchObject({ result, found: expect.stringContaining(found) });
    expect(named(findings, 'token')).toMatchObject({
      result: 'fail',
      found: expect.stringContaining(problem),
      todo: 'check the base URL: ucctl config list --show-origin',
    });
  });

  test('base-url: none at all', async () => {
    const { doctor } = await desk();
    const { findings } = await doctor('', { env: { UCCTL_BASE_URL: '' } });
    expect(named(findings, 'base-url')?.todo).toContain('ucctl sandbox start');
  });

  test('tls: an untrusted certificate is distinguished from a network that is down', async () => {
    const { doctor, sandbox } = await desk();
    const http: HttpSend = () =>
      Promise.reject(new ConnectionError('DEPTH_ZERO_SELF_SIGNED_CERT', 'no', sandbox.url, undefined));
    const { findings } = await doctor('', { sandbox: { http } });
    expect(named(findings, 'tls')).toMatchObject({
      result: 'fail',
      todo: expect.stringContaining('UCCTL_CA_FILE'),
    });
  });

  test('tls: a server without TLS is not an untrusted certificate', async () => {
    const { doctor, sandbox } = await desk();
    const http: HttpSend = () =>
      Promise.reject(new ConnectionError('ERR_SSL_WRONG_VERSION_NUMBER', 'no', sandbox.url, undefined));
    const { findings } = await doctor('', { sandbox: { http } });
    expect(named(findings, 'tls')).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('does not use TLS (ERR_SSL_WRONG_VERSION_NUMBER)'),
      todo: 'check the address (from UCCTL_BASE_URL)',
    });
  });

  test('tls: checks that are turned off are a failure', async () => {
    const { doctor } = await desk();
    const { findings } = await doctor('', { env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(named(findings, 'tls')?.result).toBe('fail');
  });

  test.each([
    [{ HTTPS_PROXY: 'http://user:canary@proxy.example:3128' }, 'ok', 'http://proxy.example:3128 is used'],
    [{ https_proxy: 'proxy.example:3128' }, 'ok', 'http://proxy.example:3128 is used'],
    [{ https_proxy: 'proxy.example' }, 'fail', 'not an http:// or https:// address'],
    [
      { HTTPS_PROXY: 'http://proxy.example:1', NO_PROXY: 'localhost, .example.test' },
      'ok',
      'no proxy is used',
    ],
    [{ HTTP_PROXY: 'http://proxy.example:1' }, 'ok', 'no proxy is used'],
    [{ ALL_PROXY: 'http://proxy.example:1' }, 'ok', 'http://proxy.example:1 is used'],
    [
      { ALL_PROXY: 'http://a.example:1', HTTPS_PROXY: 'http://b.example:1' },
      'ok',
      'http://b.example:1 is used',
    ],
    [{ all_proxy: 'socks5://proxy.example:1' }, 'fail', 'all_proxy is not an http:// or https:// address'],
    [{ https_proxy: 'http://a.example:1', HTTPS_PROXY: 'http://b.example:1' }, 'ok', 'http://a.example:1'],
  ])('proxy: %o', async (env, result, text) => {
    const http: HttpSend = () =>
      Promise.reject(new ConnectionError('ENOTFOUND', 'no', 'https://api.example.test', undefined));
    const { doctor } = await desk();
    const { findings } = await doctor('', {
      sandbox: { http },
      env: { ...env, UCCTL_BASE_URL: 'https://api.example.test' },
    });
    const proxy = named(findings, 'proxy');
    expect(proxy).toMatchObject({ result, found: expect.stringContaining(text) });
    expect(JSON.stringify(findings)).not.toContain('canary');
  });

  test('proxy: the proxy of the flag is used and tried; an unreachable proxy is reported as the cause', async () => {
    const { doctor } = await desk();
    const gone = `http://127.0.0.1:${await freePort()}`;
    const http: HttpSend = () =>
      Promise.reject(
        new ConnectionError('ECONNREFUSED', 'no', 'https://api.example.test', undefined, { proxy: gone }),
      );
    const env = { HTTPS_PROXY: 'http://other.example:1', UCCTL_BASE_URL: 'https://api.example.test' };
    const { exit, stderr, findings } = await doctor(`--proxy ${gone}`, { sandbox: { http }, env });
    expect(exit).toBe(1);
    expect(named(findings, 'proxy')).toMatchObject({
      result: 'fail',
      found: `${gone} does not respond (ECONNREFUSED)`,
      todo: expect.stringContaining('--proxy'),
    });
    expect(named(findings, 'base-url')?.found).toContain('because the proxy failed');
    expect(named(findings, 'token')?.found).toContain('because proxy failed');
    expect(stderr).toContain('checks failed: proxy');
  });

  test.each([
    ['--ca-file /nonexistent/ca.pem', 'tls', 'cannot read the certificate authorities', '--ca-file'],
    ['--proxy socks5://user:canary@proxy.example:1', 'proxy', '--proxy is not an http', 'http://HOST:PORT'],
  ])('%s, which prevents every request, is reported with its fix', async (flags, check, found, todo) => {
    const env = { UCCTL_BASE_URL: `http://127.0.0.1:${await freePort()}` };
    const { exit, stdout } = await runUcctl(`doctor ${flags} -o json`, { env });
    const findings = JSON.parse(stdout) as Finding[];
    expect(exit).toBe(1);
    expect(findings.filter(({ result }) => result === 'fail').map((one) => one.check)).toEqual(
      expect.arrayContaining([check]),
    );
    const failed = findings.find((one) => one.check === check);
    expect(failed?.found).toContain(found);
    expect(failed?.todo).toContain(todo);
    for (const one of ['token', 'webhook'])
      expect(named(findings, one)?.found).toBe(`skipped because ${check} failed`);
    expect(stdout).not.toMatch(/canary|\(usage\)|another --port/);
  });

  test('tls: a wrong host name is not reported as an unknown authority, and the session is not tried', async () => {
    const { doctor, sandbox } = await desk();
    const http: HttpSend = () =>
      Promise.reject(new ConnectionError('ERR_TLS_CERT_ALTNAME_INVALID', 'no', sandbox.url, undefined));
    const { findings } = await doctor('', { sandbox: { http } });
    expect(named(findings, 'tls')?.todo).toContain('host name');
    expect(named(findings, 'token')?.found).toContain('because tls failed');
  });

  test('permissions: a rejected session has none', async () => {
    const { doctor, signIn } = await desk((send) => (request) => {
      const isTrial = request.url.pathname.endsWith('/subscription');
      return send(
        isTrial ? { ...request, headers: { ...request.headers, authorization: 'Bearer other' } } : request,
      );
    });
    await signIn();
    const { findings } = await doctor();
    expect(named(findings, 'token')?.result).toBe('fail');
    expect(named(findings, 'permissions')).toBeUndefined();
  });

  test('permissions: names the commands that the session has no permission for', async () => {
    const { doctor, run, sandbox, paths } = await desk();
    const partner = sandbox.ready.apps.find(({ clientId }) => clientId === 'sandbox-partner');
    const { brandId, accountId } = sandbox.ready;
    const line = `login --flow client-credentials --session account --brand-id ${brandId} --account-id ${accountId}`;
    const env = { UCCTL_CLIENT_ID: 'sandbox-partner', UCCTL_CLIENT_SECRET: partner?.clientSecret ?? '' };
    expect((await run(line, { env })).exit).toBe(0);
    const file = join(paths.config, 'sessions', 'default.json');
    const record = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...record, scope: 'ReadAccounts' }), { mode: 0o600 });
    const { findings } = await doctor();
    expect(named(findings, 'permissions')).toMatchObject({
      result: 'warn',
      found: expect.stringContaining('ucctl sms send (SMS)'),
    });
    expect(named(findings, 'permissions')?.found).not.toContain('queue list');
    expect(named(findings, 'token')?.result).toBe('warn');
    const inCurrent = (await doctor('--dialect current')).findings;
    expect(named(inCurrent, 'permissions')?.found).toMatch(
      /ucctl queue assign \(EditExtensions\).*webhook create \(TeamMessaging\)/,
    );
    // A permission that ucctl does not know may include the others.
    writeFileSync(file, JSON.stringify({ ...record, scope: 'ReadAccounts Brand.New' }), { mode: 0o600 });
    expect(named((await doctor()).findings, 'permissions')).toMatchObject({
      result: 'ok',
      found: expect.stringMatching(/^not checked: .*\(Brand\.New\).*ucctl sms send \(SMS\)/),
    });
  });

  test.each([
    ['spec', 'platform.example.com, files.example.net'],
    ['current', 'platform.example.com, https hosts of example.com, files.example.net'],
  ])('media-hosts in dialect %s: the token is sent to %s', async (dialect, hosts) => {
    const { doctor } = await desk();
    const env = { UCCTL_BASE_URL: 'https://platform.example.com', UCCTL_MEDIA_HOSTS: 'files.example.net' };
    const unreachable: HttpSend = () =>
      Promise.reject(new ConnectionError('ENOTFOUND', 'no', 'https://platform.example.com', undefined));
    const { findings } = await doctor(`--dialect ${dialect}`, { env, sandbox: { http: unreachable } });
    expect(named(findings, 'media-hosts')).toMatchObject({
      result: 'ok',
      found: `to download files, ucctl sends the access token only to ${hosts}`,
    });
  });

  test('folders: one that ucctl cannot create is named', async () => {
    const { doctor, paths } = await desk();
    writeFileSync(paths.cache, '');
    expect(named((await doctor()).findings, 'folders')).toEqual({
      check: 'folders',
      result: 'warn',
      found: `ucctl cannot write to ${paths.cache} (a part of the path is not a folder)`,
      todo: 'check the owner and mode of the folder, or select another folder: ucctl help environment',
    });
  });

  test('databases: one that another process has locked is not called damaged', async () => {
    const { doctor, paths } = await desk();
    mkdirSync(paths.state, { recursive: true });
    const db = openDatabase(join(paths.state, 'locked.db'));
    onTestFinished(() => db.close());
    db.exec('PRAGMA locking_mode = EXCLUSIVE; CREATE TABLE one (id INTEGER) STRICT;');
    const found = named((await doctor()).findings, 'databases');
    expect(found).toMatchObject({ result: 'warn', found: expect.stringContaining('locked.db') });
    expect(found?.found).not.toContain('damaged');
  });

  test('databases: a damaged one is named', async () => {
    const { doctor, paths } = await desk();
    mkdirSync(paths.data, { recursive: true });
    const good = openDatabase(join(paths.data, 'good.db'));
    good.exec('CREATE TABLE a (b TEXT) STRICT');
    good.close();
    expect(named((await doctor()).findings, 'databases')).toMatchObject({
      result: 'ok',
      found: '1 checked, no damage found',
    });
    writeFileSync(join(paths.data, 'bad.db'), 'this is not a database at all, but long enough to look at');
    const { exit, findings } = await doctor();
    expect(exit).toBe(1);
    expect(named(findings, 'databases')?.found).toContain('bad.db');
    // The copy of a mailbox.
    writeFileSync(
      join(paths.data, 'copy.sqlite'),
      'this is not a database at all, but long enough to look at',
    );
    expect(named((await doctor()).findings, 'databases')?.found).toContain('copy.sqlite');
  });

  test.skipIf(process.platform !== 'linux')(
    'databases: one that the disk cannot read is not called damaged',
    async () => {
      const { doctor, paths } = await desk();
      mkdirSync(paths.data, { recursive: true });
      const file = join(paths.data, 'unread.db');
      writeFileSync(file, 'this is not a database at all, but long enough to look at');
      // Reading this file of Linux fails with EIO.
      symlinkSync('/proc/self/mem', `${file}-wal`);
      expect(named((await doctor()).findings, 'databases')).toMatchObject({
        result: 'warn',
        found: `not checked: cannot use the database ${file}: the disk failed to read or write the file`,
        todo: expect.stringContaining('check the disk for errors'),
      });
      const damaged = join(paths.data, 'damaged.db');
      writeFileSync(damaged, 'this is not a database at all, but long enough to look at');
      expect(named((await doctor()).findings, 'databases')).toMatchObject({
        result: 'fail',
        found: expect.stringMatching(/^damaged: .*damaged\.db.*; not checked: .*unread\.db: the disk failed/),
      });
    },
  );
});

function pass(url: string, token: string): Promise<Response | undefined> {
  const request = { method: 'POST', headers: { 'validation-token': token } };
  return fetch(url, request).catch(() => undefined);
}

describe('doctor --public-url', () => {
  /** A tunnel as others run them: passes requests on to a port of this machine. */
  async function tunnel(to: number, answer?: (headers: Headers) => void): Promise<string> {
    const server = createServer((incoming, outgoing) => {
      const token = incoming.headers['validation-token'];
      void pass(`http://127.0.0.1:${to}${incoming.url}`, String(token)).then((reply) => {
        const headers = new Headers(reply?.headers);
        answer?.(headers);
        return outgoing.writeHead(reply?.status ?? 502, Object.fromEntries(headers)).end();
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('a tunnel to this machine passes', async () => {
    const { doctor } = await desk();
    const port = await freePort();
    const url = await tunnel(port);
    const { findings } = await doctor(`--public-url ${url} --port ${port}`);
    expect(named(findings, 'webhook')).toMatchObject({ result: 'ok', found: expect.stringContaining(url) });
  });

  test('a tunnel to another machine, and one that drops the header, fail', async () => {
    const { doctor } = await desk();
    const port = await freePort();
    const elsewhere = await tunnel(await freePort());
    const lost = await doctor(`--public-url ${elsewhere} --port ${port}`);
    expect(named(lost.findings, 'webhook')).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('the handshake did not reach ucctl'),
    });
    const dropping = await tunnel(port, (headers) => headers.delete('validation-token'));
    const dropped = await doctor(`--public-url ${dropping} --port ${port}`);
    expect(named(dropped.findings, 'webhook')).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('does not return the handshake reply'),
    });
  });

  test('a port in use suggests another port, and a blocked handshake does not', async () => {
    const { doctor } = await desk();
    await using server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    const taken = await doctor(`--port ${port}`);
    expect(named(taken.findings, 'webhook')).toMatchObject({
      found: `port ${port} of 127.0.0.1 is already in use`,
      todo: 'choose another port with --port',
    });
    const tunnelled = await doctor(`--public-url ${await tunnel(port)} --port ${port}`);
    expect(named(tunnelled.findings, 'webhook')).toMatchObject({
      todo: 'choose another port with --port, and configure the tunnel to forward to it',
    });
    const blocked = await desk(
      undefined,
      () =>
        ({ url }) =>
          Promise.reject(new ConnectionError('ECONNREFUSED', 'no', url.origin, undefined)),
    );
    const { findings } = await blocked.doctor();
    expect(named(findings, 'webhook')).toMatchObject({
      result: 'fail',
      todo: 'check that no firewall or proxy blocks connections to 127.0.0.1',
    });
  });

  test('plain http to another machine is rejected', async () => {
    const { doctor } = await desk();
    const { findings } = await doctor('--public-url http://hooks.example.test');
    expect(named(findings, 'webhook')?.result).toBe('fail');
  });
});
