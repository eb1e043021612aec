import { describe, expect, it } from 'vitest';
import { callText } from '../../../src/features/board/board.rows.ts';
import { Board } from '../../../src/features/board/state.ts';
import { boardView } from '../../../src/features/board/view.ts';

const opened = Date.parse('2026-01-05T09:00:00Z');
const ringing = {
  id: '1',
  sessionId: '1',
  direction: 'Inbound',
  from: '+16505550199',
  to: '201',
  toName: 'Support',
  queueCall: true,
  telephonyStatus: 'Ringing',
  startTime: '2026-01-05T08:59:30Z',
};

function board() {
  const made = new Board();
  made.setPeople([{ id: '1', extensionNumber: '102', name: 'Dana Okafor' }], opened);
  return made;
}
const forCell = (made: Board, now: number): unknown => {
  const [row] = made.rows();
  const column = boardView({ format: 'table' }, () => now).columns.find(({ key }) => key === 'for');
  return row && column?.value(row);
};

describe('the time in a state', () => {
  it('starts with the call', () => {
    const made = board();
    made.update('1', { presenceStatus: 'Busy', telephonyStatus: 'Ringing', activeCalls: [ringing] }, opened);
    expect(forCell(made, opened)).toBe('30s');
    expect(made.rows()).toMatchObject([
      {
        since: '2026-01-05T08:59:30.000Z',
        isStartKnown: true,
        call: { from: '+16505550199', toName: 'Support' },
      },
    ]);
  });

  it('is a minimum for a state that began before the board, and exact after a change', () => {
    const made = board();
    made.update('1', { presenceStatus: 'Available', telephonyStatus: 'NoCall' }, opened);
    expect(forCell(made, opened + 65_000)).toBe('1m+');
    // The event was sent 5 s before it arrived.
    made.update('1', { presenceStatus: 'Busy' }, opened + 70_000, opened + 65_000);
    expect(forCell(made, opened + 72_000)).toBe('7s');
  });

  it.each([undefined, 'soon', '2026-01-05T09:10:00Z'])('ignores the start %j of a call', (startTime) => {
    const made = board();
    const call = { ...ringing, startTime };
    made.update('1', { presenceStatus: 'Busy', telephonyStatus: 'Ringing', activeCalls: [call] }, opened);
    expect(forCell(made, opened)).toBe('?');
  });

  it('has no call after the call', () => {
    const made = board();
    made.update('1', { telephonyStatus: 'Ringing', activeCalls: [ringing] }, opened);
    // An event may omit the calls while the state stays the same.
    made.update('1', { telephonyStatus: 'Ringing', presenceStatus: 'Busy' }, opened);
    expect(made.rows()[0]?.call).toBeDefined();
    made.update('1', { telephonyStatus: 'NoCall', presenceStatus: 'Available' }, opened);
    expect(made.rows()[0]?.call).toBeUndefined();
  });
});

it('the call of a row names the queue that the service reports', () => {
  const made = board();
  const callInfo = {
    primary: { type: 'QueueName', value: 'Sales' },
    additional: { type: 'QueueExtension', value: '202' },
  };
  const call = { ...ringing, to: '102', toName: 'Dana Okafor', callInfo };
  made.update('1', { telephonyStatus: 'Ringing', activeCalls: [call] }, opened);
  expect(made.rows()[0]?.call).toMatchObject({ queue: 'Sales (202)' });
});

describe('the call of a row', () => {
  it.each([
    [ringing, 'from +1 650 555 0199 → Support'],
    [{ ...ringing, fromName: 'Kim Lee' }, 'from Kim Lee (+1 650 555 0199) → Support'],
    [{ ...ringing, toName: undefined }, 'from +1 650 555 0199 → 201'],
    [{ ...ringing, toName: 'Dana Okafor' }, 'from +1 650 555 0199 (queue)'],
    [{ ...ringing, toName: 'Dana Okafor', queue: 'Sales (202)' }, 'from +1 650 555 0199 → Sales (202)'],
    [{ ...ringing, queueCall: false }, 'from +1 650 555 0199'],
    [{ ...ringing, from: undefined }, 'from unknown number → Support'],
    [{ direction: 'Outbound', to: '+4912' }, 'to +4912'],
    [undefined, ''],
  ])('%j is "%s"', (call, text) => {
    expect(callText(call, 'Dana Okafor')).toBe(text);
  });
});
