import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import type { Fault } from '../../foreign/web-socket/fault.ts';
import { MisbehavingService, type Secure } from '../../foreign/web-socket/service.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { eventually } from '../../support/eventually.ts';
import { runUcctl, type RunOptions } from '../../support/run-ucctl.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { TurnClock } from '../../support/turn-clock.ts';

const none: Fault = { name: 'none', tokens: Infinity };

async function start(fault: Fault, now: () => number, secure?: Secure): Promise<MisbehavingService> {
  const service = new MisbehavingService(fault, now, secure);
  await service.listen();
  onTestFinished(() => service.close());
  return service;
}

/** `subscribe tail`, with the ids of the messages that it has shown. */
function tail(service: MisbehavingService, options: RunOptions, words = '') {
  const stop = new AbortController();
  onTestFinished(() => stop.abort(new Interrupted('SIGINT')));
  const seen = { stdout: '', stderr: '', exit: undefined as number | undefined };
  const running = runUcctl(`subscribe tail --events messages -o ndjson ${words}`, {
    ...options,
    env: {
      UCCTL_BASE_URL: service.origin,
      UCCTL_TOKEN: 'token-of-the-user-1',
      UCCTL_DIALECT: 'current',
      ...options.env,
    },
    signal: stop.signal,
    onStdout: (text) => void (seen.stdout += text),
    onStderr: (text) => void (seen.stderr += text),
  }).then(({ exit }) => (seen.exit = exit));
  running.catch(() => undefined);
  const shown = () => [...seen.stdout.matchAll(/"newMessageIds":\["(\d+)"\]/g)].map(([, id = '']) => id);
  return {
    seen,
    shown,
    ready: () =>
      eventually(() =>
        expect([seen.exit, seen.stderr]).toEqual([undefined, expect.stringContaining('"ready"')]),
      ),
    until: (count: number) => eventually(() => expect(new Set(shown()).size).toBe(count)),
    async end() {
      stop.abort(new Interrupted('SIGINT'));
      return running;
    },
    running,
  };
}

/** A proxy that alone knows the names of a service, and requires a password. */
async function startProxy(
  port: () => number,
  rejects: (attempt: number) => number | undefined = () => undefined,
) {
  const requests: string[] = [];
  const proxy = createServer().on('connect', (request, client) => {
    requests.push(
      `${request.url} ${request.headers['proxy-authorization'] ?? ''} ${request.rawHeaders.join(' ')}`,
    );
    const status = rejects(requests.length);
    client.on('error', () => undefined);
    if (status !== undefined) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const upstream = connect(port(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://user:pass%3Aword@127.0.0.1:${(proxy.address() as AddressInfo).port}`, requests };
}

async function secureOffice(rejects?: (attempt: number) => number | undefined) {
  const name = 'service.test';
  const pair = await makeCertificate(name);
  const caFile = join(temporaryFolder(), 'ca.pem');
  writeFileSync(caFile, pair.cert);
  const service = await start(none, () => Date.now(), { name, ...pair });
  const proxy = await startProxy(() => service.port, rejects);
  return { service, proxy, caFile };
}

describe('Ctrl-C while a session opens', () => {
  it.each<[string, Partial<Fault>, (service: MisbehavingService) => number]>([
    ['connection details', { greeting: () => 'none' }, ({ connections }) => connections],
    ['a reply to the subscription', { response: () => [] }, ({ subscriptions }) => subscriptions],
  ])('ends the wait for %s', async (_, fault, attempts) => {
    const service = await start({ ...none, ...fault }, () => Date.now());
    const own = tail(service, {});
    await eventually(() => expect(attempts(service)).toBe(1));
    void own.end();
    await eventually(() => expect(own.seen.exit).toBe(130));
  });
});

describe('spec:SOCKET-1 a WebSocket over TLS through a proxy', () => {
  it('uses --proxy with its password and --ca-file, also after a lost connection; the proxy sees no token', async () => {
    const { service, proxy, caFile } = await secureOffice();
    const own = tail(service, {}, `--proxy ${proxy.url} --ca-file ${caFile}`);
    await own.ready();
    service.publish();
    await own.until(1);
    service.cut();
    service.publish();
    await own.until(2);
    expect(await own.end()).toBe(0);
    expect(own.shown()).toEqual(['1', '2']);
    const password = Buffer.from('user:pass:word').toString('base64');
    // Requests of HTTP share connections; each WebSocket has its own.
    expect(proxy.requests.length).toBeGreaterThanOrEqual(3);
    for (const line of proxy.requests)
      expect(line).toContain(`service.test:${service.port} Basic ${password}`);
    expect(proxy.requests.join('\n')).not.toMatch(/wstoken|token-of/);
    expect(own.seen.stderr).not.toMatch(/pass|wstoken-/);
  });

  it('is not opened without the certificate authority', async () => {
    const { service, proxy } = await secureOffice();
    const own = tail(service, {}, `--proxy ${proxy.url}`);
    expect(await own.running).toBe(7);
    expect(own.seen.stderr).toContain('--ca-file');
    expect(service.upgrades).toBe(0);
  });

  it('is opened later when the proxy rejects the tunnel at first', async () => {
    const clock = new TurnClock();
    // The first tunnel is for the token request.
    const { service, proxy, caFile } = await secureOffice((attempt) => (attempt === 2 ? 503 : undefined));
    const own = tail(service, { sleep: clock.sleep }, `--proxy ${proxy.url} --ca-file ${caFile}`);
    await own.ready();
    service.publish();
    await own.until(1);
    expect(await own.end()).toBe(0);
    expect(service.wstokens).toBe(2);
    expect(service.upgrades).toBe(1);
  });
});

describe('spec:ERROR-1: a connection that is lost on a network with a sign-in page', () => {
  it.each([200, 400, 403, 404])('is opened again after the page answers with HTTP %i', async (status) => {
    const clock = new TurnClock();
    const page = { status, body: 'page', headers: { 'content-type': 'text/html' } };
    const token = (attempt: number) => (attempt === 2 ? page : undefined);
    const service = await start({ ...none, token }, clock.now);
    const own = tail(service, { now: clock.now, sleep: clock.sleep });
    await own.ready();
    service.publish();
    await own.until(1);
    service.cut();
    service.publish();
    await own.until(2);
    expect(await own.end()).toBe(0);
    expect(own.shown()).toEqual(['1', '2']);
  });
});

describe('a clock that is set back while events arrive', () => {
  it.each([
    ['a connection that is recovered', undefined],
    ['a connection that cannot be recovered', 'Failed'],
  ] as const)('loses and repeats no event: %s', async (_, recovery) => {
    const clock = new TurnClock();
    // The clock of the service is right.
    const service = await start({ ...none, recovery: () => recovery }, () => clock.now() - clock.offset);
    const own = tail(service, { now: clock.now, sleep: clock.sleep });
    await own.ready();
    for (let count = 0; count < 5; count += 1) service.publish();
    await own.until(5);
    clock.offset = -3_600_000;
    service.publish();
    await own.until(6);
    service.cut();
    for (let count = 0; count < 5; count += 1) service.publish();
    await own.until(11);
    clock.offset = 0;
    service.publish();
    await own.until(12);
    expect(await own.end()).toBe(0);
    expect(own.shown().toSorted()).toEqual([...service.messageIds].toSorted());
    expect(service.reused).toEqual([]);
    // One token for each connection: the clock causes no further connections.
    expect(service.wstokens).toBe(2);
  });
});
