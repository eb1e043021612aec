import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startDeadline } from '../../src/auth/deadline.ts';

describe('the deadline of a request whose reply must not be lost', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  it('leaves a second to read a reply that has arrived', () => {
    const { signal } = startDeadline(20_000, 'https://service.example');
    vi.advanceTimersByTime(20_999);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(signal.reason).toMatchObject({ name: 'ConnectionError', code: 'TIMEOUT', reached: 'unknown' });
  });

  it.each([0, 20_000])('leaves no timer if the request ends after %i ms', (milliseconds) => {
    const deadline = startDeadline(20_000, 'https://service.example');
    vi.advanceTimersByTime(milliseconds);
    deadline.end();
    expect([vi.getTimerCount(), deadline.signal.aborted]).toEqual([0, false]);
  });
});
