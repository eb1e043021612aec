import { expect, it } from 'vitest';
import { axisValues } from '../../../src/features/call-stats/svg-chart.ts';
import { htmlReport, StatsCollector, textReport } from '../../../src/features/call-stats/index.ts';

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

it('is drawn without a call', () => {
  const none = new StatsCollector(options).stats();
  expect(none.totals).toMatchObject({ calls: 0, averageTalkSeconds: 0, serviceLevel: undefined });
  expect(textReport(none, 80)).toContain('0 calls');
  expect(htmlReport(none, 'Calls')).toContain('<dd>0</dd>');
});

it.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [9, [0, 5, 10]],
  [273, [0, 100, 200, 300]],
  [1177, [0, 500, 1000, 1500]],
])('has round values beside a chart whose most is %d', (most, values) => {
  expect(axisValues(most)).toEqual(values);
});
