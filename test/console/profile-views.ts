import type { Page } from 'playwright-core';
import type {
  CallStatistics,
  CountedCall,
  ListedPerson,
  ListedQueue,
} from '../../src/commands/console/types.ts';
import type { ProfileConsole } from './profile.ts';

const queues: readonly ListedQueue[] = Array.from({ length: 250 }, (_, at) => ({
  id: 5001 + at,
  name: `Queue ${at + 1}`,
  extensionNumber: String(3001 + at),
  members: 1,
}));
const dana: ListedPerson = { id: 7, name: 'Dana Okafor', extensionNumber: '102' };

/** Opens a list of 250 queues, which all have the same agents. */
export async function openQueues(
  profile: ProfileConsole,
  width: number,
  agents: readonly ListedPerson[] = [dana],
): Promise<Page> {
  const page = await profile.open({ size: { width, height: 800 } });
  await page.route('**/api/queue-sizes', (route) => route.fulfill({ json: queues }));
  await page.route('**/api/queues/*/members', (route) => route.fulfill({ json: agents }));
  await page.evaluate("location.hash = '#/queues'");
  await page.getByRole('link', { name: 'Queue 1 3001' }).waitFor();
  return page;
}

const counts = {
  inbound: 0,
  outbound: 0,
  unknownDirection: 0,
  missed: 0,
  abandoned: 0,
  voicemail: 0,
  unanswered: 0,
  other: 0,
  averageTalkSeconds: 61,
};

/** Calls whose statistics have a bar for each of these days. The hour 09:00 has all calls. */
function statisticsOf(calls: number, days: number): CallStatistics {
  const all = { ...counts, calls, answered: calls };
  const none = { ...counts, calls: 0, answered: 0 };
  return {
    zone: 'Europe/Berlin',
    serviceLevelSeconds: 20,
    totals: all,
    byHour: Array.from({ length: 24 }, (_, hour) => ({ ...(hour === 9 ? all : none), hour })),
    byDay: Array.from({ length: days }, (_, day) => ({
      ...(day === 0 ? all : none),
      day: new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
    })),
    byWeekdayAndHour: [],
    byQueue: [],
    byAgent: Array.from({ length: 20 }, (_, agent) => ({
      ...(agent === 0 ? all : none),
      inbound: agent === 0 ? calls : 0,
      id: String(agent),
      name: `Agent ${agent}`,
      missedRings: 0,
      talkSeconds: 0,
    })),
    byResult: [{ result: 'Accepted', calls }],
  };
}

function callsOf(calls: number): readonly CountedCall[] {
  return Array.from({ length: calls }, (_, at) => ({
    sessionId: String(at),
    start: new Date(Date.UTC(2026, 0, 1, 9, 0, at)).toISOString(),
    direction: 'Inbound',
    from: '+14155550142',
    to: `+1650555${1000 + at}`,
    outcome: 'answered',
    result: 'Accepted',
    waitSeconds: 5,
    talkSeconds: 3725,
    agents: [],
  }));
}

/** Opens the charts of calls, with a bar for each of these days. */
export async function openCalls(profile: ProfileConsole, width: number, days = 7): Promise<Page> {
  const page = await profile.open({ size: { width, height: 800 } });
  const calls = callsOf(479);
  const stats = statisticsOf(calls.length, days);
  await page.route('**/api/calls?*', (route) => route.fulfill({ json: { stats, notes: [] } }));
  await page.route('**/api/calls/list?*', (route) => route.fulfill({ json: { calls, total: calls.length } }));
  await page.evaluate("location.hash = '#/calls'");
  await page.getByRole('heading', { name: 'By hour' }).waitFor();
  return page;
}
