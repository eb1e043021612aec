import { describe, expect, it, onTestFinished } from 'vitest';
import { htmlReport } from '../../../src/features/call-stats/html-report.ts';
import { StatsCollector } from '../../../src/features/call-stats/index.ts';
import { chromiumMissing, useChromium } from '../../support/chromium.ts';

/** A report of 60 queues and 60 agents, with one call each. */
function longReport(): string {
  const collector = new StatsCollector({
    zone: 'UTC',
    serviceLevelSeconds: 20,
    from: undefined,
    to: undefined,
    queueName: (id) => (id.startsWith('9') ? `Queue ${id} of a town with a long name` : undefined),
    nameOf: (id) => `Agent ${id}`,
    numberOf: (id) => id,
  });
  for (let index = 0; index < 120; index += 1)
    collector.add({
      id: String(index),
      sessionId: String(index),
      startTime: '2026-01-05T09:00:00.000Z',
      duration: 7200,
      direction: 'Inbound',
      result: 'Accepted',
      to: { extensionId: `${index % 2 === 0 ? 9 : 1}${index}` },
    });
  return htmlReport(collector.stats(), { title: 'Calls', account: 'default', calls: 'Voice', madeAt: 0 });
}

/** The background, the number of tables of which only a part is shown, and whether the page is too wide. */
const layoutOfPage = `({
  background: getComputedStyle(document.body).backgroundColor,
  hidden: [...document.querySelectorAll('.scroll')].filter(
    (part) => part.scrollHeight > part.clientHeight && getComputedStyle(part).overflowY !== 'visible',
  ).length,
  tooWide: document.documentElement.scrollWidth > innerWidth,
})`;

describe.skipIf(chromiumMissing() !== undefined)('a printed report', () => {
  const chromium = useChromium();

  it('has all rows, on a light background', async () => {
    const context = await chromium.browser.newContext({
      colorScheme: 'dark',
      // A4 at 96 pixels per inch, without margins of 1 cm.
      viewport: { width: 718, height: 1046 },
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.setContent(longReport());
    const layout = () => page.evaluate(layoutOfPage);
    expect(await layout()).toEqual({ background: 'rgb(18, 22, 28)', hidden: 2, tooWide: false });
    await page.emulateMedia({ media: 'print' });
    expect(await layout()).toEqual({ background: 'rgb(255, 255, 255)', hidden: 0, tooWide: false });
  });
});
