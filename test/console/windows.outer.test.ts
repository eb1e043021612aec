import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import {
  accessProblems,
  gapNextTo,
  isInPanel,
  lengthenNames,
  openConsole,
  setVisibility,
  startProgram,
} from './page.ts';

const outside = '+14155550142';
/** A window of 1280 × 1024 pixels at a zoom of 400 %. */
const zoomed = { width: 320, height: 256 };

/** Waits until an element can be drawn in the window by scrolling the page to it. */
async function expectReachable(page: Page, selector: string): Promise<void> {
  await eventually(async () => expect(await isInWindow(page.locator(selector).first())).toBe(true));
}

/** Whether an element is drawn in the window, after the page has scrolled to it. */
async function isInWindow(element: Locator): Promise<boolean> {
  await element.waitFor({ state: 'attached' });
  await element.evaluate((one) => one.scrollIntoView({ block: 'center' }));
  return element.evaluate((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const shown = one.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
    return shown !== null && (one.contains(shown) || shown.contains(one));
  });
}

/** Number of letters of a text for each line on which it is drawn. */
function lettersPerLine(element: Locator): Promise<number> {
  return element.evaluate((one) => {
    const range = one.ownerDocument.createRange();
    range.selectNodeContents(one);
    const lines = new Set(Array.from(range.getClientRects(), ({ bottom }) => Math.round(bottom)));
    return (one.textContent ?? '').length / lines.size;
  });
}

const isFocused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`);

/** Whether the messages of a conversation show one of them. */
const isVisibleIn = (message: Locator): Promise<boolean> =>
  message.evaluate((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    const box = one.closest('.bubbles')?.getBoundingClientRect();
    return box !== undefined && top >= box.top - 1 && bottom <= box.bottom + 1;
  });

/** Whether an element has the focus. */
const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate((one) => one === one.ownerDocument.activeElement);

describe.skipIf(chromiumMissing() !== undefined)('the page of the sandbox in unusual windows', () => {
  const chromium = useChromium();

  it('keeps its place and the focus when it shows more rows', async () => {
    const { open, problems } = await openConsole(chromium.browser, { fixture: 'call-center' });
    const page = await open();
    const more = page.getByRole('button', { name: 'Show more' });
    await more.focus();
    const place = () => page.locator('#main').evaluate((main) => main.scrollTop);
    const before = await place();
    expect(before).toBeGreaterThan(1000);
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await page.locator('.cards > li').count()).toBe(120));
    expect(await place()).toBeGreaterThanOrEqual(before);
    await eventually(async () => expect(await hasFocus(more)).toBe(true));
    expect(problems).toEqual([]);
  });

  it('shows lists, conversations and events at a zoom of 400 %', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    const { address } = await startProgram();
    await ucctl(['subscribe', 'create', '--events', 'messages', '--address', address]);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', `from=${outside}`]);
    const page = await open('#/messages', zoomed);
    await expectReachable(page, 'a.row');
    await page.locator('a.row').first().click();
    await expectReachable(page, '.bubble');
    await expectReachable(page, '.composer button');
    await page.getByRole('link', { name: 'Live' }).click();
    await expectReachable(page, 'a.row');
    await page.locator('a.row').first().click();
    await expectReachable(page, '.json summary');
    expect(await accessProblems(page)).toEqual([]);
    await ucctl(['sandbox', 'fault', 'add', 'status', '--times', '0']);
    await page.getByRole('link', { name: 'Service' }).click();
    const fault = page.getByText('all operations · applied 0 times');
    expect(await lettersPerLine(fault)).toBeGreaterThan(10);
    await page.getByRole('link', { name: 'Queues' }).click();
    expect(await lettersPerLine(page.getByText('Takes calls of this queue').first())).toBeGreaterThan(10);
    expect(await accessProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('enlarges all text if the browser has large text', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', `from=${outside}`]);
    const page = await open('#/live', { width: 1600, height: 900 });
    await page.evaluate('document.documentElement.style.fontSize = "200%"');
    await page.getByRole('link', { name: 'Messages', exact: true }).click();
    const row = page.locator('a.row');
    await row.waitFor();
    expect(await page.evaluate('getComputedStyle(document.querySelector(".row strong")).fontSize')).toBe(
      '30px',
    );
    // The row has room for its text.
    const [text, item] = await Promise.all([
      row.locator('.grow').boundingBox(),
      page.locator('.windowed li').boundingBox(),
    ]);
    expect(text?.height).toBeLessThan(item?.height ?? 0);
    expect(problems).toEqual([]);
  });

  it.each([1280, 390])('wraps long names of agents in a window of %i pixels', async (width) => {
    const { open, problems } = await openConsole(chromium.browser);
    const page = await open('', { width, height: 800 });
    await lengthenNames(page, '**/sandbox/v1/queues*');
    await page.evaluate("location.hash = '#/queues'");
    const remove = page.getByRole('button', { name: /^Remove Longname/ }).first();
    await remove.waitFor();
    expect(await isInPanel(remove)).toBe(true);
    expect(problems).toEqual([]);
  });

  it('shows the number of a mailbox next to its name', async () => {
    const { open, ucctl, problems } = await openConsole(chromium.browser);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', `from=${outside}`]);
    const page = await open('#/messages');
    const name = page.getByRole('list', { name: 'Conversations' }).locator('bdi').first();
    await name.waitFor();
    expect(await gapNextTo(name)).toBeLessThan(6);
    // The heading of the conversation wraps a long name.
    await page.route('**/v1/threads/*', async (route) => {
      const response = await route.fetch();
      const json = { ...((await response.json()) as object), owner: 'Longname'.repeat(40) };
      await route.fulfill({ response, json });
    });
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').click();
    const heading = page.locator('.pane-header > div');
    await heading.getByText('Longname').waitFor();
    const [text, pane] = await Promise.all([
      heading.boundingBox(),
      page.locator('.pane.detail').boundingBox(),
    ]);
    expect(text?.width).toBeLessThan(pane?.width ?? 0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(problems).toEqual([]);
  });

  it('moves the focus to the item that replaces its list in a narrow window, and back', async () => {
    const { open, ucctl } = await openConsole(chromium.browser);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', `from=${outside}`]);
    const page = await open('#/messages', { width: 400, height: 800 });
    const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
    await row.focus();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await isFocused(page, '[aria-label="Conversation"]')).toBe(true));
    await page.locator('a.back').waitFor();
    await page.keyboard.press('Tab');
    await eventually(async () => expect(await isFocused(page, 'a.back')).toBe(true));
    await page.keyboard.press('Enter');
    await eventually(async () => expect(await isFocused(page, 'a.row.thread')).toBe(true));
    await page.goBack();
    await eventually(async () => expect(await isFocused(page, '[aria-label="Conversation"]')).toBe(true));
  });

  it('leaves the focus in the list if a wide window shows both', async () => {
    const { open, ucctl } = await openConsole(chromium.browser);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', `from=${outside}`]);
    const page = await open('#/messages');
    await page.getByRole('list', { name: 'Conversations' }).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: outside }).waitFor();
    expect(await isFocused(page, 'a.row.thread')).toBe(true);
  });

  /** The list of 60 conversations. `send` adds a conversation by its number, of which the list has 0 to 59. */
  async function openConversations() {
    const { open, sandbox } = await openConsole(chromium.browser);
    const send = (number: number) =>
      sandbox.control('POST', '/triggers/sms', { to: '100', from: `+1415555${1000 + number}` });
    for (let number = 0; number < 60; number += 1) await send(number);
    const page = await open('#/messages');
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
    return { page, rows, send };
  }

  it('keeps the place of a list while new rows arrive, and moves to both ends with the keyboard', async () => {
    const { page, rows, send } = await openConversations();
    await rows.first().focus();
    await page.keyboard.press('End');
    const oldest = rows.filter({ hasText: '5551000' });
    await eventually(async () => expect(await hasFocus(oldest)).toBe(true));
    const before = await oldest.boundingBox();
    await send(60);
    const list = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first();
    await eventually(async () => expect(await list.getAttribute('aria-setsize')).toBe('61'));
    await eventually(async () => expect(await oldest.boundingBox()).toEqual(before));
    expect(await hasFocus(oldest)).toBe(true);
    await page.keyboard.press('Home');
    const newest = rows.filter({ hasText: '5551060' });
    await eventually(async () => expect(await hasFocus(newest)).toBe(true));
    await send(61);
    await rows.filter({ hasText: '5551061' }).waitFor();
    expect(await page.locator('.windowed').evaluate((box) => box.scrollTop)).toBe(0);
  });

  it('keeps the place of a list that was resized', async () => {
    const { page, rows, send } = await openConversations();
    await rows.first().waitFor();
    const box = page.locator('.windowed');
    await box.evaluate((element) => (element.scrollTop = 1520));
    const read = rows.filter({ hasText: '5551037' });
    await read.waitFor();
    const drawn = await rows.count();
    await page.setViewportSize({ width: 1400, height: 700 });
    // The list has measured its new size when it draws fewer rows.
    await eventually(async () => expect(await rows.count()).toBeLessThan(drawn));
    const before = await read.boundingBox();
    await send(60);
    const item = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first();
    await eventually(async () => expect(await item.getAttribute('aria-setsize')).toBe('61'));
    expect(await read.boundingBox()).toEqual(before);
  });

  it('shows a new message, but does not move the earlier messages that the user reads', async () => {
    const { open, sandbox } = await openConsole(chromium.browser);
    const send = (text: string) =>
      sandbox.control('POST', '/triggers/sms', { to: '100', from: outside, text });
    for (let number = 0; number < 500; number += 1) await send(`Message ${number}`);
    const page = await open(`#/messages/171857100/${encodeURIComponent(outside)}`);
    const message = (text: string) => page.locator('.bubble').getByText(text, { exact: true });
    await message('Message 499').waitFor();
    await page.getByText('Newest 500 messages.').waitFor();
    const announced = page.getByRole('region', { name: 'Conversation' }).getByRole('status');
    expect(await announced.textContent()).toBe('');
    await send('At the end');
    await eventually(async () => expect(await isVisibleIn(message('At the end'))).toBe(true));
    expect(await announced.textContent()).toMatch(/^Message from \+14155550142, [\d:]+: At the end$/);
    const earlier = message('Message 300');
    await earlier.scrollIntoViewIfNeeded();
    // The page learns of the scrolling when it is drawn next.
    await page.evaluate('new Promise(requestAnimationFrame)');
    await send('Later');
    await message('Later').waitFor();
    expect(await isVisibleIn(earlier)).toBe(true);
    expect(await isVisibleIn(message('Later'))).toBe(false);
  });

  it('shows switches, choices and the current place in forced colors', async () => {
    const { open, ucctl } = await openConsole(chromium.browser);
    await ucctl(['sandbox', 'trigger', 'sms', 'to=100', `from=${outside}`]);
    const page = await open('#/queues');
    await page.emulateMedia({ forcedColors: 'active' });
    const look = (selector: string): Promise<string> =>
      page
        .locator(selector)
        .first()
        .screenshot()
        .then((picture) => picture.toString('base64'));
    const toggle = '[role=switch]';
    await page.locator(toggle).first().waitFor();
    const on = await look(toggle);
    await page.locator(toggle).first().click();
    await page.mouse.move(0, 0);
    await eventually(async () => expect(await look(toggle)).not.toBe(on));
    const style = (selector: string, name: string): Promise<string | undefined> =>
      page
        .locator(selector)
        .first()
        .evaluate(
          (one, property) => one.ownerDocument.defaultView?.getComputedStyle(one).getPropertyValue(property),
          name,
        );
    const differs = async (one: string, other: string, name: string): Promise<void> =>
      expect(await style(one, name)).not.toBe(await style(other, name));
    await differs('nav a[aria-current]', 'nav a:not([aria-current])', 'background-color');
    await page.getByRole('link', { name: 'Phones' }).click();
    await page.getByText('Timed').waitFor();
    await differs(
      '.segments input:checked + span',
      '.segments input:not(:checked) + span',
      'background-color',
    );
  });

  it('prints the whole view without navigation', async () => {
    const { open, sandbox } = await openConsole(chromium.browser);
    for (let number = 0; number < 60; number += 1)
      await sandbox.control('POST', '/triggers/sms', { to: '100', from: outside, text: `Message ${number}` });
    const page = await open(`#/messages/171857100/${encodeURIComponent(outside)}`);
    await page.getByText('Message 59', { exact: true }).last().waitFor();
    // A page of paper has room for less than 20 messages.
    expect(await printedPages(page)).toBeGreaterThan(3);
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Send' }).isVisible()).toBe(false);
  });

  it('offers to reload the page when another version of the sandbox runs', async () => {
    const { open, problems } = await openConsole(chromium.browser);
    const page = await open();
    const reload = page.getByRole('status').getByRole('button', { name: 'Reload' });
    await setVisibility(page, 'hidden');
    await setVisibility(page, 'visible');
    await page.getByRole('article', { name: 'Reception', exact: true }).waitFor();
    expect(await reload.count()).toBe(0);
    await setVisibility(page, 'hidden');
    const body = 'event: ready\ndata: {"build":"another"}\n\n';
    await page.route('**/changes', (route) => route.fulfill({ contentType: 'text/event-stream', body }));
    await setVisibility(page, 'visible');
    await reload.waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await page.unrouteAll();
    await reload.click();
    await page.getByRole('article', { name: 'Reception', exact: true }).waitFor();
    expect(await reload.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('says that a view is loading until the sandbox replies', async () => {
    const { open } = await openConsole(chromium.browser);
    const page = await open('#/queues');
    const places = ['phones', 'messages', 'live', 'queues', 'calls', 'service'];
    let release: () => void = () => undefined;
    for (const place of places) {
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route('**/sandbox/v1/**', async (route) => {
        await released;
        await route.fallback();
      });
      await page.evaluate(`location.hash = '#/${place}'`);
      await page.getByRole('status').getByText('Loading…').first().waitFor();
      expect([place, ...(await accessProblems(page))]).toEqual([place]);
      release();
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      await page.unrouteAll({ behavior: 'wait' });
    }
  });

  it('receives no changes while its tab is hidden, so that many tabs can be open', async () => {
    const { open, problems } = await openConsole(chromium.browser);
    // A browser opens at most six connections to a server.
    const pages: Page[] = [];
    for (let tab = 0; tab < 7; tab += 1) {
      const page = await open();
      await page.getByRole('article', { name: 'Reception', exact: true }).waitFor();
      await setVisibility(page, 'hidden');
      pages.push(page);
    }
    const [first] = pages as [Page];
    await setVisibility(first, 'visible');
    await first.getByRole('button', { name: 'Call Reception, 101' }).click();
    await first.getByRole('article', { name: 'Reception', exact: true }).getByText('Ringing').waitFor();
    expect(problems).toEqual([]);
  });
});

async function printedPages(page: Page): Promise<number> {
  const document = await page.pdf();
  return document.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}
