import { expect, it } from 'vitest';
import { StatsCollector } from '../../../src/features/call-stats/index.ts';
import { oneRecordPerCall } from '../../../src/features/call-stats/one-call.ts';
import type { CallLogRecord } from '../../../src/contract/call-log.ts';

const queue = { extensionNumber: '201', name: 'Support' };
const dana = { extensionNumber: '102', extensionId: '12', name: 'Dana Okafor' };
const jose = { extensionNumber: '103', extensionId: '13', name: 'José Álvarez' };

function record(
  sessionId: string,
  owner: number,
  {
    result,
    to,
    seconds = 0,
    direction = 'Inbound',
  }: Pick<CallLogRecord, 'result' | 'to'> & { seconds?: number; direction?: string },
): CallLogRecord {
  return {
    uri: 'https://service.example/record',
    id: `${sessionId}-${owner}`,
    sessionId,
    startTime: new Date(Date.UTC(2026, 0, 5, 9, 0, seconds)).toISOString(),
    duration: 0,
    type: 'Voice',
    direction,
    action: 'Phone Call',
    result,
    to,
    extension: { uri: 'https://service.example/extension', id: owner },
  };
}

/** The records of one call in the order of a list, newest first. */
const calls = {
  'a queue call that nobody took': [
    record('1', 12, { result: 'Missed', to: dana }),
    record('1', 900, { result: 'Abandoned', to: queue }),
  ],
  'a queue call that the second agent took': [
    record('1', 13, { result: 'Accepted', to: jose, seconds: 20 }),
    record('1', 12, { result: 'Missed', to: dana }),
    record('1', 900, { result: 'Accepted', to: queue }),
  ],
  'a call inside the company': [
    record('1', 13, { result: 'Missed', to: jose }),
    record('1', 12, { result: 'Hang Up', to: jose, direction: 'Outbound' }),
  ],
  'a call that rang two phones at the same time': [
    record('1', 13, { result: 'Missed', to: jose }),
    record('1', 12, { result: 'Accepted', to: dana }),
  ],
  'a call that two phones lost to voicemail': [
    record('1', 13, { result: 'Voicemail', to: jose }),
    record('1', 12, { result: 'Missed', to: dana }),
  ],
  'a call with two results of the same outcome': [
    record('1', 13, { result: 'Missed', to: jose }),
    record('1', 12, { result: 'Busy', to: dana }),
  ],
  'a queue call that two agents took': [
    record('1', 13, { result: 'Accepted', to: jose, seconds: 20 }),
    record('1', 12, { result: 'Accepted', to: dana, seconds: 5 }),
    record('1', 900, { result: 'Accepted', to: queue }),
  ],
};
const expected: Record<keyof typeof calls, readonly unknown[]> = {
  'a queue call that nobody took': ['Abandoned', 'Support', undefined],
  'a queue call that the second agent took': ['Accepted', 'Support', 'José Álvarez'],
  'a call inside the company': ['Hang Up', 'José Álvarez', undefined],
  'a call that rang two phones at the same time': ['Accepted', 'Dana Okafor', undefined],
  'a call that two phones lost to voicemail': ['Voicemail', 'José Álvarez', undefined],
  'a call with two results of the same outcome': ['Busy', 'Dana Okafor', undefined],
  'a queue call that two agents took': ['Accepted', 'Support', 'Dana Okafor'],
};

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function* streamed(records: readonly CallLogRecord[]): AsyncGenerator<CallLogRecord> {
  yield* await Promise.resolve(records);
}

it.each(Object.keys(calls) as (keyof typeof calls)[])(
  'merges to one row, as the statistics count, in any order of the records: %s',
  async (name) => {
    for (const records of [calls[name], calls[name].toReversed()]) {
      const collector = new StatsCollector({
        zone: 'UTC',
        serviceLevelSeconds: 20,
        from: undefined,
        to: undefined,
        queueName: (id: string) => (id === '900' ? 'Support' : undefined),
        nameOf: () => undefined,
        numberOf: () => undefined,
      });
      for (const one of records) collector.add(one);
      const rows = await all(
        oneRecordPerCall(streamed(records), { queueIds: () => Promise.resolve(new Set(['900'])) }),
      );
      expect(rows.map(({ result, to, takenBy }) => [result, to?.name, takenBy?.name])).toEqual([
        expected[name],
      ]);
      expect(collector.stats().byResult).toEqual([{ result: expected[name][0], calls: 1 }]);
    }
  },
);

it('reads the queues only if a call has several records, and holds a day of calls', async () => {
  let reads = 0;
  const queues = () => {
    reads += 1;
    return Promise.resolve(new Set(['900']));
  };
  const single = [record('2', 12, { result: 'Missed', to: dana })];
  await all(oneRecordPerCall(streamed(single), { queueIds: queues }));
  expect(reads).toBe(0);
  const days = Array.from({ length: 4 }, (_, day) =>
    record(String(day), 12, { result: 'Missed', to: dana, seconds: -day * 80_000 }),
  );
  let read = 0;
  const counted = async function* (): AsyncGenerator<CallLogRecord> {
    for await (const one of streamed(days)) {
      read += 1;
      yield one;
    }
  };
  const rows = oneRecordPerCall(counted(), { queueIds: queues });
  expect((await rows.next()).value).toMatchObject({ sessionId: '0' });
  expect(read).toBe(3);
  await rows.return();
});

it('keeps records without a session apart', async () => {
  const records = ['1', '2'].map((id) => {
    const { sessionId: _, ...one } = record(id, 12, { result: 'Missed', to: dana });
    return one as CallLogRecord;
  });
  const rows = await all(oneRecordPerCall(streamed(records), { queueIds: () => Promise.resolve(new Set()) }));
  expect(rows.map(({ id }) => id)).toEqual(['1-12', '2-12']);
});

it('limits the calls, and still finds the records of the last one', async () => {
  let cuts = 0;
  const records = [
    ...calls['a call inside the company'],
    record('1', 900, { result: 'Missed', to: queue }),
    record('9', 12, { result: 'Missed', to: dana }),
    record('1', 14, { result: 'Missed', to: dana }),
    record('10', 12, { result: 'Missed', to: dana, seconds: -700 }),
    record('1', 15, { result: 'Missed', to: dana, seconds: -800 }),
  ];
  const rows = await all(
    oneRecordPerCall(streamed(records), {
      queueIds: () => Promise.resolve(new Set<string>()),
      limit: 1,
      onCut: () => (cuts += 1),
    }),
  );
  expect([rows.map((row) => row.records), cuts]).toEqual([[4], 1]);
});
