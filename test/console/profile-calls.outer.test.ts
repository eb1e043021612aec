import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { accessProblems, expectFocused, expectInWindow, shoot } from './page.ts';
import { openProfile } from './profile.ts';
import { openCalls } from './profile-views.ts';

/** Widths of windows in pixels. */
const widths = [400, 900, 1280] as const;
/** The window must not draw all rows of a list. */
const mostDrawn = 60;

describe.skipIf(chromiumMissing() !== undefined)('the calls of a profile in Chromium', () => {
  const chromium = useChromium();

  it.each(widths)('shows the calls of a bar and returns to it, %i pixels wide', async (width) => {
    const profile = await openProfile(chromium.browser);
    const page = await openCalls(profile, width);
    const bar = page.getByRole('region', { name: 'By hour' }).getByRole('button', { name: /^09:00/ });
    await bar.press('Enter');
    const heading = page.getByRole('heading', { name: 'By hour, 09:00' });
    await expectFocused(heading);
    const rows = page.getByRole('list', { name: 'Calls' }).getByRole('listitem');
    await rows.first().waitFor();
    await expectInWindow(heading, rows.first());
    expect(await rows.count()).toBeLessThan(mostDrawn);
    expect(await rows.first().innerText()).toMatch(/\+14155550142[^]*\+16505551000[^]*1:02:05/);
    expect(await page.locator('#main').evaluate((main) => main.scrollHeight)).toBeLessThan(6000);
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, `console-calls-${width}`);
    // Another bar of the same list.
    await page.getByRole('button', { name: /^Agent 0/ }).press('Enter');
    await expectFocused(page.getByRole('heading', { name: 'By agent, Agent 0' }));
    // The list can be scrolled with the keyboard.
    await page.keyboard.press('Tab');
    await expectFocused(page.getByRole('button', { name: 'Back to the chart' }));
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expectInWindow(rows.filter({ hasText: '+16505551478' }));
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expectFocused(page.getByRole('button', { name: /^Agent 0/ }));
    expect(await rows.count()).toBe(0);
    expect(profile.problems).toEqual([]);
  });

  it('leaves the focus at the choice of the period while the calls of a bar are listed', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await openCalls(profile, 1280);
    await page
      .getByRole('region', { name: 'By hour' })
      .getByRole('button', { name: /^09:00/ })
      .click();
    await expectFocused(page.getByRole('heading', { name: 'By hour, 09:00' }));
    const period = page.getByRole('radio', { name: '30 days' });
    const read = page.waitForResponse(/\/api\/calls\?since=30d/);
    const listed = page.waitForResponse(/\/api\/calls\/list\?since=30d/);
    await period.check();
    await Promise.all([read, listed]);
    await page.getByRole('list', { name: 'Calls' }).getByRole('listitem').first().waitFor();
    await expectFocused(period);
    expect(profile.problems).toEqual([]);
  });

  it.each([400, 720, 760, 900, 1280])(
    'has bars of at least 24 pixels, and shows the last day, %i pixels wide',
    async (width) => {
      const profile = await openProfile(chromium.browser);
      for (const days of [1, 31, 366]) {
        const page = await openCalls(profile, width, days);
        expect([days, ...(await accessProblems(page))]).toEqual([days]);
        const bars = page.locator('.bars button');
        const sizes = await bars.evaluateAll((all) =>
          all.map((bar) => {
            const { width: across, height } = bar.getBoundingClientRect();
            return Math.min(across, height);
          }),
        );
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
        const last = await page
          .getByRole('region', { name: 'By day' })
          .getByRole('button')
          .last()
          .boundingBox();
        expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThan(width);
        await shoot(page, `console-bars-${days}-${width}`);
        await page.close();
      }
      expect(profile.problems).toEqual([]);
    },
  );
});
