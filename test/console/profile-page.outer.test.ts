import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { live } from '../commands/webhook/listening.ts';
import {
  accessProblems,
  expectInWindow,
  gapNextTo,
  isInPanel,
  lengthenNames,
  shoot,
  waitForNotice,
  withDelayedReply,
} from './page.ts';
import { copyCalls, copyMessages, hostile, openProfile, outside, writeReply } from './profile.ts';

describe.skipIf(chromiumMissing() !== undefined)('the page of a profile in Chromium', () => {
  const chromium = useChromium();

  it('shows the events that another command receives', async () => {
    const profile = await openProfile(chromium.browser);
    const { open, run, problems } = profile;
    const page = await open();
    expect(page.url()).not.toContain(new URL(profile.url).hash.slice(1));
    await page.getByText('No events yet').waitFor();
    const { ready, interrupt, result } = await live({ run }, 'webhook listen --no-subscribe');
    const send = (uuid: string, body: object): Promise<Response> =>
      fetch(ready.address, {
        method: 'POST',
        body: JSON.stringify({
          uuid,
          event: '/restapi/v1.0/account/1/extension/171857102/presence',
          timestamp: '2026-01-05T09:00:00Z',
          subscriptionId: 'sub-1',
          body,
        }),
      });
    expect((await send('one', { presenceStatus: 'Busy', note: hostile })).status).toBe(200);
    const row = page.getByRole('list', { name: 'Events' }).getByRole('link');
    await row.getByText('is busy').waitFor();
    await row.click();
    await page.getByRole('region', { name: 'JSON' }).getByText('onerror=alert(1)').waitFor();
    expect(await page.locator('img, main b').count()).toBe(0);
    const ringing = {
      telephonyStatus: 'Ringing',
      activeCalls: [
        { direction: 'Inbound', from: outside, toName: 'Dana Okafor', telephonyStatus: 'Ringing' },
      ],
    };
    await page.setViewportSize({ width: 1000, height: 620 });
    expect((await send('two', ringing)).status).toBe(200);
    const caller = row.getByText('+1 415 555 0142');
    await caller.waitFor();
    // The list shows the whole text, not only its beginning.
    expect(
      await caller.evaluate((text) => [
        text.scrollWidth <= text.clientWidth,
        text.scrollHeight <= text.clientHeight,
      ]),
    ).toEqual([true, true]);
    interrupt();
    await result;
    const stored = (await profile.ucctl(['events', 'list'])) as { uuid: string }[];
    expect(stored.map(({ uuid }) => uuid).toSorted()).toEqual(['one', 'two']);
    expect(problems).toEqual([]);
  });

  it('searches and reads the mailbox copy, plays a voicemail and saves a fax', async () => {
    const profile = await openProfile(chromium.browser);
    await copyMessages(profile);
    const page = await profile.open({ place: '#/messages' });
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
    await rows.nth(3).waitFor();
    await page.getByLabel('Search messages').fill('lamp');
    await eventually(async () => expect(await rows.count()).toBe(1));
    expect(await rows.textContent()).toContain('Text · Your mailbox');
    expect(await gapNextTo(rows.locator('bdi'))).toBeLessThan(6);
    await profile.ucctl(['agent', 'list']);
    await page.getByLabel('Search messages').fill('blue lamp');
    await rows.getByText('Text · Mailbox of Avery Quinn (100)').waitFor();
    expect(await page.getByRole('navigation').textContent()).toContain('Times in Europe/Berlin');
    const found = (await profile.ucctl(['sync', 'search', 'lamp'])) as { text: string }[];
    expect(found.map(({ text }) => text)).toEqual(['Is the blue lamp in stock?']);
    await page.getByLabel('Search messages').fill('type:voicemail');
    await rows.getByText('Voicemail').first().waitFor();
    await rows.getByRole('link').click();
    await page.getByRole('button', { name: /^Play/ }).click();
    await page.locator('audio[src^="blob:"]').waitFor();
    await page.getByLabel('Search messages').fill('type:fax');
    await rows.getByText('Fax').first().waitFor();
    await rows.getByRole('link').click();
    const reads: string[] = [];
    page.on('request', (request) =>
      reads.push(...(request.url().includes('/content/') ? [request.url()] : [])),
    );
    const [fax] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Save/ }).dblclick(),
    ]);
    expect(reads).toHaveLength(1);
    expect(fax.suggestedFilename()).toMatch(/fax/i);
    await page.getByLabel('Search messages').fill('bold');
    await rows.getByText('onerror=alert(1)').waitFor();
    await rows.getByRole('link').click();
    await page.getByRole('region', { name: 'Messages' }).getByText('onerror=alert(1)').waitFor();
    expect(await page.locator('img, main b').count()).toBe(0);
    await page.getByLabel('Search messages').fill('type:nothing');
    await page.getByText('type: "nothing" is not a valid message type').waitFor();
    // The browser reports the status of the rejected search.
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('shows a sender that reverses the direction of text next to its time, and Hebrew from right to left', async () => {
    const profile = await openProfile(chromium.browser);
    const hebrew = 'שלום, מה שלומך?';
    await profile.sandbox.control('POST', '/triggers/sms', {
      to: '100',
      from: '+14155550142',
      text: hebrew,
    });
    await profile.ucctl(['sync']);
    const page = await profile.open({ place: '#/messages' });
    // The sandbox does not accept such a number.
    await page.route('**/api/**', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('+14155550142', '\u202e+14155550142');
      await route.fulfill({ response, body });
    });
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
    const meta = page.locator('.bubble .meta');
    await meta.waitFor();
    const [sender, time] = await Promise.all([
      meta.locator('bdi').boundingBox(),
      meta.locator('time').boundingBox(),
    ]);
    expect(time?.x).toBeGreaterThan((sender?.x ?? 0) + (sender?.width ?? 0));
    const direction = 'getComputedStyle(document.querySelector(".bubble .text")).unicodeBidi';
    expect(await page.evaluate(direction)).toBe('plaintext');
    expect(await page.locator('.bubble .text').textContent()).toBe(hebrew);
    expect(profile.problems).toEqual([]);
  });

  it('sends a reply after a confirmation, which is in the journal', async () => {
    const profile = await openProfile(chromium.browser, { sandbox: { clock: 'real' } });
    await copyMessages(profile);
    await profile.ucctl(['agent', 'list']);
    const page = await profile.open({ place: '#/messages' });
    await page.getByLabel('Search messages').fill('lamp');
    await page.getByRole('list', { name: 'Conversations' }).getByText('blue lamp').click();
    await page.getByLabel('Reply', { exact: true }).fill('Yes, three of them.');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Send this message?' });
    await dialog.getByText(`from +16505550110 to ${outside}`).waitFor();
    await shoot(page, 'console-messages');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await profile.ucctl(['outcome', 'list'])).toEqual([]);
    // A text may begin like an option.
    await page.getByLabel('Reply', { exact: true }).fill('-- Yes, three of them.');
    await page.getByRole('button', { name: 'Send…' }).click();
    await dialog.getByRole('button', { name: 'Send' }).click();
    await waitForNotice(page, 'Sent.');
    expect(await profile.ucctl(['outcome', 'list'])).toMatchObject([
      { kind: 'sms', state: 'sent', to: '+1********42' },
    ]);
    // The page copies the mailbox again after the message was sent.
    const messages = page.getByRole('region', { name: 'Messages' });
    await messages.getByText('-- Yes, three of them.').waitFor();
    await messages.getByText('not copied yet').waitFor({ state: 'detached' });
    expect(await messages.getByText('-- Yes, three of them.').count()).toBe(1);
    expect(profile.problems).toEqual([]);
  });

  it('shows a sent reply that is not copied yet, also after a reload', async () => {
    const profile = await openProfile(chromium.browser);
    const { page, dialog } = await writeReply(profile);
    const fault = { kind: 'status', operation: 'syncMessages', status: 400, times: 0 };
    await profile.sandbox.control('POST', '/faults', fault);
    await dialog.getByRole('button', { name: 'Send' }).click();
    const messages = page.getByRole('region', { name: 'Messages' });
    const pending = messages.getByText(/^Sent .*\d\d:\d\d, not copied yet$/);
    await pending.waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-sent');
    await page.reload();
    await pending.waitFor();
    expect(await messages.getByText('Yes, three of them.').count()).toBe(1);
    await profile.sandbox.control('DELETE', '/faults');
    await profile.ucctl(['sync']);
    await pending.waitFor({ state: 'detached' });
    expect(await messages.getByText('Yes, three of them.').count()).toBe(1);
  });

  it('does not copy more than the user has chosen after a reply', async () => {
    const profile = await openProfile(chromium.browser);
    const text = { to: '100', from: outside, text: 'Is the blue lamp in stock?' };
    await profile.sandbox.control('POST', '/triggers/sms', text);
    await profile.ucctl(['sync', '--type', 'SMS']);
    const page = await profile.open({ place: '#/messages' });
    await page.getByRole('list', { name: 'Conversations' }).getByText('blue lamp').click();
    await page.getByLabel('Reply', { exact: true }).fill('Yes.');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await waitForNotice(page, 'Sent.');
    const { end } = profile;
    await end();
    const scopes = (await profile.ucctl(['sync', 'status'])) as { type: string | null }[];
    expect(scopes.map(({ type }) => type)).toEqual(['SMS']);
  });

  it('states how old the mailbox copy is', async () => {
    const profile = await openProfile(chromium.browser, { sandbox: { clock: 'real' } });
    await copyMessages(profile);
    const page = await profile.open({ place: '#/messages' });
    const header = page.locator('.view-header');
    await header
      .getByText(/^Copied less than a minute ago · ucctl sync --watch keeps it up to date\.$/)
      .waitFor();
    let isCopying = false;
    await page.route('**/api/receiving', (route) => route.fulfill({ json: { isCopying } }));
    let shown: object = { copiedAt: new Date(Date.now() - 25 * 60_000).toISOString() };
    await page.route(/\/api\/conversations$/, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...shown } });
    });
    const old = header.locator('.copy-age', { hasText: 'Copied 25 minutes ago' });
    await old.and(page.locator('.warn-text')).getByText('ucctl sync --watch', { exact: true }).waitFor();
    // The running command may not copy this mailbox.
    isCopying = true;
    shown = { ...shown, oldestExtension: '102' };
    await old.getByText('ucctl sync --watch --extension 102', { exact: true }).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-copy-age');
  });

  it('names the other party by name and number, in the list and in the conversation', async () => {
    const profile = await openProfile(chromium.browser);
    await profile.sandbox.control('POST', '/triggers/pager', {
      from: '102',
      to: '100',
      text: 'can you help?',
    });
    await profile.sandbox.control('POST', '/triggers/sms', { from: outside, to: '100', text: 'Hello' });
    await profile.ucctl(['sync']);
    const page = await profile.open({ place: '#/messages' });
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
    const row = rows.filter({ hasText: 'can you help?' });
    await row.getByText('Dana Okafor (102)', { exact: true }).waitFor();
    await row.getByText('DO', { exact: true }).waitFor();
    const other = rows.filter({ hasText: 'Hello' });
    await other.getByText('+1 415 555 0142', { exact: true }).waitFor();
    await other.getByText('42', { exact: true }).waitFor();
    await row.click();
    await page.getByRole('heading', { name: 'Dana Okafor (102)' }).waitFor();
    expect(profile.problems).toEqual([]);
  });

  it('keeps a reply that could not be sent, and shows why', async () => {
    const profile = await openProfile(chromium.browser);
    const { page, field, dialog } = await writeReply(profile);
    await profile.sandbox.control('POST', '/faults', { kind: 'status', operation: 'sendSms', status: 400 });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await field.inputValue()).toBe('Yes, three of them.');
    expect(await page.getByRole('button', { name: 'Send…' }).isEnabled()).toBe(true);
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('does not leave the view by a key while it asks for a confirmation', async () => {
    const profile = await openProfile(chromium.browser);
    const { page, dialog } = await writeReply(profile);
    await page.keyboard.press('1');
    await page.keyboard.press('/');
    expect(page.url()).toContain('#/messages/');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('#main').focus();
    await page.keyboard.press('1');
    await page.getByText('No listener is running.').waitFor();
    expect(profile.problems).toEqual([]);
  });

  it('does not close the confirmation while the message is sent', async () => {
    const profile = await openProfile(chromium.browser);
    const { page, field, dialog } = await writeReply(profile);
    let release: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/changes/*', async (route) => {
      await waiting;
      await route.continue();
    });
    await dialog.getByRole('button', { name: 'Send' }).click();
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    release();
    await waitForNotice(page, 'Sent.');
    await dialog.waitFor({ state: 'detached' });
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    expect(await profile.ucctl(['outcome', 'list'])).toMatchObject([{ kind: 'sms', state: 'sent' }]);
    expect(profile.problems).toEqual([]);
  });

  it('updates the deliveries of the open event, and does not lose its edited text', async () => {
    const profile = await openProfile(chromium.browser);
    const { ready, interrupt, result } = await live(profile, 'webhook listen --no-subscribe');
    const event = '/restapi/v1.0/account/1/extension/171857102/presence';
    await fetch(ready.address, {
      method: 'POST',
      body: JSON.stringify({ uuid: 'one', event, subscriptionId: 'sub-1', body: {} }),
    });
    const page = await profile.open();
    let state = 'pending';
    await page.route('**/api/events/*', async (route) => {
      const reply = await route.fetch();
      const detail = (await reply.json()) as object;
      const delivery = { target: 'http://localhost/', state, attempts: 1, problem: null, milliseconds: null };
      await route.fulfill({ response: reply, json: { ...detail, deliveries: [delivery] } });
    });
    await page.getByRole('list', { name: 'Events' }).getByRole('link').click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByText('pending').waitFor();
    state = 'delivered';
    await deliveries.getByText('delivered').waitFor();
    expect(await deliveries.getByText('pending').count()).toBe(0);
    await page.getByText('Edit before sending').click();
    const text = page.getByLabel('Notification (JSON)');
    await text.fill('{"edited":true}');
    await text.press('Escape');
    await page.getByText('Edit before sending').focus();
    expect(await text.inputValue()).toBe('{"edited":true}');
    await page.getByLabel('URL').fill('http://localhost:3000/hook');
    await page.getByText('Edit before sending').focus();
    await page.keyboard.press('Escape');
    await text.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Events' }).getByRole('link').click();
    await page.getByText('Edit before sending').click();
    expect(await text.inputValue()).toBe('{"edited":true}');
    expect(await page.getByLabel('URL').inputValue()).toBe('http://localhost:3000/hook');
    // Events of another filter are not shown as the result of a search that failed.
    await page.route('**/api/events?text=*', (route) => route.abort());
    await page.getByLabel('Search number, ID or text').fill('other');
    await page.getByText('ucctl does not reply.').waitFor();
    expect(await page.getByRole('list', { name: 'Events' }).count()).toBe(0);
    interrupt();
    await result;
  });

  it('counts calls, and lists the calls of a bar', async () => {
    const profile = await openProfile(chromium.browser, { sandbox: { clock: 'real' } });
    const page = await profile.open({ place: '#/calls' });
    await page.getByText('ucctl calllog sync').waitFor();
    // The first visit is not a failure.
    expect(await page.getByRole('alert').count()).toBe(0);
    await copyCalls(profile);
    await page.getByRole('button', { name: 'Read from the service' }).click();
    await page.getByRole('radio', { name: 'Local database' }).check();
    const stats = (await profile.ucctl(['calllog', 'stats', '--local', '--since', '7d'])) as {
      totals: { calls: number };
      byDay: { day: string }[];
      byAgent: { name: string; extensionNumber: string; inbound: number }[];
    };
    expect(stats.totals.calls).toBe(3);
    // As in the report, each call has one result, and the charts show what their bars mean.
    const results = ['Answered', 'Missed', 'Abandoned', 'Voicemail', 'Unanswered', 'Other'];
    const tiles = await page.locator('.totals').getByRole('definition').allTextContents();
    const names = await page.locator('.totals').getByRole('term').allTextContents();
    const counts = results.map((name) => Number(tiles[names.indexOf(name)]));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(Number(tiles[names.indexOf('Calls')]));
    const axis = (chart: string) => page.getByRole('region', { name: chart }).locator('.axis').innerText();
    expect(await axis('By hour')).toMatch(/^00:00\s+12:00\s+23:00$/);
    expect(await axis('By day')).toBe(stats.byDay[0]?.day);
    const agents = page.getByRole('region', { name: 'By agent' });
    const [first] = stats.byAgent;
    await agents
      .getByRole('button', { name: `${first?.name} (${first?.extensionNumber}) ${first?.inbound} calls` })
      .click();
    const list = page.getByRole('list', { name: 'Calls' }).getByRole('listitem');
    await eventually(async () => expect(await list.count()).toBe(first?.inbound));
    await expectInWindow(list.last());
    await shoot(page, 'console-calls');
    const calls = (await profile.ucctl(['calllog', 'stats', '--local', '--by', 'call'])) as {
      from: string;
    }[];
    expect(calls.map(({ from }) => from)).toEqual([outside, outside, outside]);
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it('shows who is on a call with whom', async () => {
    const profile = await openProfile(chromium.browser, {
      sandbox: { settings: { callProgression: 'manual' } },
    });
    const { sandbox, ucctl } = profile;
    const page = await profile.open({ place: '#/board' });
    const dana = page.getByRole('article', { name: 'Dana Okafor' });
    await dana.getByText('Available').waitFor();
    await sandbox.control('POST', '/triggers/call', { to: '102', from: outside });
    await dana.getByText('Ringing').first().waitFor();
    await sandbox.control('POST', '/phones/102/answer', {});
    await dana.getByText('On a call').first().waitFor();
    await dana.getByText('from +1 415 555 0142', { exact: true }).waitFor();
    await dana.getByText(/\d:\d\d$/).waitFor();
    expect(await ucctl(['presence', 'show', '102'])).toMatchObject({ telephonyStatus: 'CallConnected' });
    await shoot(page, 'console-board');
    await sandbox.control('POST', '/phones/102/hangup', {});
    await dana.getByText('Available').waitFor();
    // A call to the queue shows the caller with name and number, and not the agent as the queue.
    const call = { to: '201', from: outside, fromName: 'שלום' };
    await sandbox.control('POST', '/triggers/call', call);
    const peer = page.locator('.ringing .peer').first();
    await peer.waitFor();
    expect(await peer.textContent()).toBe('from \u2068שלום\u2069 (+1 415 555 0142) (queue)');
    await page.getByLabel('Queue').selectOption({ label: 'Billing (203)' });
    const priya = page.getByRole('article', { name: 'Priya Nair' });
    await priya.waitFor();
    // Nobody remains on the board of a queue whose agents are removed, and a queue without agents is not waited for.
    const members = (await ucctl(['queue', 'members', '203'])) as { id: number }[];
    for (const { id } of members) await sandbox.control('DELETE', `/queues/171857203/members/${id}`);
    await page.getByText('This queue has no agents').waitFor();
    expect(await priya.count()).toBe(0);
    await page.reload();
    await page.getByText('This queue has no agents').waitFor();
    await sandbox.control('POST', '/queues/171857203/members/107', {});
    await priya.waitFor();
    await page.evaluate(`location.hash = '#/board/999'`);
    await page.getByText('Queue 999 not found').waitFor();
    expect(await page.getByRole('article').count()).toBe(0);
    await page.evaluate(`location.hash = '#/queues/998'`);
    await page.getByText('Queue 998 not found').waitFor();
    expect(profile.problems).toEqual([]);
  });

  it('edits the agents of a queue as a plan, applies it and undoes it', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues' });
    const numbers = async (): Promise<readonly string[]> => {
      const members = (await profile.ucctl(['queue', 'members', '201'])) as { extensionNumber: string }[];
      return members.map(({ extensionNumber }) => extensionNumber).toSorted();
    };
    await page.getByRole('link', { name: 'Support 201' }).click();
    const agents = page.getByRole('region', { name: 'Agents of Support' }).getByRole('listitem');
    // The second click of a double click is on the next agent.
    await page.getByRole('button', { name: 'Remove Dana Okafor, 102' }).click();
    await eventually(async () => expect(await agents.count()).toBe(2));
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await agents.count()).toBe(2);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    const choice = page.getByLabel('Add an agent');
    const wanted = choice.getByRole('option', { name: '107 Priya Nair' });
    await wanted.waitFor({ state: 'attached' });
    await choice.focus();
    // Each key chooses another person, so nobody is added before the choice is complete.
    const options = await choice.getByRole('option').count();
    const isWanted = async () => (await choice.inputValue()) === (await wanted.getAttribute('value'));
    for (let presses = 0; presses < options && !(await isWanted()); presses += 1)
      await page.keyboard.press('ArrowDown');
    expect(await isWanted()).toBe(true);
    expect(await agents.count()).toBe(2);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await agents.count()).toBe(3));
    await page.getByRole('button', { name: 'Show the changes…' }).click();
    const changes = page.getByRole('dialog').getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.nth(1).waitFor();
    expect((await changes.allTextContents()).toSorted()).toEqual([
      'AddPriya Nair (107)',
      'RemoveChris Smith (104)',
    ]);
    await shoot(page, 'console-queues');
    expect(await numbers()).toEqual(['102', '103', '104']);
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: /^Undo run/ }).waitFor();
    expect(await numbers()).toEqual(['102', '103', '107']);
    await page.getByRole('button', { name: /^Undo run/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).waitFor();
    expect(await numbers()).toEqual(['102', '103', '104']);
    // A plan is rejected if the agents have changed since.
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    await page.getByRole('button', { name: 'Show the changes…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).waitFor();
    await profile.ucctl(['queue', 'unassign', '201', '103', '--yes']);
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await numbers()).toEqual(['102', '104']);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    // After the failure, the page read the agents again.
    await page.getByRole('button', { name: 'Remove José Álvarez, 103' }).waitFor({ state: 'detached' });
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });

  it.each([1280, 390])('wraps long names of agents and queues in a window of %i pixels', async (width) => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ size: { width, height: 800 } });
    await lengthenNames(page, /\/api\/(people|queue-sizes|queues\/\d+\/members)$/);
    await page.evaluate("location.hash = '#/queues'");
    const link = page.getByRole('list', { name: 'Queues' }).getByRole('link').first();
    for (const place of [link, page.getByText('3 agents').first()]) {
      await place.waitFor();
      expect(await isInPanel(place)).toBe(true);
    }
    await page.evaluate("location.hash = '#/queues/171857201'");
    const remove = page.getByRole('button', { name: /^Remove Longname/ }).first();
    await page
      .getByRole('option', { name: /Longname/ })
      .first()
      .waitFor({ state: 'attached' });
    const places = [
      remove,
      page.getByRole('button', { name: 'Add this agent' }),
      page.getByRole('region', { name: /^Agents of/ }).getByRole('heading'),
    ];
    for (const place of places) {
      await place.waitFor();
      expect(await isInPanel(place)).toBe(true);
    }
    expect(profile.problems).toEqual([]);
  });

  it('keeps the changes of others when it changes the agents of a queue', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues/171857201' });
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    await profile.ucctl(['queue', 'assign', '--queue', '201', '--add', '107', '--remove', '102', '--yes']);
    await page.getByRole('button', { name: 'Show the changes…' }).click();
    const dialog = page.getByRole('dialog');
    const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.first().waitFor();
    expect(await changes.allTextContents()).toEqual(['RemoveChris Smith (104)']);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    const members = (await profile.ucctl(['queue', 'members', '201'])) as { extensionNumber: string }[];
    expect(members.map(({ extensionNumber }) => extensionNumber).toSorted()).toEqual(['103', '107']);
    expect(profile.problems).toEqual([]);
  });

  it('keeps the edits of a queue and the changes of others after a failed change', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues/171857201' });
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    const preview = page.getByRole('button', { name: 'Show the changes…' });
    await preview.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Apply' }).waitFor();
    await profile.ucctl(['queue', 'assign', '--queue', '201', '--add', '107', '--yes']);
    await page.route('**/api/changes/*', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove Priya Nair, 107' }).waitFor();
    await page.getByRole('link', { name: 'Sales 202' }).click();
    await page.getByRole('heading', { name: 'Sales' }).waitFor();
    await page.getByRole('link', { name: 'Support 201' }).click();
    // An edit while the page waits for the plan is not part of it, and remains.
    await withDelayedReply(page, '**/api/queues/*/plan', async () => {
      await preview.click();
      await page.getByRole('button', { name: 'Remove Dana Okafor, 102' }).click();
    });
    const changes = dialog.getByRole('list', { name: 'Changes' }).getByRole('listitem');
    await changes.first().waitFor();
    expect(await changes.allTextContents()).toEqual(['RemoveChris Smith (104)']);
    await page.unroute('**/api/changes/*');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).waitFor({ state: 'detached' });
    await preview.click();
    await changes.first().waitFor();
    expect(await changes.allTextContents()).toEqual(['RemoveDana Okafor (102)']);
  });

  it('has nothing to apply if others have made the same changes to a queue', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/queues/171857201' });
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    await profile.ucctl(['queue', 'unassign', '201', '104', '--yes']);
    await page.getByRole('button', { name: 'Show the changes…' }).click();
    await waitForNotice(page, 'Nothing to change: Support already has these agents.');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Show the changes…' }).isDisabled()).toBe(true);
    expect(profile.problems).toEqual([]);
  });

  it('keeps a reply that is typed while the user reads another conversation', async () => {
    const profile = await openProfile(chromium.browser);
    await copyMessages(profile);
    const page = await profile.open({ place: '#/messages' });
    const rows = page.getByRole('list', { name: 'Conversations' });
    await rows.getByText('blue lamp').click();
    const field = page.getByLabel('Reply', { exact: true });
    await field.fill('Three of them, and');
    await rows.getByText('onerror=alert(1)').click();
    await page.getByRole('region', { name: 'Messages' }).getByText('onerror=alert(1)').waitFor();
    expect(await field.inputValue()).toBe('');
    await page.goBack();
    await page.getByRole('region', { name: 'Messages' }).getByText('blue lamp').waitFor();
    expect(await field.inputValue()).toBe('Three of them, and');
    // A new message of the conversation does not change this.
    const text = { to: '100', from: outside, text: 'Are you there?' };
    await profile.sandbox.control('POST', '/triggers/sms', text);
    await profile.ucctl(['sync']);
    const current = rows.locator('[aria-current]');
    await current.getByText('Are you there?').waitFor();
    await rows.getByText('onerror=alert(1)').click();
    await current.getByText('onerror=alert(1)').waitFor();
    await rows.getByText('Are you there?').click();
    await current.getByText('Are you there?').waitFor();
    expect(await field.inputValue()).toBe('Three of them, and');
    // A reply that is sent while the user leaves the conversation is not offered again.
    await page.getByRole('button', { name: 'Send…' }).click();
    await withDelayedReply(page, '**/api/changes/*', async () => {
      await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
      await page.goBack();
      await current.getByText('onerror=alert(1)').waitFor();
    });
    await waitForNotice(page, 'Sent.');
    await page.goForward();
    await page.getByRole('region', { name: 'Messages' }).getByText('Are you there?').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(profile.problems).toEqual([]);
  });

  it('has no violation of accessibility, wide and light, and 400 pixels wide and dark', async () => {
    const profile = await openProfile(chromium.browser, { sandbox: { clock: 'real' } });
    await copyMessages(profile);
    await copyCalls(profile);
    const [message] = (await profile.ucctl(['sync', 'search', 'lamp'])) as { id: string; mailbox: string }[];
    const places = [
      ['#/live', 'No events yet'],
      ['#/messages', 'Voicemail'],
      [`#/messages/${message?.mailbox}/${message?.id}`, 'blue lamp'],
      ['#/board', 'Dana Okafor'],
      ['#/calls', 'By hour'],
      ['#/queues', 'Support'],
      ['#/queues/171857201', 'Chris Smith'],
      ['#/service', 'base-url'],
    ] as const;
    for (const [width, scheme] of [
      [1280, 'light'],
      [400, 'dark'],
    ] as const) {
      const page = await profile.open({ size: { width, height: 800 }, scheme });
      for (const [place, shown] of places) {
        await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
        await page.locator('main').getByText(shown).filter({ visible: true }).first().waitFor();
        expect([place, ...(await accessProblems(page))]).toEqual([place]);
      }
      await page.close();
    }
  });

  it('explains that an address is no longer valid, without a violation of accessibility', async () => {
    const { url } = await openProfile(chromium.browser);
    const page = await chromium.browser.newPage();
    await page.goto(url.replace(/#.*/, '#an-older-token'));
    await page.getByRole('heading', { level: 1, name: 'Cannot load the page' }).waitFor();
    await page.getByText('This address has no valid token. Open the address that ucctl printed.').waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.close();
  });

  it('takes the token of a new address, which a browser opens in the same tab without a reload', async () => {
    const { url, end } = await openProfile(chromium.browser);
    const page = await chromium.browser.newPage();
    await page.goto(url.replace(/#.*/, '#an-older-token'));
    await page.getByRole('heading', { level: 1, name: 'Cannot load the page' }).waitFor();
    await page.goto(url);
    await page.getByRole('heading', { level: 1, name: 'Live' }).waitFor();
    expect(page.url()).not.toContain(new URL(url).hash);
    // A tab that was open before ucctl was started again.
    await page.evaluate("sessionStorage.setItem('token', 'an-older-token')");
    await page.goto(url.replace(/#.*/, '#/service'));
    await page.getByRole('alert').getByText('no valid token').first().waitFor();
    await page.getByText('Address no longer valid').waitFor();
    await page.goto(url);
    await page.getByText('No events yet').waitFor();
    expect(page.url()).not.toContain(new URL(url).hash);
    // A view that requests nothing on its own also shows that ucctl has ended.
    await page.getByRole('link', { name: 'Queues' }).click();
    await page.getByRole('link', { name: 'Support 201' }).waitFor();
    await end();
    await page.getByText('Not reachable, retrying').waitFor();
    await page.close();
  });

  it('can be used with the keyboard alone', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    await page.keyboard.press('5');
    await page.getByRole('link', { name: 'Support 201' }).focus();
    await page.keyboard.press('Enter');
    await tabTo(page, 'Remove Dana Okafor, 102');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await tabTo(page, 'Show the changes…');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(page, 'Apply');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Undo run/ }).waitFor();
    const members = (await profile.ucctl(['queue', 'members', '201'])) as { extensionNumber: string }[];
    expect(members.map(({ extensionNumber }) => extensionNumber)).toEqual(['102', '103']);
    expect(profile.problems).toEqual([]);
  });
});

/** Presses Tab until the focus is on a button. A button that cannot be used yet cannot be reached. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await eventually(async () => expect(await button.isEnabled()).toBe(true));
  const current = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent';
  for (let presses = 0; presses < 200; presses += 1) {
    if ((await page.evaluate(current)) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`"${name}" cannot be reached with Tab`);
}
