import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallStats } from '../../../src/features/call-stats/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { chromiumMissing, startChromium } from '../../support/chromium.ts';
import type { RunResult } from '../../support/run-ucctl.ts';
import { lastingOffice, type Office } from '../office.ts';

const now = Date.UTC(2026, 0, 5, 9);
const within = 20;

/** Every test only reads from it. */
let office: Office;
let folder: string;
/** The month of the fixture, with a report in `folder`. */
let month: RunResult;
const monthStats = (): CallStats => JSON.parse(month.stdout) as CallStats;
const database = (): string => join(folder, 'sandbox.db');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ucctl-test-'));
  office = await lastingOffice(undefined, undefined, database(), {
    fixture: 'call-center',
    validateReplies: false,
  });
  const line = 'calllog stats --since 31d --report report.html -o json';
  month = await office.run(line, { now, cwd: folder });
});
afterAll(async () => {
  await office.sandbox.close();
  rmSync(folder, { recursive: true });
});

async function statsOf({ run }: Office, flags: string): Promise<CallStats> {
  const { stdout, exit, stderr } = await run(`calllog stats ${flags} -o json`, { now });
  expect([exit, stderr]).toEqual([0, '']);
  return JSON.parse(stdout) as CallStats;
}

/** A call of the log by hand in SQL: the queue's record where there is one, else the first, of two at the same time the caller's. */
const sessions = `
CREATE TEMP TABLE ranked AS
  SELECT r.*, e.type AS ownerType, e.name AS ownerName, row_number() OVER (
    PARTITION BY r.sessionId ORDER BY e.type = 'Department' DESC, r.startTime, r.direction = 'Outbound' DESC, r.id DESC) AS place
  FROM callRecord r JOIN extension e ON e.id = r.extensionId WHERE r.type = 'Voice';
CREATE TEMP TABLE timed AS
  WITH call AS (
  SELECT *, CASE
    WHEN result IN ('Accepted', 'Call connected', 'Reply') THEN 'answered'
    WHEN direction = 'Outbound' AND result IN ('Missed', 'No Answer', 'Busy', 'Rejected', 'Declined', 'Abandoned', 'Hang Up') THEN 'unanswered'
    WHEN result IN ('Missed', 'No Answer', 'Busy', 'Rejected', 'Declined') THEN 'missed'
    WHEN result IN ('Abandoned', 'Hang Up') THEN 'abandoned' ELSE 'other' END AS outcome,
    coalesce((SELECT min(json_extract(leg.value, '$.startTime')) FROM json_each(ranked.legs) leg
      WHERE json_extract(leg.value, '$.extensionId') <> ranked.extensionId
        AND json_extract(leg.value, '$.result') IN ('Accepted', 'Call connected')), ranked.startTime) AS answeredAt
  FROM ranked WHERE place = 1)
  SELECT *, CASE WHEN outcome = 'answered' THEN (answeredAt - startTime) / 1000 ELSE duration END AS wait,
    CASE WHEN outcome = 'answered' THEN duration - (answeredAt - startTime) / 1000 ELSE 0 END AS talk FROM call`;

describe('calllog stats', () => {
  it('agrees with a computation in SQL on the same records, for the month of the call-center fixture', async () => {
    expect([month.exit, month.stderr]).toEqual([0, expect.stringContaining('report written to')]);
    const stats = monthStats();
    const db = openDatabase(database());
    // The queries below share the tables, because the window function over a month takes longer than all of them.
    db.exec(sessions);
    const all = (sql: string) => db.prepare(sql).all() as Record<string, string | number>[];
    const counts = `count(*) AS calls, sum(direction = 'Inbound') AS inbound, sum(direction = 'Outbound') AS outbound,
      sum(outcome = 'answered') AS answered, sum(outcome = 'missed') AS missed, sum(outcome = 'abandoned') AS abandoned,
      sum(outcome = 'unanswered') AS unanswered, sum(talk) AS talkSeconds`;
    const level = `1.0 * sum(outcome = 'answered' AND wait <= ${within}) / sum(NOT (outcome = 'abandoned' AND wait <= ${within})) AS serviceLevel`;

    const [totals] = all(`SELECT ${counts} FROM timed`);
    expect(totals?.['calls']).toBeGreaterThan(3000);
    expect(stats.totals).toMatchObject(totals ?? {});
    const [service] = all(`SELECT ${level} FROM timed WHERE ownerType = 'Department'`);
    expect(stats.totals.serviceLevel).toBeCloseTo(Number(service?.['serviceLevel']), 10);
    expect(stats.totals.serviceLevel).toBeLessThan(1);

    const hours = all(
      `SELECT CAST(strftime('%H', startTime / 1000, 'unixepoch') AS INTEGER) AS hour, ${counts} FROM timed GROUP BY 1`,
    );
    expect(stats.byHour.filter(({ calls }) => calls > 0)).toMatchObject(hours);
    const days = all(
      `SELECT date(startTime / 1000, 'unixepoch') AS day, ${counts} FROM timed GROUP BY 1 ORDER BY 1`,
    );
    expect(stats.byDay.filter(({ calls }) => calls > 0)).toMatchObject(days);

    const queues = all(
      `SELECT CAST(extensionId AS TEXT) AS id, ownerName AS name, ${counts}, ${level} FROM timed WHERE ownerType = 'Department' GROUP BY 1 ORDER BY 1`,
    );
    const byId = stats.byQueue.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const exact = queues.map((queue) => Object.entries(queue).filter(([key]) => key !== 'serviceLevel'));
    expect(byId).toMatchObject(exact.map((entries) => Object.fromEntries(entries) as object));
    for (const [index, queue] of queues.entries()) {
      expect(byId[index]?.serviceLevel).toBeCloseTo(Number(queue['serviceLevel']), 10);
    }

    const agents =
      all(`SELECT CAST(extensionId AS TEXT) AS id, sum(direction = 'Inbound') AS inbound, sum(direction = 'Outbound') AS outbound,
        sum(result IN ('Accepted', 'Call connected')) AS answered FROM ranked WHERE ownerType <> 'Department' GROUP BY 1 ORDER BY 1`);
    const known = stats.byAgent
      .filter(({ inbound, outbound }) => inbound + outbound > 0)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(known).toMatchObject(agents);
    const rings =
      all(`SELECT CAST(json_extract(leg.value, '$.extensionId') AS TEXT) AS id, count(*) AS n FROM ranked, json_each(ranked.legs) leg
      WHERE ownerType = 'Department' AND json_extract(leg.value, '$.legType') = 'Hunting' AND json_extract(leg.value, '$.result') = 'Missed' GROUP BY 1`);
    const missed = new Map(stats.byAgent.map(({ id, missedRings }) => [id, missedRings]));
    expect(rings.map(({ id }) => missed.get(String(id)))).toEqual(rings.map(({ n }) => n));

    const results = all('SELECT result, count(*) AS calls FROM timed GROUP BY 1 ORDER BY 2 DESC, 1');
    expect(stats.byResult).toMatchObject(results);
    expect(stats.byResult).toHaveLength(results.length);
    const heat = all(
      `SELECT (CAST(strftime('%w', startTime / 1000, 'unixepoch') AS INTEGER) + 6) % 7 AS day,
        CAST(strftime('%H', startTime / 1000, 'unixepoch') AS INTEGER) AS hour, count(*) AS calls FROM timed GROUP BY 1, 2`,
    );
    for (const { day, hour, calls } of heat) {
      expect(stats.byWeekdayAndHour[Number(day)]?.[Number(hour)]).toBe(calls);
    }
    expect(stats.byWeekdayAndHour.flat().reduce((a, b) => a + b)).toBe(stats.totals.calls);
    db.close();
  });

  it('counts hours in the requested zone, and other groups as rows', async () => {
    const utc = await statsOf(office, '--since 4d');
    const tokyo = await statsOf(office, '--since 4d --tz Asia/Tokyo');
    const calls = (stats: CallStats, hour: number): number | undefined => stats.byHour[hour]?.calls;
    expect(calls(tokyo, 17)).toBe(calls(utc, 8));
    const csv = await office.run('calllog stats --since 4d -o csv', { now });
    const [head, total, ...more] = csv.stdout.split('\r\n');
    expect(head).toBe(
      'calls,inbound,outbound,unknownDirection,answered,missed,abandoned,voicemail,unanswered,other,talkSeconds,serviceLevel',
    );
    expect(total).toMatch(new RegExp(`^${utc.totals.calls},${utc.totals.inbound},`));
    expect(more).toEqual(['']);
  });

  it('lists one kind of row for --by, in every format', async () => {
    // Parts of two working days, because each of these runs reads all its calls.
    const window = '--since 2026-01-01T16:00:00Z --until 2026-01-02T12:00:00Z';
    const stats = await statsOf(office, window);
    expect(stats.totals.calls).toBeGreaterThan(50);
    expect(stats.byDay).toHaveLength(2);
    const lists = {
      total: [[stats.totals.calls]],
      hour: stats.byHour.map(({ hour, calls }) => [hour, calls]),
      day: stats.byDay.map(({ day, calls }) => [day, calls]),
      'weekday-hour': stats.byWeekdayAndHour.flatMap((hours, day) =>
        hours.map((calls, hour) => [day + 1, hour, calls]),
      ),
      queue: stats.byQueue.map(({ extensionNumber, name, calls }) => [extensionNumber, name, calls]),
      agent: stats.byAgent.map(({ extensionNumber, name, inbound }) => [extensionNumber, name, inbound]),
      result: stats.byResult.map(({ result, calls }) => [result, calls]),
    };
    for (const [by, expected] of Object.entries(lists)) {
      const tsv = await office.run(`calllog stats ${window} --by ${by}`, { now });
      const rows = tsv.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t'));
      expect(rows.map((row) => row.slice(0, expected[0]?.length))).toEqual(
        expected.map((row) => row.map(String)),
      );
      expect(new Set(rows.map((row) => row.length)).size).toBe(1);
    }
    const each = await office.run(`calllog stats ${window} --by call -o json`, { now });
    expect(JSON.parse(each.stdout)).toHaveLength(stats.totals.calls);
    const json = await office.run(`calllog stats ${window} --by agent -o json`, { now });
    expect(JSON.parse(json.stdout)).toEqual(stats.byAgent);
    const table = await office.run(`calllog stats ${window} --by queue --color never`, {
      now,
      terminal: 200,
    });
    expect(table.stdout).toMatch(/EXTENSION +NAME +CALLS/);
  });

  it('draws bars, a heat map and a sparkline on a terminal', async () => {
    const { stdout } = await office.run('calllog stats --since 10d --color never', { terminal: 100, now });
    const lines = stdout.split('\n');
    expect(lines[0]).toBe('Calls: 2025-12-26 09:00 to 2026-01-05 09:00 (UTC)');
    expect(lines[1]).toMatch(/^\d+ calls, \d+ inbound, \d+ outbound$/);
    expect(stdout).toMatch(/per day {2}[ ▁▂▃▄▅▆▇█]+ {2}\d+ to \d+/);
    expect(stdout).toMatch(/ {2}09:00 +\d+ {2}█+/);
    expect(
      lines.filter((line) => /^ {2}(Mon|Tue|Wed|Thu|Fri|Sat|Sun) {2}[·░▒▓█]{48}$/.test(line)),
    ).toHaveLength(7);
    expect(lines.length).toBeLessThan(120);
    expect(stdout).toContain('more (to list all rows: --by agent)');
    expect(lines.every((line) => line.length <= 100)).toBe(true);
    expect(stdout).toMatch(/\nBy day\n {2}20\d\d-\d\d-\d\d (Mon|Tue|Wed|Thu|Fri|Sat|Sun) +\d+ {2}█+/);
    const narrow = await office.run('calllog stats --since 4d --color never', { terminal: 60, now });
    expect(narrow.stdout.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(narrow.stdout).toMatch(/ {2}09:00 +\d+ {2}█+/);
  });
});

describe.skipIf(chromiumMissing() !== undefined)('the report in Chromium', () => {
  it('loads nothing else, fits 1280 and 400 pixels, and shows the figures of the JSON', async () => {
    const stats = monthStats();
    const file = join(folder, 'report.html');
    expect(readFileSync(file, 'utf8')).not.toMatch(/(src|href)=|https?:/);
    const browser = await startChromium();
    try {
      const context = await browser.newContext();
      for (const width of [1280, 400]) {
        const page = await context.newPage();
        await page.setViewportSize({ width, height: 1400 });
        const problems: string[] = [];
        page.on('console', (message) => problems.push(message.text()));
        page.on('pageerror', (error) => problems.push(error.message));
        page.on('request', (request) => {
          if (!request.url().startsWith('file:')) problems.push(request.url());
        });
        await page.goto(`file://${file}`);
        expect(JSON.parse((await page.locator('#data').textContent()) ?? '')).toEqual(stats);
        const cells = (selector: string) => page.locator(selector).allTextContents();
        expect(await cells('#queues tbody td:nth-child(2)')).toEqual(
          stats.byQueue.map(({ calls }) => String(calls)),
        );
        expect(await cells('#agents tbody td:nth-child(1)')).toEqual(
          stats.byAgent.map(({ name, extensionNumber }) => `${name} (${extensionNumber})`),
        );
        expect(await cells('#results tbody td:nth-child(2)')).toEqual(
          stats.byResult.map(({ calls }) => String(calls)),
        );
        const figures = await cells('.figures dd');
        const { calls: all, inbound, outbound } = stats.totals;
        expect(figures.slice(0, 3).map(Number)).toEqual([all, inbound, outbound]);
        const outcomes = await cells('#outcomes dd');
        expect(outcomes.map(Number).reduce((a, b) => a + b)).toBe(all);
        const drawn = (title: string) => page.locator(`svg[aria-label="${title}"]:visible`);
        const tips = (title: string) => drawn(title).locator('.mark title').allTextContents();
        expect(await tips('Calls by hour')).toEqual(
          stats.byHour.map(({ hour, calls }) => `${hour}:00: ${calls}`),
        );
        expect(await tips('Calls by day')).toEqual(stats.byDay.map(({ day, calls }) => `${day}: ${calls}`));
        expect(
          (await tips('Calls by weekday and hour')).map((tip) => Number(tip.split(': ').at(-1))),
        ).toEqual(stats.byWeekdayAndHour.flat());
        // The picture matches the figures: bars are as tall as their calls, within a pixel.
        const bars = drawn('Calls by hour').locator('.mark');
        const tall = await bars.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
        const unit = Math.max(...tall) / Math.max(...stats.byHour.map(({ calls }) => calls));
        for (const [hour, { calls }] of stats.byHour.entries()) {
          expect(Math.abs((tall[hour] ?? 0) - calls * unit)).toBeLessThan(1);
        }
        const sizes = await page.evaluate(
          'JSON.stringify([document.documentElement.scrollWidth, innerWidth, ...[...document.querySelectorAll("svg")].map((one) => one.getBoundingClientRect().width).filter((width) => width > 0)])',
        );
        const [scroll = 0, inner = 0, ...charts] = JSON.parse(String(sizes)) as number[];
        expect(scroll).toBeLessThanOrEqual(inner);
        expect(charts).toHaveLength(3);
        expect(Math.min(...charts)).toBeGreaterThan(200);
        // Names are read as words on a telephone too, not letter by letter.
        const name = await page.locator('#queues tbody tr').first().boundingBox();
        expect(name?.height).toBeLessThan(90);
        const texts = (title: string) => drawn(title).locator('text').allTextContents();
        const axis = (await texts('Calls by hour')).map(Number);
        expect(Math.max(...axis)).toBeGreaterThanOrEqual(Math.max(...stats.byHour.map(({ calls }) => calls)));
        expect(await texts('Calls by weekday and hour')).toEqual(
          expect.arrayContaining(['Mon', 'Sun', '0', '18']),
        );
        const sizesOfText = await page
          .locator('svg:visible text')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
        expect(Math.min(...sizesOfText)).toBeGreaterThan(10);
        expect(problems).toEqual([]);
        const shots = process.env['UCCTL_SCREENSHOTS'];
        for (const colorScheme of shots ? (['light', 'dark'] as const) : []) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: join(shots ?? '', `report-${width}-${colorScheme}.png`) });
        }
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});
