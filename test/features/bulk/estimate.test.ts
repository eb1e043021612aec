import { afterAll, expect, it } from 'vitest';
import { join } from 'node:path';
import { buildClient, type HttpSend } from '../../../src/client/index.ts';
import { fixedToken } from '../../../src/client/fixed-token.ts';
import {
  assignmentWork,
  journalPlan,
  planAssignments,
  readMembership,
} from '../../../src/features/assignment/index.ts';
import { estimateSeconds, Journal, runBulk } from '../../../src/features/bulk/index.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { fillLargeOffice } from '../../support/large-office.ts';
import { sandboxHttp, signInAs } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const open: Sandbox[] = [];
afterAll(async () => {
  for (const sandbox of open) await sandbox.close();
});

/** The limits of the service (facts 1.7) in front of it: a window of a minute for each group, told in headers; counts what it refuses. */
function limited(send: HttpSend, now: () => number) {
  const windows = new Map<string, { start: number; used: number }>();
  const refused = { count: 0 };
  const limits: Readonly<Record<string, number>> = { light: 50, medium: 40, heavy: 10 };
  const groupOf = (method: string, path: string): string => {
    if (method === 'POST') return 'heavy';
    return path.endsWith('/members') ? 'light' : 'medium';
  };
  const http: HttpSend = async (request) => {
    const group = groupOf(request.method, request.url.pathname);
    const limit = limits[group] ?? 0;
    const known = windows.get(group);
    const window = known && now() - known.start < 60_000 ? known : { start: now(), used: 0 };
    window.used += 1;
    windows.set(group, window);
    if (window.used > limit) refused.count += 1;
    const reply = await send(request);
    const headers: Readonly<Record<string, string>> = {
      'x-rate-limit-group': group,
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(Math.max(0, limit - window.used)),
      'x-rate-limit-window': '60',
    };
    return { ...reply, header: (name) => headers[name] ?? reply.header(name) };
  };
  return { http, refused };
}

it('the printed estimate is within 15 % of what happens at the rate limits, and nothing is refused', async () => {
  const folder = temporaryFolder();
  const database = join(folder, 'office.db');
  const large = fillLargeOffice(database, { agents: 250, queues: 250 });
  const sandbox = await startSandbox({ database, listen: false });
  open.push(sandbox);
  const token = await signInAs(sandbox, 'administrator');
  // Time passes only where something waits for it, and a little with each request.
  let clock = 0;
  const { http, refused } = limited(sandboxHttp(sandbox), () => clock);
  const api = buildClient({
    baseUrl: new URL(sandbox.url),
    http: (request) => {
      clock += 30;
      return http(request);
    },
    tokens: fixedToken(token),
    userAgent: 'test',
    timeoutMilliseconds: 30_000,
    maxWaitMilliseconds: 3_600_000,
    timing: {
      now: () => clock,
      sleep: (milliseconds) => {
        clock += milliseconds;
        return Promise.resolve();
      },
      random: () => 0.5,
    },
  });
  const people = new Map<string, Parameters<typeof planAssignments>[0][number]['agent']>();
  for await (const one of api.extensions.list()) people.set(String(one.id), one);
  const requests = large.queues.flatMap((queue, at) => {
    const [found, agent] = [people.get(String(queue.id)), people.get(String(large.agents[at]?.id))];
    return found && agent
      ? [{ request: { queue: queue.number, agent: agent.name, action: 'add' as const }, queue: found, agent }]
      : [];
  });
  const before = await readMembership(
    api,
    large.queues.map(({ id }) => String(id)),
  );
  const plan = planAssignments(requests, before);
  expect(plan.changes).toHaveLength(250);
  const counts = { Heavy: 25, Light: 250 };
  const estimate = estimateSeconds(counts, { Light: before.size });
  const started = clock;
  const journal = Journal.open(folder, () => clock);
  const run = journalPlan(journal, plan, {
    title: 'test',
    baseUrl: sandbox.url,
    now: clock,
    before,
    input: { headings: [], rows: [] },
  });
  await runBulk({
    journal,
    run,
    work: assignmentWork(api),
    maxItems: 10,
    concurrency: 1,
    maxErrors: 0,
    signal: new AbortController().signal,
  });
  const took = (clock - started) / 1000;
  expect(sandbox.members(large.queues[249]?.id ?? 0)).toHaveLength(1);
  expect(Math.abs(estimate - took) / took).toBeLessThan(0.15);
  expect(refused.count).toBe(0);
  journal.close();
});
