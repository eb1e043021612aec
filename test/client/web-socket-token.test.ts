import { expect, it, onTestFinished } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildClient, ConnectionError, type HttpSend } from '../../src/client/index.ts';
import { shareBudgets } from '../../src/client/budget-share.ts';
import { defaultMaxWaitMilliseconds } from '../../src/client/rate-wait.ts';
import { fakeReply, plainSettings } from '../support/fake-service.ts';

const limit = 5;
const listeners = 10;
const start = 1_800_000_000_000;

/** The group Auth of a service with fixed windows of a minute. It rejects more requests, as the real one does. */
function authGroup(now: () => number, hasHeaders = true) {
  const asked: number[] = [];
  let rejected = 0;
  const http: HttpSend = async () => {
    await Promise.resolve();
    const window = Math.floor((now() - start) / 60_000);
    asked.push(now());
    const count = asked.filter((at) => Math.floor((at - start) / 60_000) === window).length;
    const headers = {
      'x-rate-limit-group': 'Auth',
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(Math.max(0, limit - count)),
      'x-rate-limit-window': '60',
    };
    if (hasHeaders && count > limit) {
      rejected += 1;
      return fakeReply({ status: 429, body: { errorCode: 'CMN-301', message: 'too many' }, headers });
    }
    const body = { uri: 'wss://service.example/s', ws_access_token: `t${asked.length}`, expires_in: 30 };
    return fakeReply({ status: 200, body, headers: hasHeaders ? headers : {} });
  };
  return { http, asked, rejected: () => rejected };
}

/** A clock that moves to the earliest deadline when all who wait have been served. */
function sharedClock() {
  let now = start;
  const waiting: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ at: now + milliseconds, wake: resolve });
    });
  const run = async <T>(work: Promise<T>): Promise<T> => {
    const state = { isDone: false };
    const end = (): void => {
      state.isDone = true;
    };
    work.then(end, end);
    while (!state.isDone) {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      waiting.sort((a, b) => b.at - a.at);
      const next = waiting.pop();
      if (!next) continue;
      now = Math.max(now, next.at);
      next.wake();
    }
    return work;
  };
  return { now: () => now, sleep, run };
}

async function stateFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('spec:SOCKET-1 ten listeners that lose their sockets at once leave requests of the group Auth for sign-ins', async () => {
  const clock = sharedClock();
  const service = authGroup(clock.now);
  const folder = await stateFolder();
  const clients = Array.from({ length: listeners }, () =>
    buildClient({
      ...plainSettings,
      http: service.http,
      timing: { now: clock.now, sleep: clock.sleep, random: () => 0.5 },
      budgetShare: shareBudgets(folder, () => Promise.resolve('user')),
      maxWaitMilliseconds: Infinity,
    }),
  );
  const round = () => clock.run(Promise.all(clients.map((client) => client.subscriptions.webSocketToken())));
  const tokens = [...(await round()), ...(await round())];
  expect(new Set(tokens.map((token) => token.ws_access_token)).size).toBe(2 * listeners);
  expect(service.asked).toHaveLength(2 * listeners);
  expect(service.rejected()).toBe(0);
  const perWindow = new Map<number, number>();
  for (const at of service.asked) {
    const window = Math.floor((at - start) / 60_000);
    perWindow.set(window, (perWindow.get(window) ?? 0) + 1);
  }
  expect(Math.max(...perWindow.values())).toBeLessThan(limit);
});

it('a service without limits is not slowed down', async () => {
  const clock = sharedClock();
  const service = authGroup(clock.now, false);
  const folder = await stateFolder();
  const client = buildClient({
    ...plainSettings,
    http: service.http,
    timing: { now: clock.now, sleep: clock.sleep, random: () => 0.5 },
    budgetShare: shareBudgets(folder, () => Promise.resolve('user')),
  });
  for (let request = 0; request < 20; request += 1) await clock.run(client.subscriptions.webSocketToken());
  expect(clock.now()).toBe(start);
});

it('requests that could not connect use up no requests of the group Auth', async () => {
  const clock = sharedClock();
  const service = authGroup(clock.now);
  const folder = await stateFolder();
  let isReachable = false;
  const clients = [1, 2].map(() =>
    buildClient({
      ...plainSettings,
      http: (request) => {
        if (isReachable) return service.http(request);
        return Promise.reject(new ConnectionError('ECONNREFUSED', 'no', request.url.origin, undefined));
      },
      timing: { now: clock.now, sleep: clock.sleep, random: () => 0 },
      budgetShare: shareBudgets(folder, () => Promise.resolve('user')),
    }),
  );
  for (const client of clients) {
    const failed = clock.run(client.subscriptions.webSocketToken());
    await expect(failed).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  isReachable = true;
  for (const client of clients) await clock.run(client.subscriptions.webSocketToken());
  expect([clock.now(), service.asked.length]).toEqual([start, 2]);
});

/** Delays of requests on their way to the service, in milliseconds: the first requests open connections. */
const delays = [300, 120, 80, 200];

it('spec:SOCKET-1 ten listeners cause no 429 if requests arrive late and the first request begins the window', async () => {
  const clock = sharedClock();
  const windows: { beganAt: number; used: number }[] = [];
  const rejected: number[] = [];
  let sent = 0;
  const http: HttpSend = async () => {
    await clock.sleep(delays[sent++] ?? 10);
    let window = windows.at(-1);
    if (!window || window.beganAt + 60_000 <= clock.now()) {
      window = { beganAt: clock.now(), used: 0 };
      windows.push(window);
    }
    window.used += 1;
    if (window.used > limit) rejected.push(clock.now());
    await clock.sleep(10);
    const headers = {
      'x-rate-limit-group': 'auth',
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(Math.max(0, limit - window.used)),
      'x-rate-limit-window': '60',
    };
    const body = { uri: 'wss://service.example/s', ws_access_token: `t${sent}`, expires_in: 30 };
    return fakeReply({ status: 200, body, headers });
  };
  const folder = await stateFolder();
  const clients = Array.from({ length: listeners }, () =>
    buildClient({
      ...plainSettings,
      http,
      timing: { now: clock.now, sleep: clock.sleep, random: () => 0.5 },
      budgetShare: shareBudgets(folder, () => Promise.resolve('user')),
      maxWaitMilliseconds: defaultMaxWaitMilliseconds,
    }),
  );
  for (let round = 0; round < 2; round += 1)
    await clock.run(Promise.all(clients.map((client) => client.subscriptions.webSocketToken())));
  expect(rejected).toEqual([]);
  expect(windows.reduce((sum, { used }) => sum + used, 0)).toBe(2 * listeners);
  expect(Math.max(...windows.map(({ used }) => used))).toBeLessThan(limit);
});
