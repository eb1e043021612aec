import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryStore } from '../../src/auth/memory-store.ts';
import { SessionRepository } from '../../src/auth/session-repository.ts';
import type { TokenStore } from '../../src/auth/token-store.ts';
import { Session } from '../../src/auth/session.ts';
import type { HttpRequest, HttpSend, Wait } from '../../src/client/index.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import { fakeReply, fakeTiming } from '../support/fake-service.ts';
import {
  freshSession as record,
  sessionOrigin as origin,
  signedInAt as start,
} from '../support/session-record.ts';
import { temporaryPaths } from '../support/temporary.ts';
import { eventually } from '../support/eventually.ts';

const hour = 3_600_000;

/** A session of a service that puts renewals off: each entry is the Retry-After of one 429, after the last it renews. */
function office(retryAfter: readonly (string | undefined)[], maxWait?: string, baseUrl = origin) {
  const clock = fakeTiming(start + 2 * hour);
  const paths = temporaryPaths();
  let reads = 0;
  const memory = createMemoryStore();
  const store: TokenStore = {
    ...memory,
    read: (item) => {
      reads += 1;
      return memory.read(item);
    },
  };
  const sent: HttpRequest[] = [];
  const waits: Wait[] = [];
  const http: HttpSend = async (request) => {
    sent.push(request);
    const after = retryAfter[sent.length - 1];
    if (sent.length <= retryAfter.length)
      return fakeReply({ status: 429, headers: after === undefined ? {} : { 'retry-after': after } });
    const body = { access_token: 'second', token_type: 'bearer', expires_in: 3600, refresh_token: 'r2' };
    return fakeReply({ status: 200, body, headers: { 'content-type': 'application/json' } });
  };
  /** As another process of the same user would have it. */
  const process = async (
    more: { signal?: AbortSignal; sleep?: (milliseconds: number) => Promise<void> } = {},
  ) => {
    const environment = await authEnvironment({
      http,
      paths,
      env: { UCCTL_BASE_URL: baseUrl, ...(maxWait !== undefined && { UCCTL_MAX_WAIT: maxWait }) },
      now: () => clock.now(),
      sleep: (milliseconds) => clock.sleep(milliseconds),
      onWait: (wait) => waits.push(wait),
      ...more,
    });
    const repository = new SessionRepository(store, environment);
    await repository.write(record);
    return { session: new Session(environment, repository), repository };
  };
  const unfinished = async (repository: SessionRepository) =>
    repository.locked((journal) => Promise.resolve(journal.unfinished('r1')));
  return { clock, sent, waits, process, unfinished, paths, reads: () => reads };
}

describe('a renewal that the service rejects with 429', () => {
  test.each([
    ['30', 30_000],
    [new Date(start + 2 * hour + 20_000).toUTCString(), 20_000],
    ['0', 1000],
    [undefined, 60_000],
  ])(
    'with Retry-After %s waits for that time, and sends the same token again',
    async (after, milliseconds) => {
      const { clock, sent, waits, process } = office([after]);
      const { session, repository } = await process();
      expect(await session.current()).toBe('second');
      expect(clock.slept).toEqual([milliseconds + 50]);
      expect(waits).toEqual([
        {
          reason: 'rate-limit',
          milliseconds: milliseconds + 50,
          request: { method: 'POST', path: '/restapi/oauth/token' },
        },
      ]);
      const tokens = sent.map(({ body }) => new URLSearchParams(String(body)).get('refresh_token'));
      expect(tokens).toEqual(['r1', 'r1']);
      expect(await repository.read()).toMatchObject({ accessToken: 'second', refreshToken: 'r2' });
    },
  );

  test('waits also if the rate limits cannot be shared with other processes', async () => {
    const { clock, process, paths } = office(['30']);
    const { session } = await process();
    mkdirSync(join(paths.state, 'rate-limits.db'), { recursive: true });
    expect(await session.current()).toBe('second');
    expect(clock.slept).toEqual([30_050]);
  });

  test('has 20 s for each request, not counting the wait between them', async () => {
    const { sent, process } = office(['60']);
    const { session } = await process();
    await session.current();
    const [first, second] = sent.map(({ signal }) => signal);
    expect(first).toBeInstanceOf(AbortSignal);
    expect(second).toBeInstanceOf(AbortSignal);
    expect(second).not.toBe(first);
  });

  test('is not waited for longer than --max-wait, changes nothing, and sends no request during the penalty', async () => {
    const { clock, sent, process, unfinished } = office(['30'], '10');
    const { session, repository } = await process();
    const late = {
      name: 'RateLimitError',
      group: 'auth',
      waitSeconds: 30,
      hint: undefined,
      cause: { status: 429 },
    };
    await expect(session.current()).rejects.toMatchObject(late);
    // Each request inside a penalty restarts it: neither this process nor the next one sends any.
    await expect(session.current()).rejects.toMatchObject({ name: 'RateLimitError' });
    const next = await process();
    await expect(next.session.current()).rejects.toMatchObject({ name: 'RateLimitError' });
    expect([sent.length, clock.slept]).toEqual([1, []]);
    expect(await repository.read()).toEqual(record);
    expect(await unfinished(repository)).toBeUndefined();
    await clock.sleep(31_000);
    expect(await next.session.current()).toBe('second');
  });

  test('is waited for with the --max-wait that its report names', async () => {
    const { process } = office(['30'], '30');
    const { session } = await process();
    expect(await session.current()).toBe('second');
  });

  test.each([
    [['90'], []],
    [['40', '40'], [40_050]],
  ])('%j is waited for no longer than others wait for the lock', async (after, slept) => {
    const { clock, process } = office(after);
    const { session } = await process();
    await expect(session.current()).rejects.toMatchObject({
      name: 'RateLimitError',
      hint: `retry in ${after.at(-1)} s`,
    });
    expect(clock.slept).toEqual(slept);
  });

  test('is not waited for longer than --max-wait in total', async () => {
    const { clock, process } = office(['30', '30'], '50');
    const { session } = await process();
    await expect(session.current()).rejects.toMatchObject({ name: 'RateLimitError', waitSeconds: 30 });
    expect(clock.slept).toEqual([30_050]);
  });

  test('ahead of time does not delay the command, and is not requested with each request', async () => {
    const { clock, sent, process } = office(['60']);
    await clock.sleep(-hour - 20_000);
    clock.slept.length = 0;
    const { session } = await process();
    const { session: other } = await process();
    for (const source of [session, session, other]) expect(await source.current()).toBe('first');
    expect([sent.length, clock.slept]).toEqual([1, []]);
  });

  test('of a token that was rejected before its expiry is waited for', async () => {
    const { clock, process } = office(['60']);
    await clock.sleep(-hour - hour / 2);
    clock.slept.length = 0;
    const { session } = await process();
    expect(await session.renew('first')).toBe('second');
    expect(clock.slept).toEqual([60_050]);
  });

  test('keeps the lock while it waits: another process sends no request and uses the new token', async () => {
    const { clock, sent, process, reads } = office(['60']);
    let goOn = (): void => undefined;
    const blocked = new Promise<void>((resolve) => (goOn = resolve));
    const { session } = await process({
      sleep: (milliseconds) => blocked.then(() => clock.sleep(milliseconds)),
    });
    const { session: other } = await process();
    const first = session.current();
    await eventually(() => expect(sent.length).toBe(1));
    const before = reads();
    const second = other.current();
    // The second look at the store is the one of a process that waits for the lock.
    await eventually(() => expect(reads() - before).toBeGreaterThan(1));
    goOn();
    expect(await Promise.all([first, second])).toEqual(['second', 'second']);
    expect(sent).toHaveLength(2);
  });

  test('ends with Ctrl-C during the wait, and leaves no mark of an interrupted renewal', async () => {
    const stop = new AbortController();
    const reason = new Error('interrupted');
    const { process, unfinished } = office(['60']);
    const { session } = await process({
      signal: stop.signal,
      sleep: () => {
        stop.abort(reason);
        return Promise.reject(new DOMException('aborted', 'AbortError'));
      },
    });
    await expect(session.current()).rejects.toBe(reason);
    const { repository } = await process();
    expect(await unfinished(repository)).toBeUndefined();
  });

  test('keeps the record of an earlier attempt with an unknown outcome', async () => {
    const { process, unfinished } = office(['30'], '10');
    const { session, repository } = await process();
    await repository.locked(async (journal) => journal.begin('r1', '2026-01-05T10:31:07.000Z', 4711));
    await expect(session.current()).rejects.toMatchObject({ name: 'RateLimitError' });
    expect(await unfinished(repository)).toEqual({ startedAt: '2026-01-05T10:31:07.000Z', pid: 4711 });
  });
});

test('a renewal goes to the path of the base URL', async () => {
  const { sent, process } = office([], undefined, `${origin}/gateway`);
  const { session } = await process();
  expect(await session.current()).toBe('second');
  expect(sent[0]?.url.href).toBe(`${origin}/gateway/restapi/oauth/token`);
});

test('a finished renewal leaves no timer, which would keep the process running', async () => {
  const { process } = office([]);
  const { session } = await process();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(await session.current()).toBe('second');
  expect(vi.getTimerCount()).toBe(0);
});
