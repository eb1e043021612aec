import { describe, expect, it } from 'vitest';
import { LossDetector } from '../../../../src/features/live/receive/web-socket/loss-detector.ts';

/** A detector at the begin of a replay after the event 10, and its reports. */
function replaying(capacity = 3): { readonly losses: LossDetector; readonly reports: readonly string[] } {
  const reports: string[] = [];
  const losses = new LossDetector((reason) => reports.push(reason));
  losses.begin({ after: 10, capacity });
  return { losses, reports };
}

const missed = 'ucctl missed more events than the service stores';

describe('spec:SOCKET-7 the events of a continued session', () => {
  it('are complete when the first event is the next one', () => {
    const { losses, reports } = replaying();
    expect(losses.isUndecided).toBe(false);
    for (const sequence of [11, 12, 13, 14]) losses.received(sequence);
    expect(losses.isUndecided).toBe(false);
    losses.endInterval();
    expect(reports).toEqual([]);
  });

  it('may be incomplete from the first event until as many arrive as the service stores', () => {
    const { losses, reports } = replaying();
    losses.received(15);
    expect(losses.isUndecided).toBe(true);
    losses.received(16);
    expect([losses.isUndecided, reports]).toEqual([true, []]);
    losses.received(17);
    expect([losses.isUndecided, reports]).toEqual([false, [missed]]);
    losses.received(18);
    losses.endInterval();
    expect(reports).toEqual([missed]);
  });

  it('are complete when the interval ends before', () => {
    const { losses, reports } = replaying();
    losses.received(15);
    losses.endInterval();
    expect([losses.isUndecided, reports]).toEqual([false, []]);
  });

  it('are incomplete after an unreadable event, which is reported at the end of the interval', () => {
    const { losses, reports } = replaying();
    losses.unreadable();
    expect([losses.isUndecided, reports]).toEqual([true, []]);
    losses.endInterval();
    expect([losses.isUndecided, reports]).toEqual([false, ['the service sent unreadable events']]);
  });
});
