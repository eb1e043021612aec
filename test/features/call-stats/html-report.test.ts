import { expect, it } from 'vitest';
import { definitionList } from '../../../src/features/call-stats/definitions.ts';
import { htmlReport } from '../../../src/features/call-stats/html-report.ts';
import { widthOf } from '../../../src/platform/text-width.ts';
import { StatsCollector, textReport } from '../../../src/features/call-stats/index.ts';

const options = {
  zone: 'UTC',
  serviceLevelSeconds: 20,
  from: undefined,
  to: undefined,
  queueName: () => undefined,
  nameOf: () => '</script><img src=x onerror=alert(1)>\u001B[31m',
  numberOf: () => undefined,
};

/** Time of the reports. */
const madeAt = Date.UTC(2026, 0, 6, 12);
const subject = { title: 'Calls <b>', account: 'profile <i>', calls: 'Voice', madeAt: 0 };

function collected() {
  const collector = new StatsCollector(options);
  collector.add({
    uri: 'https://service.example/1',
    id: '1',
    sessionId: '1',
    startTime: '2026-01-05T09:00:00.000Z',
    duration: 60,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result: 'Accepted',
    to: { extensionId: '7' },
  });
  return collector.stats();
}

it('escapes markup from the service', () => {
  const html = htmlReport(collected(), subject);
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).toContain('Calls &lt;b&gt;');
  expect(html).toContain('profile &lt;i&gt;');
  expect(JSON.parse(/id="data">(.*)<\/script>/.exec(html)?.[1] ?? '')).toEqual(
    JSON.parse(JSON.stringify(collected())),
  );
});

it('removes control characters from the service', () => {
  expect(textReport(collected(), 80, madeAt)).not.toContain('\u001B');
});

it('aligns the bars of wide and narrow names', () => {
  const [agent] = collected().byAgent;
  const names = ['山田太郎', 'Ann', '山田太郎山田太郎山田太郎山田太郎'];
  const byAgent = names.flatMap((name) => (agent === undefined ? [] : [{ ...agent, name }]));
  const lines = textReport({ ...collected(), byAgent }, 100, madeAt)
    .split('\n')
    .filter((line) => line.includes(' 0 missed rings, '));
  expect(lines).toHaveLength(3);
  expect(new Set(lines.map((line) => widthOf(line.slice(0, line.indexOf('█'))))).size).toBe(1);
  expect(lines.every((line) => widthOf(line) <= 100)).toBe(true);
});

it('shows the counts of each group below its bar on a narrow terminal', () => {
  const stats = collected();
  const twoDays = stats.byWeekdayAndHour.map((row, day) => (day < 2 ? row.map(() => 1) : row));
  const two = { ...stats, byAgent: [...stats.byAgent, ...stats.byAgent], byWeekdayAndHour: twoDays };
  const lines = textReport(two, 40, madeAt).split('\n');
  expect(lines.join('\n')).toMatch(/█\n {4}1 in, 0 out, 0 missed rings, 1 min 0\n {4}s talk/);
  expect(lines.join(' ')).toContain('By weekday and hour: use a terminal at least 56 columns wide,');
  expect(lines.every((line) => widthOf(line) <= 40)).toBe(true);
});

it.each([
  [40, 'per day, last 10  ', 10],
  [60, 'per day  ', 30],
  [100, 'per day  ', 30],
  [20, 'per day  ', 0],
])('draws as many days as fit into %i columns, and their range', (columns, title, shown) => {
  const stats = collected();
  const [day] = stats.byDay;
  const calls = Array.from({ length: 30 }, (_, index) => (index === 0 ? 487 : 100 + index));
  const byDay = calls.flatMap((count) => (day === undefined ? [] : [{ ...day, calls: count }]));
  const line = textReport({ ...stats, byDay }, columns, madeAt)
    .split('\n')
    .find((text) => text.startsWith('per day'));
  const drawn = shown === 30 || shown === 0 ? calls : calls.slice(-shown);
  const range = `${Math.min(...drawn)} to ${Math.max(...drawn)}`;
  expect(line).toMatch(new RegExp(`^${title}${shown === 0 ? '' : `[▁▂▃▄▅▆▇█]{${shown}}  `}${range}$`));
  expect(widthOf(line ?? '')).toBeLessThanOrEqual(columns);
});

it('states period and time zone, and has one line for a group with one value', () => {
  const [agent] = collected().byAgent;
  const byAgent = agent ? [{ ...agent, name: 'Dana', missedRings: 1 }] : [];
  expect(textReport({ ...collected(), byAgent }, 100, madeAt).split('\n')).toEqual([
    'Calls: 2026-01-05 to 2026-01-06 12:00 (UTC)',
    '1 call, 1 inbound, 0 outbound',
    'answered 1  missed 0  abandoned 0  voicemail 0  unanswered 0  other 0',
    'talk time 1 min 0 s  1 min 0 s per call',
    '',
    'By hour: 09:00, 1 call',
    '',
    'By day: 2026-01-05 Mon, 1 call, 1 answered, 0 abandoned, 0 missed',
    '',
    'By agent: Dana, 1 call, 1 in, 0 out, 1 missed ring, 1 min 0 s talk',
    '',
    'By result: Accepted, 1 call',
  ]);
});

it('names the limit of the service level of a queue, and nothing if no call counts', () => {
  const stats = collected();
  const queue = { ...stats.totals, id: '9', name: 'Support', extensionNumber: '201', serviceLevel: 0.5 };
  const byQueue = [queue, { ...queue, id: '8', name: 'Sales', serviceLevel: undefined }];
  const lines = textReport({ ...stats, byQueue }, 200, madeAt);
  expect(lines).toMatch(/Support \(201\) .* 0 missed, 50 % answered within 20 s\n/);
  expect(lines).toMatch(/Sales \(201\) .* 0 missed\n/);
});

it('is drawn without calls', () => {
  const none = new StatsCollector(options).stats();
  expect(none.totals).toMatchObject({ calls: 0, averageTalkSeconds: 0, serviceLevel: undefined });
  expect(textReport(none, 80, madeAt)).toContain('0 calls');
  const html = htmlReport(none, subject);
  expect(html).toContain('<dd>0</dd>');
  expect(html).toContain('<p>No calls.</p>');
  expect(html).toContain('<dt>Time zone</dt><dd>UTC</dd>');
});

it('is identical for the same figures, without an address or an id of a chart', () => {
  const html = htmlReport(collected(), subject);
  expect(htmlReport(collected(), subject)).toBe(html);
  expect(html).not.toMatch(
    /https?:|xmlns|zr\d|ecmeta| id="(?!data|outcomes|definitions|queues|agents|results)/,
  );
  expect(html.match(/<style/g)).toHaveLength(1);
});

it('has a mark for every hour, day and cell, on whole numbers, in colours of the page', () => {
  const html = htmlReport(collected(), subject);
  const charts = [...html.matchAll(/<svg role="img" aria-label="([^"]*)"[^]*?<\/svg>/g)];
  expect(charts.map(([, title]) => title)).toEqual(
    ['Calls by hour', 'Calls by day', 'Calls by weekday and hour'].flatMap((title) =>
      Array<string>(3).fill(title),
    ),
  );
  expect(charts.map(([svg]) => svg.match(/class="mark"><title>/g)?.length)).toEqual([
    24, 24, 24, 1, 1, 1, 168, 168, 168,
  ]);
  const [hours = '', , , , , , heat = ''] = charts.map(([svg]) => svg);
  expect(hours).toContain('<title>9:00: 1</title>');
  expect(hours.match(/>\d+\.\d+<\/text>/g)).toBeNull();
  expect(heat).toMatch(/fill="var\(--heat-5\)"[^>]*><title>Mon 9:00: 1</);
  expect(heat.match(/fill="var\(--heat-0\)"/g)).toHaveLength(167);
  for (const [svg] of charts) expect(svg).not.toMatch(/="#|rgb/);
});

it('states account, period, time zone and time of making, and defines its figures', () => {
  const from = Date.UTC(2026, 0, 5);
  const collector = new StatsCollector({ ...options, zone: 'Europe/Paris', from, to: from + 86_400_000 });
  const madeAt = Date.UTC(2026, 0, 6, 8, 30);
  const html = htmlReport(collector.stats(), {
    ...subject,
    account: 'profile office at host.example',
    madeAt,
  });
  for (const [name, value] of [
    ['Account', 'profile office at host.example'],
    ['Calls', 'Voice'],
    ['Period', '2026-01-05 01:00 to 2026-01-06 01:00'],
    ['Time zone', 'Europe/Paris'],
    ['Report created', '2026-01-06 09:30'],
  ])
    expect(html).toContain(`<dt>${name}</dt><dd>${value}</dd>`);
  expect(html).toContain('Service level (within 20 s)');
  for (const term of ['Answered', 'Missed', 'Abandoned', 'Voicemail', 'Unanswered', 'Other', 'Service level'])
    expect(html.slice(html.indexOf('id="definitions"'))).toContain(`<dt>${term}</dt>`);
});

it('has a figure for each outcome, which add up to the number of calls', () => {
  const collector = new StatsCollector(options);
  const results = ['Accepted', 'Missed', 'Abandoned', 'Voicemail', 'Unknown', 'Blocked'];
  const inbound = results.map((result) => ({ direction: 'Inbound', result }) as const);
  for (const [index, call] of [...inbound, { direction: 'Outbound', result: 'No Answer' } as const].entries())
    collector.add({ ...call, sessionId: String(index), startTime: '2026-01-05T09:00:00.000Z', duration: 5 });
  const html = htmlReport(collector.stats(), subject);
  const outcomes = /id="outcomes">([^]*?)<\/dl>/.exec(html)?.[1] ?? '';
  const figures = [...outcomes.matchAll(/<dd>(\d+)<\/dd>/g)].map(([, figure]) => Number(figure));
  expect(figures).toEqual([1, 1, 1, 1, 1, 2]);
  expect(html).toContain('<dt>Calls</dt><dd>7</dd>');
});

it('shows calls without a direction, and defines its figures for faxes', () => {
  expect(htmlReport(collected(), subject)).not.toContain('Unknown direction');
  const collector = new StatsCollector(options);
  collector.add({ sessionId: '1', result: 'Accepted', duration: 5 });
  const stats = collector.stats();
  expect(htmlReport(stats, subject)).toContain(
    '<dt>Outbound</dt><dd>0</dd></div>\n<div><dt>Unknown direction</dt><dd>1</dd>',
  );
  expect(textReport(stats, 100, madeAt)).toContain('1 call, 0 inbound, 0 outbound, 1 of unknown direction\n');
  expect(textReport(stats, 100, madeAt)).toMatch(/^By agent: .*, 1 call, 0 in, 0 out, 1 unknown/m);
  expect(Object.fromEntries(definitionList(20))['Answered']).toContain('faxes');
});

it('tells agents with the same name apart by extension', () => {
  const numberOf = (id: string): string => `10${id}`;
  const collector = new StatsCollector({ ...options, nameOf: () => 'Chris Smith', numberOf });
  for (const id of ['4', '5'])
    collector.add({
      sessionId: id,
      direction: 'Inbound',
      result: 'Accepted',
      duration: 5,
      to: { extensionId: id },
    });
  const stats = collector.stats();
  for (const text of [htmlReport(stats, subject), textReport(stats, 100, madeAt)]) {
    expect(text).toContain('Chris Smith (104)');
    expect(text).toContain('Chris Smith (105)');
  }
});
