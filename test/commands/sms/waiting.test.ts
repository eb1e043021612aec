import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Interrupted } from '../../../src/errors/interrupted.ts';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { openLiveOffice } from '../live-office.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ucctl-waiting-'));
  await writeFile(join(folder, 'page.txt'), 'a page');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What went out, with the flags that wait for its end, and what looks at it later. */
const outgoing = [
  ['sms send --to +16505550112 hello --yes --wait', /message-store\/\d+$/, 'ucctl message show'],
  ['fax send --to +16505550299 page.txt --yes --wait', /message-store\/\d+$/, 'ucctl fax status'],
  ['ringout start --to +12025550111 --yes --wait', /ringout\/\d+$/, 'ucctl ringout status'],
] as const;

describe('a message or call with --wait', () => {
  it.each(outgoing)(
    '%s: when its status cannot be read, it is shown and never reported as not sent',
    async (command, looks, later) => {
      const broken =
        (send: HttpSend): HttpSend =>
        (request) => {
          if (request.method === 'GET' && looks.test(request.url.pathname))
            throw new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined);
          return send(request);
        };
      const { run, requests } = await openLiveOffice('administrator', {}, broken);
      const { exit, stdout, stderr } = await run(`${command} --retry 0 -o ndjson`, { cwd: folder });
      // Exit 7 would say that nothing reached the service, and a script would send again.
      expect(exit).toBe(13);
      expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ id: expect.any(Number) as number });
      expect(stderr).toMatch(/"code":"state_not_reached".*ECONNREFUSED/);
      expect(stderr).toContain(later);
      expect(requests().filter((line) => line.startsWith('POST'))).toHaveLength(1);
    },
  );

  it.each(outgoing.slice(0, 2))(
    '%s: Ctrl-C shows it and reports that it continues',
    async (command, looks, later) => {
      const stop = new AbortController();
      const stopping =
        (send: HttpSend): HttpSend =>
        (request) => {
          if (request.method === 'GET' && looks.test(request.url.pathname))
            stop.abort(new Interrupted('SIGINT'));
          return send(request);
        };
      const { run } = await openLiveOffice('administrator', {}, stopping);
      const { exit, stdout, stderr } = await run(`${command} -o ndjson`, {
        cwd: folder,
        signal: stop.signal,
      });
      expect(exit).toBe(130);
      expect(JSON.parse(stdout)).toMatchObject({ id: expect.any(Number) as number });
      expect(stderr).toContain(
        `the service is still processing the message; to check the status later: ${later}`,
      );
    },
  );

  it.each(outgoing)(
    '%s: Ctrl-C during the wait for the rate limit says that nothing was sent',
    async (command) => {
      const { run, sandbox } = await openLiveOffice();
      const limited = { kind: 'status', status: 429, times: 0 };
      for (const operation of ['sendSms', 'sendFax', 'startRingOut'])
        await sandbox.control('POST', '/faults', { ...limited, operation });
      const stop = new AbortController();
      const { exit, stdout, stderr } = await run(command, {
        cwd: folder,
        signal: stop.signal,
        sleep: async (_milliseconds, signal) => {
          stop.abort(new Interrupted('SIGINT'));
          signal.throwIfAborted();
        },
      });
      expect([exit, stdout]).toEqual([130, '']);
      expect(stderr).toContain('interrupted; nothing was sent');
      expect(sandbox.messages(171_857_100)).toEqual([]);
    },
  );
});

/** A clock that only the command's own waiting moves, while the service does nothing. */
function frozen(start: number) {
  let elapsed = 0;
  return {
    elapsed: () => elapsed,
    now: () => start + elapsed,
    sleep: (milliseconds: number) => {
      elapsed += milliseconds;
      return Promise.resolve();
    },
  };
}

describe('--wait ends at its timeout, with the last state and exit 13', () => {
  it.each(
    outgoing.flatMap(([command]) => [
      [command, '--timeout 8s', 8000] as const,
      [command, '--timeout 8s --wait-timeout 3s', 3000] as const,
    ]),
  )('%s %s', async (command, flags, longest) => {
    const { run, sandbox } = await openLiveOffice();
    const clock = frozen(sandbox.clock.now());
    const { exit, stdout } = await run(`${command} ${flags} -o ndjson`, { cwd: folder, ...clock });
    expect(exit).toBe(13);
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({ id: expect.any(Number) as number });
    // Looks take place at steps of 1 to 5 s.
    expect(clock.elapsed()).toBeGreaterThanOrEqual(longest);
    expect(clock.elapsed()).toBeLessThan(longest + 2000);
  });

  it.each(outgoing.flatMap(([command]) => [[command, 3_600_000] as const, [command, -3_600_000] as const]))(
    '%s: a clock that is set by %i ms during the wait does not change it',
    async (command, shift) => {
      const { run, sandbox } = await openLiveOffice();
      const clock = frozen(sandbox.clock.now());
      const now = () => clock.now() + (clock.elapsed() > 0 ? shift : 0);
      const { exit } = await run(`${command} --wait-timeout 9s`, { cwd: folder, ...clock, now });
      expect(exit).toBe(13);
      expect(clock.elapsed()).toBeGreaterThanOrEqual(9000);
      expect(clock.elapsed()).toBeLessThan(11_000);
    },
  );

  it('a timeout of the environment applies to replies only', async () => {
    const { run, sandbox } = await openLiveOffice();
    const clock = frozen(sandbox.clock.now());
    const [[command]] = outgoing;
    const { exit } = await run(command, { cwd: folder, env: { UCCTL_TIMEOUT: '8' }, ...clock });
    expect([exit, clock.elapsed()]).toEqual([13, 60_000]);
  });

  it.each(outgoing)('%s: a status request without a reply does not exceed it', async (command, looks) => {
    const hanging =
      (send: HttpSend): HttpSend =>
      (request) => {
        if (request.method !== 'GET' || !looks.test(request.url.pathname)) return send(request);
        return new Promise((_resolve, reject) => {
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason as Error));
        });
      };
    const { run } = await openLiveOffice('administrator', {}, hanging);
    const { exit, stderr } = await run(`${command} --timeout 1s -o ndjson`, { cwd: folder });
    expect(exit).toBe(13);
    expect(stderr).not.toContain('cannot read the status of call');
  });
});
