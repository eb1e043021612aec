import { expect, it } from 'vitest';
import type { CallLeg, CallLogRecord } from '../../../src/contract/call-log.ts';
import { callResults } from '../../../src/contract/enums.ts';
import { StatsCollector, type CountedCall } from '../../../src/features/call-stats/index.ts';
import { definitionList } from '../../../src/features/call-stats/definitions.ts';

const options = {
  zone: 'UTC',
  serviceLevelSeconds: 20,
  from: undefined,
  to: undefined,
  queueName: (id: string) => (id === '900' ? 'Support' : undefined),
  nameOf: () => undefined,
  numberOf: () => undefined,
};
const minute = 60_000;

/** A call every ten minutes, each with the record of the queue and that of the agent who took it, who comes a minute later. */
function records(days: number) {
  return Array.from({ length: days * 144 }, (_, at) => {
    const start = Date.UTC(2026, 0, 5) + at * 10 * minute;
    const record = (owner: string, startTime: number) => ({
      uri: `https://service.example/${at}-${owner}`,
      id: `${at}-${owner}`,
      sessionId: String(at),
      startTime: new Date(startTime).toISOString(),
      duration: 60,
      type: 'Voice' as const,
      direction: 'Inbound' as const,
      action: 'Phone Call',
      result: 'Accepted',
      to: { extensionId: owner },
    });
    return [record('900', start), record('7', start + minute)];
  }).flat();
}

it.each(['as the service lists it', 'the other way round'])(
  'counts a call once and stores a day of calls, whatever the length of the log: %s',
  (order) => {
    const collector = new StatsCollector(options);
    const list = records(30);
    let most = 0;
    for (const record of order === 'as the service lists it' ? list.reverse() : list) {
      collector.add(record);
      most = Math.max(most, collector.openCalls);
    }
    expect(most).toBeLessThanOrEqual(25 * 6 + 2);
    const { totals, byDay, byQueue } = collector.stats();
    expect(totals).toMatchObject({ calls: 30 * 144, answered: 30 * 144, inbound: 30 * 144 });
    expect(byDay.map(({ calls }) => calls)).toEqual(Array.from({ length: 30 }, () => 144));
    expect(byQueue).toMatchObject([{ id: '900', calls: 30 * 144 }]);
  },
);

it('describes each counted call with the groups in which it is counted', () => {
  const calls: CountedCall[] = [];
  const collector = new StatsCollector({
    ...options,
    zone: 'Asia/Tokyo',
    onCall: (call) => calls.push(call),
  });
  for (const record of records(2).reverse()) collector.add(record);
  const { byDay, byHour, byQueue, byAgent, byResult, totals } = collector.stats();
  expect(calls).toHaveLength(totals.calls);
  const count = (wanted: (call: CountedCall) => boolean): number => calls.filter(wanted).length;
  for (const { day, calls: expected } of byDay) expect(count((call) => call.day === day)).toBe(expected);
  for (const { hour, calls: expected } of byHour) expect(count((call) => call.hour === hour)).toBe(expected);
  for (const { id, calls: expected } of byQueue) expect(count(({ queue }) => queue === id)).toBe(expected);
  for (const { id, inbound } of byAgent) expect(count(({ agents }) => agents.includes(id))).toBe(inbound);
  expect(byResult).toEqual([{ result: 'Accepted', calls: count(({ result }) => result === 'Accepted') }]);
  expect(calls.at(-1)).toEqual({
    sessionId: '0',
    start: '2026-01-05T09:00:00.000+09:00',
    day: '2026-01-05',
    hour: 9,
    direction: 'Inbound',
    from: 'unknown',
    to: 'unknown',
    outcome: 'answered',
    result: 'Accepted',
    waitSeconds: 0,
    talkSeconds: 60,
    queue: '900',
    agents: ['7'],
  });
});

it('describes a call without a time, and one without a queue', () => {
  const calls: CountedCall[] = [];
  const collector = new StatsCollector({ ...options, onCall: (call) => calls.push(call) });
  collector.add({ id: '1', direction: 'Outbound', from: { extensionId: '7', phoneNumber: '+15555550101' } });
  collector.stats();
  expect(calls).toMatchObject([
    { sessionId: '1', start: undefined, day: undefined, hour: undefined, queue: undefined, agents: ['7'] },
  ]);
});

it.each([
  ['from the start of a call', 0, 0, 1],
  ['from after its start', 1, 0, 0],
  ['to its start', -10 * minute, 10 * minute, 0],
  ['to after its start', -10 * minute, 10 * minute + 1, 1],
])('counts a call in the period in which its first record started: %s', (_, from, length, expected) => {
  const start = Date.UTC(2026, 0, 5);
  const period = { from: start + from, to: length === 0 ? undefined : start + from + length };
  const calls: CountedCall[] = [];
  const collector = new StatsCollector({ ...options, period, onCall: (call) => calls.push(call) });
  for (const record of records(1).slice(0, 2)) collector.add(record);
  const { totals, byAgent } = collector.stats();
  expect([totals.calls, calls.length, byAgent.length]).toEqual([expected, expected, expected]);
});

it('describes a call in the same way, whatever the order of its records', () => {
  const describe = (owners: readonly string[]): CountedCall[] => {
    const calls: CountedCall[] = [];
    const collector = new StatsCollector({ ...options, onCall: (call) => calls.push(call) });
    for (const owner of owners) {
      const startTime = '2026-01-05T09:00:00.000Z';
      const result = owner === '7' ? 'Accepted' : 'Missed';
      const to = { extensionId: owner, name: `Agent ${owner}` };
      collector.add({ id: owner, sessionId: '1', startTime, direction: 'Inbound', result, duration: 60, to });
    }
    collector.stats();
    return calls;
  };
  expect(describe(['7', '8'])).toEqual(describe(['8', '7']));
  expect(describe(['8', '7'])).toMatchObject([{ to: 'Agent 7', outcome: 'answered', agents: ['7', '8'] }]);
});

it('counts every missed ring of a call, as its definition says', () => {
  const leg = (result: string) => ({ legType: 'Hunting', result, extension: { id: 7 } }) as CallLeg;
  const collector = new StatsCollector(options);
  collector.add({
    id: '1',
    direction: 'Inbound',
    result: 'Accepted',
    to: { extensionId: '900' },
    legs: [leg('Missed'), leg('Missed'), leg('Accepted')],
  });
  expect(collector.stats().byAgent).toMatchObject([{ id: '7', missedRings: 2 }]);
  expect(new Map(definitionList(20)).get('Missed rings')).toContain('both rings count');
});

it.each(['in the order of time', 'the other way round'])(
  'counts the calls of a deleted queue for the queue, %s',
  (order) => {
    const ring = {
      startTime: '2026-01-05T09:00:05.000Z',
      duration: 20,
      type: 'Voice',
      direction: 'Inbound',
      action: 'Hunting',
      legType: 'Hunting',
      transport: 'VoIP',
      result: 'Missed',
      to: { name: 'Ann' },
      extension: { uri: 'https://service.example/7', id: 7 },
    } as const;
    const call = (
      sessionId: string,
      owner: string,
      rest: Partial<CallLogRecord>,
    ): Partial<CallLogRecord> => ({
      id: `${sessionId}-${owner}`,
      sessionId,
      startTime: `2026-01-05T09:0${sessionId}:00.000Z`,
      duration: 30,
      direction: 'Inbound',
      result: 'Abandoned',
      to: { extensionId: owner, name: owner === '901' ? 'Billing' : 'Ann' },
      ...rest,
    });
    const records = [
      call('0', '901', { result: 'Voicemail' }),
      call('1', '901', { legs: [ring] }),
      call('1', '7', { result: 'Missed', startTime: ring.startTime, legs: [ring] }),
      call('2', '901', {}),
      call('3', '6', { result: 'Missed', to: { extensionId: '6', name: 'Former agent' } }),
    ];
    const calls: CountedCall[] = [];
    const collector = new StatsCollector({ ...options, onCall: (one) => calls.push(one) });
    for (const record of order === 'in the order of time' ? records : records.toReversed())
      collector.add(record);
    const { totals, byQueue, byAgent } = collector.stats();
    expect(byQueue).toMatchObject([
      { id: '901', name: 'Billing', calls: 3, abandoned: 2, voicemail: 1, serviceLevel: 0 },
    ]);
    expect(totals).toMatchObject({ calls: 4, serviceLevel: 0 });
    expect(byAgent.map(({ name, inbound, missedRings }) => [name, inbound, missedRings])).toEqual([
      ['Former agent', 1, 0],
      ['Ann', 1, 1],
    ]);
    const groups = calls.toSorted((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
    expect(groups.map(({ queue, agents }) => [queue, agents])).toEqual([
      ['901', []],
      ['901', ['7']],
      ['901', []],
      [undefined, ['6']],
    ]);
  },
);

it('counts a call without a result as other, because it may be in progress', () => {
  const collector = new StatsCollector(options);
  collector.add({ id: '1', sessionId: '1', startTime: '2026-01-05T09:00:00.000Z', direction: 'Outbound' });
  const { totals } = collector.stats();
  expect(totals).toMatchObject({ calls: 1, outbound: 1, other: 1, unanswered: 0 });
});

/** A call record as the published interface shows it: only its legs have extensions, and its parties have phone numbers. */
function publishedRecord(id: string, owner: number, direction: 'Inbound' | 'Outbound') {
  const startTime = '2026-01-05T09:00:00.000Z';
  const common = { startTime, duration: 60, type: 'Voice' as const, direction, result: 'Accepted' };
  const parties = {
    from: { phoneNumber: '+14155550100', name: 'Caller' },
    to: { phoneNumber: '+16505550110', name: 'Office' },
  };
  const extension = { uri: `https://service.example/extension/${owner}`, id: owner };
  const legs: CallLeg[] = [
    { ...common, ...parties, action: 'Phone Call', legType: 'PstnToSip' },
    { ...common, ...parties, action: 'Phone Call', legType: 'Accept', extension, master: true },
  ];
  return { ...common, ...parties, id, sessionId: id, action: 'Phone Call', legs };
}

it('spec:CALL-6 counts records for the extension of their leg if only legs have extensions', () => {
  const names = new Map([
    ['1', 'Ann'],
    ['2', 'Bob'],
  ]);
  const collector = new StatsCollector({ ...options, nameOf: (id: string) => names.get(id) });
  collector.add(publishedRecord('a', 1, 'Inbound'));
  collector.add(publishedRecord('b', 2, 'Inbound'));
  collector.add(publishedRecord('c', 2, 'Outbound'));
  collector.add(publishedRecord('d', 900, 'Inbound'));
  const { byAgent, byQueue } = collector.stats();
  expect(byAgent).toMatchObject([
    { id: '2', name: 'Bob', inbound: 1, outbound: 1 },
    { id: '1', name: 'Ann', inbound: 1 },
  ]);
  expect(byQueue).toMatchObject([{ id: '900', calls: 1 }]);
});

it('counts a record whose party has only an extension number for the extension with this number', () => {
  const collector = new StatsCollector({
    ...options,
    nameOf: (id: string) => (id === '1' ? 'Ann' : undefined),
    idOf: (number: string) => (number === '101' ? '1' : undefined),
  });
  const { legs: _legs, ...record } = publishedRecord('a', 1, 'Inbound');
  collector.add({ ...record, to: { extensionNumber: '101', name: 'Ann' } });
  collector.add(publishedRecord('b', 1, 'Inbound'));
  expect(collector.stats().byAgent).toMatchObject([{ id: '1', name: 'Ann', inbound: 2 }]);
});

it('names no party if the extension of a record is unknown', () => {
  const collector = new StatsCollector(options);
  const { legs: _legs, ...record } = publishedRecord('a', 1, 'Inbound');
  collector.add(record);
  expect(collector.stats().byAgent).toMatchObject([{ id: 'unknown', name: 'unknown' }]);
});

/** Statistics of one call without legs for each direction and result. */
function statsOf(calls: readonly (readonly [direction: string | undefined, result: string | undefined])[]) {
  const collector = new StatsCollector(options);
  for (const [index, [direction, result]] of calls.entries())
    collector.add({
      id: String(index),
      sessionId: String(index),
      startTime: '2026-01-05T09:00:00.000Z',
      duration: 30,
      from: { extensionId: '7' },
      to: { extensionId: '8' },
      ...(direction !== undefined && { direction }),
      ...(result !== undefined && { result }),
    });
  return collector.stats();
}

it.each([
  ['Outbound', 'Sent', 'answered'],
  ['Inbound', 'Received', 'answered'],
  ['Outbound', 'Fax Partially Sent', 'other'],
  ['Inbound', 'Partial Receive', 'other'],
  ['Outbound', 'Send Error', 'other'],
  ['Outbound', 'Busy', 'unanswered'],
])('counts a fax by its success: %s %s is %s', (direction, result, outcome) => {
  const { totals, byAgent } = statsOf([[direction, result]]);
  expect(totals).toMatchObject({ calls: 1, [outcome]: 1 });
  expect(byAgent).toMatchObject([{ answered: Number(outcome === 'answered') }]);
});

it.each([
  ['No Answer', 'unanswered'],
  ['Rejected', 'unanswered'],
  ['Hang Up', 'unanswered'],
  ['Blocked', 'other'],
  ['Call Failed', 'other'],
  ['Wrong Number', 'other'],
  ['A result of a later version', 'other'],
])('counts an outbound call as unanswered only if nobody answered: %s is %s', (result, outcome) => {
  expect(statsOf([['Outbound', result]]).totals).toMatchObject({ calls: 1, outbound: 1, [outcome]: 1 });
});

it('counts a call without a direction as neither inbound nor outbound', () => {
  const { totals, byAgent, byHour } = statsOf([
    [undefined, 'Accepted'],
    [undefined, 'Missed'],
    [undefined, 'Hang Up'],
  ]);
  const counts = { inbound: 0, outbound: 0, unknownDirection: 3, answered: 1 };
  expect(totals).toMatchObject({ calls: 3, ...counts, missed: 0, abandoned: 0, unanswered: 0, other: 2 });
  expect(byHour[9]).toMatchObject({ calls: 3, ...counts });
  expect(byAgent).toMatchObject([{ id: 'unknown', ...counts }]);
});

it('has figures that add up to the number of calls, whatever directions and results the log has', () => {
  const all = ['Inbound', 'Outbound', 'Other', undefined].flatMap((direction) =>
    [...callResults, undefined, 'A result of a later version'].map((result) => [direction, result] as const),
  );
  const { totals } = statsOf(all);
  const { answered, missed, abandoned, voicemail, unanswered, other } = totals;
  expect(totals.inbound + totals.outbound + totals.unknownDirection).toBe(all.length);
  expect(answered + missed + abandoned + voicemail + unanswered + other).toBe(all.length);
});
