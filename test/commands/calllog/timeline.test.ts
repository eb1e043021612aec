import { describe, expect, it } from 'vitest';
import type { CallLeg, CallLogRecord } from '../../../src/contract/call-log.ts';
import { timelineText } from '../../../src/commands/calllog/timeline.ts';
import { widthOf } from '../../../src/platform/text-width.ts';

const whole = {
  id: '1',
  sessionId: '2',
  startTime: '2026-01-05T09:00:00.000Z',
  duration: 30,
  direction: 'Inbound',
  action: 'Phone Call',
  result: 'Accepted',
};
const leg = { startTime: '2026-01-05T09:00:15.000Z', duration: 15, legType: 'Accept', result: 'Accepted' };

function linesOf(record: object, legs: readonly object[]): readonly string[] {
  const call = { ...record, legs: legs as CallLeg[] } as CallLogRecord;
  return timelineText(call, { columns: 100, isTerminal: true }).split('\n');
}

describe('the timeline of a call', () => {
  it('omits the offset, the bar and the length of a leg without times', () => {
    const [, , , first = '', second = '', third = ''] = linesOf(whole, [
      leg,
      { ...leg, startTime: undefined },
      { ...leg, duration: undefined },
    ]);
    expect(first).toMatch(/^ {2}\+0:15 {2} +█+ {2}0:15 {2}Accept {2}Accepted$/);
    expect(second).toMatch(/^ +0:15 {2}Accept {2}Accepted$/);
    expect(third).toMatch(/^ {2}\+0:15 {2} +█ +Accept {2}Accepted$/);
    expect(new Set([first, second, third].map((line) => line.indexOf('Accept'))).size).toBe(1);
  });

  it('aligns legs whose names have wide characters, within the columns of the terminal', () => {
    const named = (name: string): object => ({ ...leg, to: { name } });
    const legs = ['山田太郎', 'Ana', 'Zoe\u0301'].map(named);
    const lines = linesOf(whole, legs).slice(3);
    const before = lines.map((line) => line.slice(0, line.lastIndexOf('Accepted')));
    expect(lines).toHaveLength(3);
    expect(new Set(before.map(widthOf)).size).toBe(1);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(100);
  });

  it('shows what it knows of a record with an ID only', () => {
    const lines = linesOf({ id: '1' }, [{}, leg]);
    expect(lines.slice(0, 3)).toEqual(['', 'from ?  to ?', 'record 1']);
    expect(lines.at(-1)).toContain('+0:00');
    expect(lines.join('\n')).not.toMatch(/NaN|undefined|Infinity/);
    expect(linesOf({ id: '1' }, [{}]).join('\n')).not.toMatch(/NaN|undefined|Infinity/);
  });
});
