import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { live } from '../commands/webhook/listening.ts';
import { chromiumMissing, startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { delayRequests, withDelayedReply } from './page.ts';
import { copyCalls, openProfile, writeReply, type ProfileConsole } from './profile.ts';

/** The requests of a page whose address matches. */
function requestsTo(page: Page, address: RegExp): readonly string[] {
  const found: string[] = [];
  page.on('request', (request) => {
    if (address.test(request.url())) found.push(request.url());
  });
  return found;
}

/** Extension numbers of the agents of the queue Support. */
async function members({ ucctl }: ProfileConsole): Promise<readonly string[]> {
  const found = (await ucctl(['queue', 'members', '201'])) as { extensionNumber: string }[];
  return found.map(({ extensionNumber }) => extensionNumber).toSorted();
}

describe.skipIf(chromiumMissing() !== undefined)('the page of a profile when replies are late', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
    return () => browser.close();
  });

  it('does not send a reply again while it is sent, also after the user has left its conversation', async () => {
    const profile = await openProfile(browser);
    const { page, field, dialog } = await writeReply(profile);
    const thread = page.getByRole('region', { name: 'Messages' });
    await withDelayedReply(page, '**/api/changes/*', async () => {
      await dialog.getByRole('button', { name: 'Send' }).click();
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      await page.goForward();
      const sending = page.getByRole('button', { name: 'Sending…' });
      await sending.waitFor();
      expect(await sending.isDisabled()).toBe(true);
      await field.press('Enter');
      // Other conversations can be answered.
      await page.getByRole('list', { name: 'Conversations' }).getByText('onerror=alert(1)').click();
      await thread.getByText('onerror=alert(1)').waitFor();
      expect(await page.getByRole('button', { name: 'Send…' }).isEnabled()).toBe(true);
      expect(await dialog.count()).toBe(0);
    });
    await page.getByText('Sent. The next sync copies the message.').waitFor();
    await page.goBack();
    await thread.getByText('blue lamp').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Send…' }).isEnabled()).toBe(true);
    expect(await profile.ucctl(['outcome', 'list'])).toMatchObject([{ kind: 'sms', state: 'sent' }]);
    expect(profile.problems).toEqual([]);
  });
});
