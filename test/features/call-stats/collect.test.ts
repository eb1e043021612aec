import { expect, it } from 'vitest';
import { StatsCollector } from '../../../src/features/call-stats/index.ts';

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
