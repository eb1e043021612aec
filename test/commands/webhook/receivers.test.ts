import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Notification } from '../../../src/contract/subscription.ts';
import { conditionLimit } from '../../support/limits.ts';
import { connectedOffice, live, openTarget } from './listening.ts';

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A busy machine may reply more slowly than the service accepts. */
const longLimit = { env: { UCCTL_WEBHOOK_LIMIT: `${conditionLimit}ms` } };

const echo: RequestListener = (request, response) => {
  response.setHeader('validation-token', request.headers['validation-token'] ?? '');
  response.setHeader('content-type', 'application/json');
  response.end();
};

describe('webhook trigger', () => {
  it.each(['messages', 'presence', 'presence:detailed', 'presence:sip', 'lines', 'extensions', 'reminder'])(
    'sends a valid %s event',
    async (name) => {
      const office = await connectedOffice();
      const target = await openTarget();
      const { exit, stdout } = await office.run(
        `webhook trigger ${name} ${target.url} --extension 7 -o json`,
        {
          env: { ...longLimit.env, UCCTL_VERIFICATION_TOKEN: 'agreed' },
        },
      );
      expect(exit).toBe(0);
      const [sent] = target.requests;
      expect(sent?.headers['verification-token']).toBe('agreed');
      expect(Notification.parse(JSON.parse(sent?.body ?? ''))).toEqual(
        (JSON.parse(stdout) as { notification: unknown }[])[0]?.notification,
      );
    },
  );

  it('sends a handshake first with --handshake, and no event if it fails', async () => {
    const office = await connectedOffice();
    const target = await openTarget();
    const { exit, stderr } = await office.run(
      `webhook trigger messages ${target.url} --handshake`,
      longLimit,
    );
    expect(exit).toBe(1);
    expect(stderr).toContain('the reply has no Validation-Token header');
    expect(target.requests).toHaveLength(1);
  });

  it('sends events that webhook listen accepts', async () => {
    const office = await connectedOffice();
    const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 1');
    const edit = ['--edit', '.body.telephonyStatus = "OnHold"'];
    expect(
      (await office.run(['webhook', 'trigger', 'presence', ready.address, '--handshake', ...edit], longLimit))
        .exit,
    ).toBe(0);
    expect((await result).stdout).toContain('OnHold');
  });

  it.each([
    ['nonsense http://127.0.0.1:9/', 'unknown event'],
    ['messages ftp://x', 'is not a valid http:// or https:// URL'],
  ])('%s ends with 2', async (flags, words) => {
    const office = await connectedOffice();
    const { exit, stderr } = await office.run(`webhook trigger ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe('webhook check', () => {
  it('passes for webhook listen', async () => {
    const office = await connectedOffice();
    const { ready } = await live(office, 'webhook listen --no-subscribe');
    const { exit, stdout } = await office.run(`webhook check ${ready.address} -o json`, longLimit);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { check: 'handshake', status: 'ok', tries: 50, failed: 0 },
      { check: 'notification', status: 'ok', tries: 50, failed: 0 },
    ]);
  });

  const unsuitable: readonly (readonly [string, RequestListener])[] = [
    [
      'the reply has no Validation-Token header',
      (_, response) => {
        response.end();
      },
    ],
    [
      'the Validation-Token header differs from the token of the request',
      (_, response) => {
        response.setHeader('validation-token', 'x');
        response.end();
      },
    ],
    [
      'HTTP status is 500, expected 200',
      (request, response) => {
        response.statusCode = 500;
        echo(request, response);
      },
    ],
    [
      'expected application/json',
      (request, response) => {
        response.setHeader('validation-token', request.headers['validation-token'] ?? '');
        response.setHeader('content-type', 'text/html');
        response.end();
      },
    ],
    [
      'the limit is 1024',
      (request, response) => {
        response.setHeader('x-filler', 'x'.repeat(1100));
        echo(request, response);
      },
    ],
  ];
  it.each(unsuitable)('reports: %s', async (words, answer) => {
    const office = await connectedOffice();
    const { exit, stderr } = await office.run(`webhook check ${await receiver(answer)} --tries 2`, longLimit);
    expect(exit).toBe(1);
    expect(stderr).toContain(words);
  });

  it('reports a slow receiver and a refused connection', async () => {
    const office = await connectedOffice();
    const slow = await receiver((request, response) => {
      setTimeout(() => echo(request, response), 150);
    });
    const late = await office.run(`webhook check ${slow} --tries 1`, {
      env: { UCCTL_WEBHOOK_LIMIT: '100ms' },
    });
    expect(late.stderr).toContain('ms, but the limit is 100 ms');
    const nobody = await office.run('webhook check http://127.0.0.1:9/ --tries 1');
    expect(nobody.exit).toBe(1);
    expect(nobody.stderr).toContain('ECONNREFUSED');
  });

  it('stops after three requests without a response', async () => {
    const office = await connectedOffice();
    let requests = 0;
    const silent = await receiver((request) => {
      requests += 1;
      request.socket.destroy();
    });
    const { exit, stdout } = await office.run(`webhook check ${silent} -o json`, longLimit);
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { check: 'handshake', tries: 3, failed: 3 },
      { check: 'notification', tries: 3, failed: 3 },
    ]);
    expect(requests).toBe(6);
  });

  it('continues if only some requests get no response', async () => {
    const office = await connectedOffice();
    let requests = 0;
    const flaky = await receiver((request, response) => {
      requests += 1;
      if (requests % 3 === 0) echo(request, response);
      else request.socket.destroy();
    });
    const { stdout } = await office.run(`webhook check ${flaky} --tries 9 -o json`, longLimit);
    expect(JSON.parse(stdout)).toMatchObject([
      { tries: 9, failed: 6 },
      { tries: 9, failed: 6 },
    ]);
  });
});
