import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { live } from '../commands/webhook/listening.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { delayRequests, waitForNotice, withDelayedReply } from './page.ts';
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
  const chromium = useChromium();

  it('does not send a reply again while it is sent, also after the user has left its conversation', async () => {
    const profile = await openProfile(chromium.browser);
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
    await waitForNotice(page, 'Sent.');
    await page.goBack();
    await thread.getByText('blue lamp').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await page.getByRole('button', { name: 'Send…' }).isEnabled()).toBe(true);
    expect(await profile.ucctl(['outcome', 'list'])).toMatchObject([{ kind: 'sms', state: 'sent' }]);
    expect(profile.problems).toEqual([]);
  });

  it('does not apply or undo a change again while it is made, also after the user has left its view', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues' });
    await page.getByRole('link', { name: 'Support 201' }).click();
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    await page.getByRole('button', { name: 'Show the changes…' }).click();
    const dialog = page.getByRole('dialog');
    /** Confirms the change, and leaves the view and returns before the change is made. */
    const confirm = async (action: string, shown: string): Promise<void> => {
      const release = await delayRequests(page, '**/api/changes/*');
      await dialog.getByRole('button', { name: action }).click();
      await page.goBack();
      await dialog.waitFor({ state: 'detached' });
      await page.goForward();
      const button = page.getByRole('button').filter({ hasText: shown });
      await button.waitFor();
      expect(await button.isDisabled()).toBe(true);
      release();
      await button.waitFor({ state: 'detached' });
    };
    await confirm('Apply', 'Applying…');
    expect(await members(profile)).toEqual(['102', '103']);
    await page.evaluate("location.hash = '#/service'");
    await page.getByRole('button', { name: /^Undo run/ }).click();
    await confirm('Undo', 'Undoing…');
    expect(await members(profile)).toEqual(['102', '103', '104']);
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('asks once for the changes of a queue, and not after they were discarded', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues/171857201' });
    const plans = requestsTo(page, /\/plan$/);
    const show = page.getByRole('button', { name: 'Show the changes…' });
    const dialog = page.getByRole('dialog');
    const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    await withDelayedReply(page, '**/api/queues/*/plan', async () => {
      await show.click();
      await eventually(() => expect(plans).toHaveLength(1));
      await show.click();
    });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(plans).toHaveLength(1);
    for (const withdraw of [
      () => page.getByRole('button', { name: 'Discard' }).click(),
      async () => {
        await page.getByLabel('Add an agent').selectOption({ label: '104 Chris Smith' });
        await page.getByRole('button', { name: 'Add this agent' }).click();
      },
    ]) {
      await withDelayedReply(page, '**/api/queues/*/plan', async () => {
        await show.click();
        await withdraw();
        await page.getByRole('button', { name: 'Remove Dana Okafor, 102' }).click();
      });
      // A dialog for the earlier edits would be above this button.
      await show.click();
      await changes.first().waitFor();
      expect(await changes.allTextContents()).toEqual(['RemoveDana Okafor (102)']);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    }
    expect(profile.problems).toEqual([]);
  });

  it('asks once whether to undo a run, and does not replace the question about another run', async () => {
    const profile = await openProfile(chromium.browser);
    for (const queue of ['202', '201'])
      await profile.ucctl(['queue', 'assign', '--queue', queue, '--add', '107', '--yes']);
    const runs = (await profile.ucctl(['history', 'list'])) as { id: string }[];
    const page = await profile.open({ place: '#/service' });
    const previews = requestsTo(page, /\/undo$/);
    const undo = (index: number) => page.getByRole('button', { name: `Undo run ${runs[index]?.id}` });
    const dialog = page.getByRole('dialog');
    await withDelayedReply(page, `**/runs/${runs[1]?.id}/undo`, async () => {
      await undo(1).click();
      await eventually(() => expect(previews).toHaveLength(1));
      await undo(1).click();
      await undo(0).click();
      await dialog.waitFor();
    });
    expect(previews).toHaveLength(2);
    expect(await dialog.count()).toBe(1);
    expect(await dialog.textContent()).toContain(runs[0]?.id);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await members(profile)).toEqual(['102', '103', '104']);
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('reads the calls again on request, and if the list of a bar has other calls than the bar', async () => {
    const profile = await openProfile(chromium.browser, { sandbox: { clock: 'real' } });
    const page = await profile.open({ place: '#/calls' });
    await page.getByText('ucctl calllog sync').waitFor();
    await copyCalls(profile);
    // As if another call was copied after this reply.
    await page.route(
      /\/api\/calls\?/,
      async (route) => {
        const response = await route.fetch();
        const body = (await response.text()).replaceAll('"inbound":2', '"inbound":1');
        await route.fulfill({ response, body });
      },
      { times: 1 },
    );
    const reads = requestsTo(page, /\/api\/calls\?/);
    await page.getByRole('button', { name: 'Read again' }).click();
    const agents = page.getByRole('region', { name: 'By agent' });
    const bar = (calls: number) => agents.getByRole('button', { name: `Dana Okafor (102) ${calls} calls` });
    await bar(1).click();
    const rows = page.getByRole('list', { name: 'Calls' }).getByRole('listitem');
    await rows.nth(1).waitFor();
    await bar(2).waitFor();
    expect([await rows.count(), reads.length]).toEqual([2, 2]);
    // Bar and list have the same calls now.
    await agents.getByRole('button').filter({ hasText: '103' }).click();
    await eventually(async () => expect(await rows.count()).toBe(1));
    expect(reads).toHaveLength(2);
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('does not resend an event again while it is sent, also after the user has left the event', async () => {
    const profile = await openProfile(chromium.browser);
    const { ready, interrupt, result } = await live(profile, 'webhook listen --no-subscribe');
    const event = '/restapi/v1.0/account/1/extension/171857102/presence';
    await fetch(ready.address, {
      method: 'POST',
      body: JSON.stringify({ uuid: 'one', event, subscriptionId: 'sub-1', body: {} }),
    });
    let posts = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const target = createServer((_request, response) => {
      posts += 1;
      void released.then(() => response.end());
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void target.close());
    const page = await profile.open();
    const row = page.getByRole('list', { name: 'Events' }).getByRole('link');
    await row.click();
    const url = page.getByLabel('URL');
    await url.fill(`http://127.0.0.1:${(target.address() as AddressInfo).port}/hook`);
    await page.getByRole('button', { name: 'Send' }).click();
    await eventually(() => expect(posts).toBe(1));
    await page.goBack();
    await url.waitFor({ state: 'detached' });
    await page.goForward();
    const sending = page.getByRole('button', { name: 'Sending…' });
    await sending.waitFor();
    expect(await sending.isDisabled()).toBe(true);
    await url.press('Enter');
    release();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(posts).toBe(1);
    interrupt();
    await result;
    expect(profile.problems).toEqual([]);
  });

  it('leaves the focus in the search field when the reply with an event arrives', async () => {
    const profile = await openProfile(chromium.browser);
    const { ready, interrupt, result } = await live(profile, 'webhook listen --no-subscribe');
    const event = '/restapi/v1.0/account/1/extension/171857102/presence';
    await fetch(ready.address, {
      method: 'POST',
      body: JSON.stringify({ uuid: 'one', event, subscriptionId: 'sub-1', body: {} }),
    });
    const page = await profile.open();
    const row = page.getByRole('list', { name: 'Events' }).getByRole('link');
    await row.waitFor();
    const release = await delayRequests(page, '**/api/events/*');
    await row.click();
    await page.keyboard.press('/');
    await page.keyboard.type('+1650');
    release();
    const heading = page.locator('.pane-header h2');
    await heading.waitFor();
    await page.keyboard.type('5550112');
    expect(await page.getByLabel('Search number, ID or text').inputValue()).toBe('+16505550112');
    expect(page.url()).toContain('#/live/');
    // Without a field that has the focus, the heading gets it.
    await page.getByLabel('Search number, ID or text').fill('');
    await row.focus();
    await page.keyboard.press('Escape');
    await heading.waitFor({ state: 'detached' });
    await row.click();
    await eventually(async () =>
      expect(await heading.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true),
    );
    interrupt();
    await result;
    expect(profile.problems).toEqual([]);
  });
});
