import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumMissing, startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { openConsole } from './page.ts';

describe.skipIf(chromiumMissing() !== undefined)('the page of the sandbox in unusual windows', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
    return () => browser.close();
  });

  it('keeps its place and the focus when it shows more rows', async () => {
    const { open, problems } = await openConsole(browser, { fixture: 'call-center' });
    const page = await open();
    const more = page.getByRole('button', { name: 'Show more' });
    await more.focus();
    const place = () => page.locator('#main').evaluate((main) => main.scrollTop);
    const before = await place();
    expect(before).toBeGreaterThan(1000);
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await page.locator('.cards > li').count()).toBe(120));
    expect(await place()).toBeGreaterThanOrEqual(before);
    expect(await more.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true);
    expect(problems).toEqual([]);
  });
});
