import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ListedPerson } from '../../src/commands/console/types.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { accessProblems, expectFocused, openConsole } from './page.ts';
import { openProfile } from './profile.ts';
import { openCalls, openQueues } from './profile-views.ts';

const agents: readonly ListedPerson[] = Array.from({ length: 40 }, (_, at) => ({
  id: 7001 + at,
  name: `Agent ${at}`,
  extensionNumber: String(4001 + at),
}));

/** Presses a key several times, without waiting until the page has handled the press before. */
async function pressFast(page: Page, key: string, times: number): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => page.keyboard.press(key)));
}

describe.skipIf(chromiumMissing() !== undefined)('the lists of the console', () => {
  const chromium = useChromium();

  it('has one Tab stop for each chart of a year of calls', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await openCalls(profile, 1280, 366);
    const bars = (chart: string): Locator => page.getByRole('region', { name: chart }).getByRole('button');
    await page.getByRole('button', { name: 'Read again' }).focus();
    await page.keyboard.press('Tab');
    await expectFocused(bars('By day').first());
    await page.keyboard.press('End');
    await expectFocused(bars('By day').last());
    await page.keyboard.press('ArrowLeft');
    const chosen = bars('By day').nth(364);
    await expectFocused(chosen);
    await page.keyboard.press('Tab');
    await expectFocused(bars('By hour').first());
    await pressFast(page, 'ArrowRight', 9);
    await expectFocused(bars('By hour').nth(9));
    await page.keyboard.press('Shift+Tab');
    await expectFocused(chosen);
    await page.keyboard.press('Home');
    await expectFocused(bars('By day').first());
    await page.keyboard.press('ArrowUp');
    await expectFocused(bars('By day').first());
    expect(await accessProblems(page)).toEqual([]);
    expect(profile.problems).toEqual([]);
  });

  it('has one Tab stop for the agents of a queue', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await openQueues(profile, 1280, agents);
    await page.getByRole('link', { name: 'Queue 1 3001' }).press('Enter');
    const remove = page.getByRole('button', { name: /^Remove Agent/ });
    await expectFocused(page.getByRole('heading', { name: 'Queue 1' }));
    await remove.last().waitFor();
    await page.keyboard.press('Tab');
    await expectFocused(remove.first());
    await page.keyboard.press('Tab');
    await expectFocused(page.getByRole('combobox', { name: 'Add an agent' }));
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('End');
    await expectFocused(remove.nth(39));
    // The agent before takes the place of a removed one, and its button is the Tab stop.
    await page.keyboard.press('Enter');
    await expectFocused(remove.nth(38));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expectFocused(remove.nth(38));
    expect(profile.problems).toEqual([]);
  });

  it('moves between the rows and the controls of a row', async () => {
    const { open, problems } = await openConsole(chromium.browser);
    const page = await open('#/queues');
    const card = page.getByRole('article', { name: 'Support' });
    const switches = card.getByRole('switch');
    const remove = card.getByRole('button', { name: /^Remove/ });
    await card.getByRole('button', { name: /^Call/ }).focus();
    await page.keyboard.press('Tab');
    await expectFocused(switches.first());
    await page.keyboard.press('ArrowRight');
    await expectFocused(remove.first());
    await page.keyboard.press('ArrowDown');
    await expectFocused(remove.nth(1));
    await page.keyboard.press('ArrowLeft');
    await expectFocused(switches.nth(1));
    await page.keyboard.press('End');
    await expectFocused(switches.last());
    await page.keyboard.press('Tab');
    await expectFocused(page.getByLabel('Add an agent to Support'));
    expect(await accessProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('has one Tab stop for a list that draws only its visible rows, and loses no fast key', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await openQueues(profile, 1280);
    const links = page.getByRole('list', { name: 'Queues' }).getByRole('link');
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await pressFast(page, 'ArrowDown', 100);
    await expectFocused(links.filter({ hasText: /^Queue 1013101/ }));
    await pressFast(page, 'ArrowUp', 60);
    const row = links.filter({ hasText: /^Queue 413041/ });
    await expectFocused(row);
    await page.keyboard.press('Shift+Tab');
    await expectFocused(page.getByRole('searchbox'));
    await page.keyboard.press('Tab');
    await expectFocused(row);
    expect(await links.count()).toBeLessThan(60);
    expect(await accessProblems(page)).toEqual([]);
  });

  it.each([400, 1280])(
    'returns to the row of an item after the list was scrolled, %i pixels wide',
    async (width) => {
      const profile = await openProfile(chromium.browser);
      const page = await openQueues(profile, width, agents);
      const links = page.getByRole('list', { name: 'Queues' }).getByRole('link');
      const row = links.filter({ hasText: /^Queue 33003/ });
      await row.click();
      await expectFocused(page.getByRole('heading', { name: 'Queue 3' }));
      if (width > 720) {
        await page.locator('.pane.list .windowed').evaluate((box) => (box.scrollTop = box.scrollHeight));
        await links.filter({ hasText: /^Queue 250/ }).waitFor();
      }
      await page.keyboard.press('Escape');
      await expectFocused(row);
      expect(profile.problems).toEqual([]);
    },
  );
});
