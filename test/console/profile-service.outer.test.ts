import type { Browser } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumMissing, startChromium } from '../support/chromium.ts';
import { shoot } from './page.ts';
import { openProfile } from './profile.ts';

const outside = '+14155550142';

describe.skipIf(chromiumMissing() !== undefined)('the Service view of a profile in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
    return () => browser.close();
  });

  it('shows checks, session, rate limits, permissions and journals', async () => {
    const profile = await openProfile(browser, { sandbox: { rateLimits: 'realistic' } });
    await profile.ucctl(['sms', 'send', '--to', outside, 'hello', '--yes']);
    await profile.ucctl(['queue', 'assign', '--queue', '201', '--add', '107', '--yes']);
    const page = await profile.open({ place: '#/service' });
    await page.getByRole('region', { name: 'Checks' }).getByText('base-url').waitFor();
    await page.getByRole('region', { name: 'Checks' }).getByText('fail', { exact: true }).first().waitFor();
    await page.getByRole('region', { name: 'Sends' }).getByText('sms to +1********42').waitFor();
    await page.getByRole('region', { name: 'Runs' }).getByText('1 done').waitFor();
    await page
      .getByRole('region', { name: 'Profile and session' })
      .getByText(profile.sandbox.url)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Permissions' }).getByText('unknown').waitFor();
    const limits = page.getByRole('region', { name: 'Rate limits' });
    await limits.getByText('10 requests per minute').waitFor();
    // A group with few requests left shows how many are left, as `ucctl status` does.
    await profile.ucctl(['calllog', 'list']);
    await limits.getByText(/^\d left until/).waitFor();
    const { rateLimits } = (await profile.ucctl(['status'])) as {
      rateLimits: { group: string; left?: number }[];
    };
    expect(rateLimits.map(({ group, left }) => [group, left !== undefined])).toEqual([
      ['Light', expect.any(Boolean)],
      ['Medium', expect.any(Boolean)],
      ['Heavy', true],
      ['Auth', false],
    ]);
    await shoot(page, 'console-service');
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });
});
