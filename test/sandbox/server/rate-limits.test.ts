import { describe, expect, test } from 'vitest';
import { RateLimiter } from '../../../src/sandbox/server/rate-limiter.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { rejection, requestToken, userClient } from '../request.ts';

describe('spec:RATE-1 to RATE-6 the published limits', () => {
  test('counts down per group, rejects requests, and restarts the penalty at every request within it', () => {
    let now = 0;
    const limiter = new RateLimiter('realistic', () => now);
    const take = () => {
      try {
        return limiter.take('app user', 'Heavy')['x-rate-limit-remaining'];
      } catch (error) {
        return (error as { status: number }).status;
      }
    };
    expect(Array.from({ length: 11 }, take)).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0', 429]);
    now = 59_000;
    expect(take()).toBe(429);
    now = 61_000;
    expect(take()).toBe(429);
    now = 121_001;
    expect(take()).toBe('9');
    expect(limiter.take('app other', 'Heavy')['x-rate-limit-remaining']).toBe('9');
  });

  test('a window without too many requests simply ends', () => {
    let now = 0;
    const limiter = new RateLimiter('realistic', () => now);
    for (let count = 0; count < 10; count += 1) limiter.take('a', 'Heavy');
    now = 60_000;
    expect(limiter.take('a', 'Heavy')['x-rate-limit-remaining']).toBe('9');
  });

  test('spec:ERROR-19, RATE-6, RATE-9 headers, error and Retry-After over HTTP; per user; also under a frozen clock', async () => {
    await using sandbox = await startSandbox({ listen: false, rateLimits: 'realistic' });
    const user = await userClient(sandbox, '102');
    const other = await userClient(sandbox, '103');
    const path = '/account/~/extension';
    const first = await user.get(path);
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'x-rate-limit-group': 'medium',
      'x-rate-limit-limit': '40',
      'x-rate-limit-remaining': '39',
      'x-rate-limit-window': '60',
    });
    for (let count = 0; count < 39; count += 1) await user.get(path);
    await sandbox.clock.advance(3_600_000 / 2);
    const rejected = await user.get(path);
    expect(rejection(rejected)).toBe('429 CMN-301');
    expect(rejected.headers.get('retry-after')).toBe('60');
    expect((await other.get(path)).status).toBe(200);
    expect((await user.get('/account/~/extension/~/presence')).status).toBe(200);
  });

  test('Auth: five sign-ins a minute for a user and app; the sign-in page is not counted', async () => {
    await using sandbox = await startSandbox({ listen: false, rateLimits: 'realistic' });
    const form = { grant_type: 'password', username: 'dana.okafor@example.com', password: 'wrong' };
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await requestToken(sandbox, form)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const page = `${sandbox.url}/restapi/oauth/authorize?response_type=code&client_id=${sandbox.ready.clientId}`;
    const pages = await Promise.all(Array.from({ length: 8 }, () => sandbox.fetch(new Request(page))));
    expect(pages.every(({ status }) => status !== 429)).toBe(true);
  });

  test('off: no headers, no end', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => user.get('/account/~/extension/~/presence')),
    );
    expect(answers.every(({ status, headers }) => status === 200 && !headers.has('x-rate-limit-group'))).toBe(
      true,
    );
  });
});
