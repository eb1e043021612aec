import { X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { get } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { operationsOf } from '../../../src/contract/operations.ts';
import { prometheusText } from '../../../src/sandbox/control/prometheus.ts';
import { openApi } from '../../../src/sandbox/control/openapi.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { makeCertificates } from '../../../src/sandbox/server/tls.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { openWorld } from '../open-world.ts';
import { userClient } from '../request.ts';

describe('spec:SANDBOX-22 for those who watch over servers', () => {
  test('livez, readyz and metrics', async () => {
    await using sandbox = await startSandbox();
    const user = await userClient(sandbox, '102');
    await user.get('/account/~/extension/~/presence');
    const read = async (path: string) => (await fetch(sandbox.url + path)).text();
    expect([await read('/livez'), await read('/readyz')]).toEqual(['ok\n', 'ok\n']);
    const metrics = await read('/metrics');
    expect(metrics).toContain('ucctl_sandbox_requests_total{operation="readPresence",status="200"} 1\n');
    for (const line of metrics.trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \S+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? -?\d+(\.\d+)?)$/);
    }
  });

  test('an error of the sandbox itself: 500 without a reason, counted, reported to the listener', async () => {
    using office = openWorld({}, false);
    office.world.database.exec('ALTER TABLE presence RENAME TO hidden');
    const reply = await office.get('102', '/account/~/extension/~/presence');
    expect(reply.status).toBe(500);
    expect(await reply.json()).toEqual({
      errorCode: 'CMN-203',
      message: 'Internal error',
      errors: [{ errorCode: 'CMN-203', message: 'Internal error' }],
    });
    expect(office.failures.map(String)).toEqual([expect.stringContaining('presence')]);
    expect(office.world.requestLog.list()).toMatchObject([
      { path: '/restapi/v1.0/account/~/extension/~/presence', status: 500, errorMessage: 'Internal error' },
    ]);
    expect(prometheusText(office.world)).toContain('ucctl_sandbox_failures_total{name="Error"} 1\n');
  });

  test('OpenAPI 3.1: every operation and alias of the contract, every reference resolves', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const reply = await sandbox.fetch(new Request(`${sandbox.url}/openapi.json`));
    const document = (await reply.json()) as {
      openapi: string;
      info: object;
      paths: Record<
        string,
        Record<string, { operationId: string; responses: object; parameters: { name: string; in: string }[] }>
      >;
    };
    expect(document.openapi).toBe('3.1.0');
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([...operationsOf('spec').keys()]));
    for (const [path, item] of Object.entries(document.paths)) {
      for (const { parameters, responses } of Object.values(item)) {
        const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
        expect(named.toSorted()).toEqual(
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '').toSorted(),
        );
        expect(Object.keys(responses)).toContain('default');
      }
    }
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref);
    expect(new Set(refs)).toEqual(new Set(['#/components/schemas/Error']));
  });
});

test('OpenAPI says how bodies come, and tells parts and several replies', () => {
  const { paths } = openApi('http://127.0.0.1', 'spec') as {
    readonly paths: Readonly<
      Record<string, Record<string, { requestBody?: { content: object }; responses: object }>>
    >;
  };
  const own = '/restapi/v1.0/account/{accountId}/extension/{extensionId}';
  const types = (path: string) => Object.keys(paths[own + path]?.['post']?.requestBody?.content ?? {});
  expect(types('/sms')).toEqual(['application/json', 'multipart/form-data', 'multipart/mixed']);
  expect(types('/fax')).toEqual(['multipart/form-data', 'multipart/mixed', 'application/json']);
  const statuses = (path: string) => Object.keys(paths[own + path]?.['get']?.responses ?? {});
  expect(statuses('/message-store/{messageId}')).toEqual(['200', '207', 'default']);
  expect(statuses('/message-store/{messageId}/content/{contentId}')).toEqual(['200', '206', 'default']);
});

describe('spec:SANDBOX-15 how it listens', () => {
  test('spec:SANDBOX-15 --tls: the authority in the ready file makes the certificate trusted', async () => {
    await using sandbox = await startSandbox({ tls: true });
    expect(sandbox.url).toMatch(/^https:\/\/127\.0\.0\.1:/);
    const ca = readFileSync(sandbox.ready.ca ?? '', 'utf8');
    const status = (options: object) =>
      new Promise((resolve) => {
        get(`${sandbox.url}/livez`, options, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
      });
    expect(await status({ ca })).toBe(200);
    expect(await status({ ca, servername: 'localhost' })).toBe(200);
    expect(await status({})).toMatch(/SELF_SIGNED|UNABLE_TO|CERT/);
  });

  test('--tls: the certificate is also for the host of the public URL', async () => {
    await using sandbox = await startSandbox({ tls: true, publicUrl: 'https://sandbox.test:8443' });
    const options = { ca: readFileSync(sandbox.ready.ca ?? '', 'utf8'), servername: 'sandbox.test' };
    const status = new Promise((resolve) => {
      get(`${sandbox.url}/livez`, options, (reply) => resolve(reply.resume().statusCode)).on(
        'error',
        (error: NodeJS.ErrnoException) => resolve(error.code),
      );
    });
    expect(await status).toBe(200);
  });

  test('--tls: the certificate is for the addresses of --host', async () => {
    const named = async (host: string): Promise<X509Certificate> =>
      new X509Certificate((await makeCertificates(temporaryFolder(), Date.now(), host)).cert);
    expect((await named('192.0.2.1')).checkIP('192.0.2.1')).toBe('192.0.2.1');
    expect((await named('sandbox.example')).checkHost('sandbox.example')).toBe('sandbox.example');
    const every = await named('0.0.0.0');
    const own = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
    expect(own.map((address) => every.checkIP(address))).toEqual(own);
    await using sandbox = await startSandbox({ tls: true, host: '127.0.0.2' });
    const status = new Promise((resolve, reject) => {
      const options = { ca: readFileSync(sandbox.ready.ca ?? '', 'utf8') };
      get(`${sandbox.url}/livez`, options, (reply) => resolve(reply.resume().statusCode)).on('error', reject);
    });
    expect(await status).toBe(200);
  });

  test('sandboxes with one folder for certificates do not replace the authority of each other', async () => {
    const folder = temporaryFolder();
    const first = await startSandbox({ tls: true, tlsFolder: folder });
    const ca = readFileSync(first.ready.ca ?? '', 'utf8');
    await (await startSandbox({ tls: true, tlsFolder: folder })).close();
    expect(readFileSync(first.ready.ca ?? '', 'utf8')).toBe(ca);
    await first.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('spec:SANDBOX-15 --media-port: a second origin that answers the same', async () => {
    await using sandbox = await startSandbox({ mediaPort: 0 });
    expect(sandbox.ready.mediaUrl).not.toBe(sandbox.url);
    expect((await fetch(`${sandbox.ready.mediaUrl}/livez`)).status).toBe(200);
  });

  test('two sandboxes cannot use one database', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ucctl-lock-'));
    const database = join(folder, 'office.db');
    const first = await startSandbox({ listen: false, database });
    await expect(startSandbox({ listen: false, database })).rejects.toMatchObject({
      code: 'DATABASE_IN_USE',
    });
    const link = join(folder, 'link.db');
    await symlink(database, link);
    await expect(startSandbox({ listen: false, database: link })).rejects.toMatchObject({
      code: 'DATABASE_IN_USE',
    });
    await first.close();
    await (await startSandbox({ listen: false, database: link })).close();
    await (await startSandbox({ listen: false, database })).close();
    await rm(folder, { recursive: true });
  });

  test('a link to a database that does not exist yet has the lock of the database', async () => {
    const folder = temporaryFolder();
    const database = join(folder, 'office.db');
    await symlink('office.db', join(folder, 'near.db'));
    await mkdir(join(folder, 'links'));
    await symlink('../near.db', join(folder, 'links', 'far.db'));
    const first = await startSandbox({ listen: false, database: join(folder, 'links', 'far.db') });
    for (const other of [database, join(folder, 'near.db'), join(folder, 'links', 'far.db')]) {
      await expect(startSandbox({ listen: false, database: other })).rejects.toMatchObject({
        code: 'DATABASE_IN_USE',
      });
    }
    await first.close();
    expect(existsSync(database)).toBe(true);
    await (await startSandbox({ listen: false, database })).close();
  });

  test('bad input: a slow client, a malformed request and headers too large get an error of the service', async () => {
    await using sandbox = await startSandbox();
    await using hasty = await startSandbox({ requestMilliseconds: 300 });
    const send = async (bytes: string, { url } = sandbox) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.write(bytes);
      return text(socket);
    };
    expect(
      await send('POST /restapi/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nx', hasty),
    ).toMatch(/^HTTP\/1\.1 408 [^]*"errorCode"/);
    expect(await send('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"errorCode"/);
    expect(await send(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 [^]*"errorCode"/,
    );
    const alive = await fetch(`${sandbox.url}/livez`);
    expect(alive.status).toBe(200);
    expect(alive.headers.get('keep-alive')).toBe('timeout=65');
  });

  test('a client that goes away in the middle of a body is not a failure', async () => {
    await using sandbox = await startSandbox();
    const socket = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    const head = 'POST /restapi/oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n';
    await new Promise((resolve) => {
      socket.write(`${head}grant`, resolve);
    });
    socket.destroy();
    expect((await fetch(`${sandbox.url}/livez`)).status).toBe(200);
  });
});
