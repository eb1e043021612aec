import { expect, it } from 'vitest';
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
};

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

it('lets nothing from the service become markup', () => {
  const html = htmlReport(collected(), 'Calls <b>');
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  expect(html).toContain('Calls &lt;b&gt;');
  expect(JSON.parse(/id="data">(.*)<\/script>/.exec(html)?.[1] ?? '')).toEqual(
    JSON.parse(JSON.stringify(collected())),
  );
});

it('lets nothing from the service act on the terminal', () => {
  expect(textReport(collected(), 80)).not.toContain('\u001B');
});

it('begins the bars of wide and narrow names in one column', () => {
  const [agent] = collected().byAgent;
  const names = ['山田太郎', 'Ann', '山田太郎山田太郎山田太郎山田太郎'];
  const byAgent = names.flatMap((name) => (agent === undefined ? [] : [{ ...agent, name }]));
  const lines = textReport({ ...collected(), byAgent }, 100)
    .split('\n')
    .filter((line) => line.includes(' rings missed, '));
  expect(lines).toHaveLength(3);
  expect(new Set(lines.map((line) => widthOf(line.slice(0, line.indexOf('█'))))).size).toBe(1);
  expect(lines.every((line) => widthOf(line) <= 100)).toBe(true);
});

it('is drawn without a call', () => {
  const none = new StatsCollector(options).stats();
  expect(none.totals).toMatchObject({ calls: 0, averageTalkSeconds: 0, serviceLevel: undefined });
  expect(textReport(none, 80)).toContain('0 calls');
  const html = htmlReport(none, 'Calls');
  expect(html).toContain('<dd>0</dd>');
  expect(html).toContain('<p>No calls.</p>');
  expect(html).toContain('<p>time zone UTC</p>');
});

it('is the same text for the same figures, without an address or an id of a chart', () => {
  const html = htmlReport(collected(), 'Calls');
  expect(htmlReport(collected(), 'Calls')).toBe(html);
  expect(html).not.toMatch(/https?:|xmlns|zr\d|ecmeta| id="(?!data|queues|agents|results)/);
  expect(html.match(/<style/g)).toHaveLength(1);
});

it('has a mark for every hour, day and cell, on whole numbers, in colours of the page', () => {
  const html = htmlReport(collected(), 'Calls');
  const charts = [...html.matchAll(/<svg role="img" aria-label="([^"]*)"[^]*?<\/svg>/g)];
  expect(charts.map(([, title]) => title)).toEqual(
    ['Calls by hour of the day', 'Calls by day', 'Calls by weekday and hour'].flatMap((title) =>
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
