import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { accessProblems, expectFocused, expectInWindow, shoot } from './page.ts';
import { openProfile } from './profile.ts';
import { openQueues } from './profile-views.ts';

/** Widths of windows in pixels. */
const widths = [400, 900, 1280] as const;
/** The window must not draw all rows of a list. */
const mostDrawn = 60;

describe.skipIf(chromiumMissing() !== undefined)('the queues of a profile in Chromium', () => {
  const chromium = useChromium();

  it.each(widths)('opens one of 250 queues with the keyboard, %i pixels wide', async (width) => {
    const profile = await openProfile(chromium.browser);
    const page = await openQueues(profile, width);
    const links = page.getByRole('list', { name: 'Queues' }).getByRole('link');
    expect(await links.count()).toBeLessThan(mostDrawn);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await expectFocused(links.first());
    await page.keyboard.press('End');
    await expectFocused(links.filter({ hasText: 'Queue 250' }));
    for (let number = 250; number > 245; number -= 1) await page.keyboard.press('ArrowUp');
    const link = links.filter({ hasText: 'Queue 245' });
    await expectFocused(link);
    await page.keyboard.press('Enter');
    const heading = page.getByRole('heading', { name: 'Queue 245' });
    await expectFocused(heading);
    const remove = page.getByRole('button', { name: 'Remove Dana Okafor, 102' });
    await expectInWindow(heading, remove);
    expect(await links.first().isVisible()).toBe(width > 720);
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, `console-queue-${width}`);
    await page.keyboard.press('Tab');
    await expectFocused(remove);
    await page.keyboard.press('Escape');
    await expectFocused(link);
    await page.getByText('No queue selected').waitFor({ state: width > 720 ? 'visible' : 'hidden' });
    expect(profile.problems).toEqual([]);
  });

  it('does not close the queue when Escape closes the confirmation of its changes', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues/171857201' });
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).press('Enter');
    await page.getByRole('button', { name: 'Show the changes…' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toContain('#/queues/171857201');
    await expectFocused(page.getByRole('button', { name: 'Show the changes…' }));
  });
});
