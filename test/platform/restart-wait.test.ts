import { describe, expect, it } from 'vitest';
import { RestartWait } from '../../src/platform/postgres/restart-wait.ts';
import { StoreError } from '../../src/platform/store-error.ts';

/** A server that is unreachable until a time, and a clock that only waits advance. Times are in seconds. */
function server(more: { readonly until?: number; readonly connecting?: number } = {}) {
  let until = more.until ?? Number.POSITIVE_INFINITY;
  let now = 0;
  let reports = 0;
  let attempts = 0;
  const wait = new RestartWait(
    () => (reports += 1),
    () => now * 1000,
  );
  const work = (): Promise<string> => {
    attempts += 1;
    if (now >= until) return Promise.resolve('done');
    now += more.connecting ?? 0;
    return Promise.reject(new StoreError('unreachable', 'postgres://x', { report: 'no server' }));
  };
  const sleep = (milliseconds: number): Promise<void> => Promise.resolve(void (now += milliseconds / 1000));
  const result = (one: () => Promise<string>): Promise<string> =>
    wait.lasting(sleep, one).catch((error: unknown) => (error as StoreError).problem);
  return {
    /** Runs a statement whose first attempt is lost only after some seconds. */
    slow: (seconds: number) =>
      result(() => {
        if (attempts === 0) now += seconds;
        return work();
      }),
    /** Runs a statement that the server rejects when it can be reached. */
    fail: () =>
      result(async () => {
        await work();
        throw new StoreError('full', 'postgres://x', { report: 'no space' });
      }),
    run: () => result(work),
    pass: (seconds: number) => (now += seconds),
    stopUntil: (seconds: number) => (until = seconds),
    seen: () => ({ now, reports, attempts }),
  };
}

describe('the wait for a restart of the store', () => {
  it('is shared by statements that fail one after the other', async () => {
    const { run, seen } = server();
    expect([await run(), await run(), await run()]).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(seen()).toEqual({ now: 14.5, reports: 1, attempts: 30 });
  });

  it('is not longer because each attempt to connect takes 10 s', async () => {
    const { run, seen } = server({ connecting: 10 });
    expect([await run(), await run(), await run()]).toEqual(['unreachable', 'unreachable', 'unreachable']);
    expect(seen()).toEqual({ now: 20.5, reports: 1, attempts: 2 });
  });

  it('ends when the server replies, and each outage has its own wait', async () => {
    const { run, pass, stopUntil, seen } = server({ until: 14 });
    expect([await run(), seen().now]).toEqual(['done', 14]);
    pass(1);
    stopUntil(29);
    expect([await run(), seen().now, seen().reports]).toEqual(['done', 29, 2]);
  });

  it('is not reported after one failed attempt', async () => {
    const { run, seen } = server({ until: 0.5 });
    expect([await run(), seen()]).toEqual(['done', { now: 0.5, reports: 0, attempts: 2 }]);
  });

  it('is over for later statements, which try once, and begins again after a long time without work', async () => {
    const { run, pass, seen } = server();
    await run();
    pass(1);
    await run();
    expect(seen()).toEqual({ now: 15.5, reports: 1, attempts: 31 });
    pass(15);
    await run();
    expect(seen()).toEqual({ now: 45, reports: 2, attempts: 61 });
  });

  it('is not shortened by a statement that waited for a lock before it lost its connection', async () => {
    const { slow, seen } = server({ until: 21 });
    // The statement of 16 s is lost, and its second attempt, too.
    expect([await slow(16), seen().now]).toEqual(['done', 21]);
  });

  it('is over when the server replies with an error', async () => {
    const { fail, pass, run, stopUntil, seen } = server({ until: 0.5 });
    expect(await fail()).toBe('full');
    pass(13.5);
    stopUntil(19);
    expect([await run(), seen().now]).toEqual(['done', 19]);
  });

  it('does not begin after another error', async () => {
    const failing = new RestartWait().lasting(
      () => Promise.resolve(),
      () => Promise.reject(new StoreError('full', 'postgres://x', { report: 'no space' })),
    );
    await expect(failing).rejects.toMatchObject({ problem: 'full' });
  });
});
