import { describe, expect, it } from 'vitest';
import { LossDetector } from '../../../../src/features/live/receive/web-socket/loss-detector.ts';

/** A detector at the begin of a replay after the event 10, and its reports. */
function replaying(capacity = 3): { readonly losses: LossDetector; readonly reports: readonly string[] } {
  const reports: string[] = [];
  const losses = new LossDetector((reason) => reports.push(reason), 0);
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

describe('the time from which events may be lost', () => {
  /** A detector that starts at 100 s, and the begins of the gaps that it reports. */
  function timed(): { readonly losses: LossDetector; readonly begins: readonly number[] } {
    const begins: number[] = [];
    return { losses: new LossDetector((_, from) => begins.push(from), 100), begins };
  }

  it('is the last sign of life of the connection before a replay', () => {
    const { losses, begins } = timed();
    losses.begin();
    losses.alive(110);
    losses.alive(120);
    losses.endConnection();
    losses.alive(300);
    losses.begin({ after: 10, capacity: 2 });
    for (const [time, sequence] of [
      [301, 15],
      [302, 16],
    ] as const) {
      losses.alive(time);
      losses.received(sequence);
    }
    expect(begins).toEqual([120]);
    losses.alive(310);
    losses.unreadable();
    losses.endInterval();
    expect(begins).toEqual([120, 302]);
  });

  it('stays before a replay that the connection did not complete', () => {
    const { losses, begins } = timed();
    losses.alive(120);
    losses.endConnection();
    for (const time of [300, 400]) {
      losses.alive(time);
      losses.begin({ after: 10, capacity: 1 });
      if (time === 300) losses.endConnection();
    }
    losses.alive(401);
    losses.received(15);
    expect(begins).toEqual([120]);
  });

  it('is the sign of life before the first unreadable event', () => {
    const { losses, begins } = timed();
    for (const time of [110, 120, 130]) {
      losses.alive(time);
      if (time > 110) losses.unreadable();
    }
    losses.endInterval();
    expect(begins).toEqual([110]);
  });

  it('is the last sign of life in an earlier process that the session continues', () => {
    const { losses, begins } = timed();
    losses.alive(900);
    losses.begin({ after: 10, capacity: 1 });
    losses.alive(901);
    losses.received(15);
    expect(begins).toEqual([100]);
  });
});
