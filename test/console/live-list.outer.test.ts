import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { InspectedEvent } from '../../src/features/live/inspect/types.ts';
import { live } from '../commands/webhook/listening.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { accessProblems, shoot } from './page.ts';
import { openProfile } from './profile.ts';

const rtlText = '\u2068שלום\u2069 (102) is ringing: +1 650 555 0199 → Support (201)';

function listed(id: number, more: Partial<InspectedEvent> = {}): InspectedEvent {
  return {
    id,
    receivedAt: new Date().toISOString(),
    event: 'presence:detailed',
    extensionId: '7',
    description: `Avery Quinn (100) is ringing: call ${id} from +1 415 555 3483 (Kim Lee) → Support (201)`,
    isRecovered: false,
    isEncrypted: false,
    ...more,
  };
}

/** Replies to the first request for events with the first list, and to the next one after a call with the second. */
async function routeEvents(
  page: Page,
  first: readonly InspectedEvent[],
  later: readonly InspectedEvent[],
): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/api/events*', async (route) => {
    const after = new URL(route.request().url()).searchParams.get('after');
    if (after === null) return route.fulfill({ json: { lines: first, last: 1000 } });
    if (after !== '1000') return route.continue();
    await released;
    return route.fulfill({ json: { lines: later, last: 2000 } });
  });
  return release;
}

/** Horizontal position of a part of a text, in pixels. */
function placeOf(page: Page, row: string, part: string): Promise<number> {
  return page.evaluate(`{
    const texts = document.createTreeWalker(document.querySelector(${JSON.stringify(row)}), NodeFilter.SHOW_TEXT);
    let node;
    while ((node = texts.nextNode()) && !node.data.includes(${JSON.stringify(part)}));
    const range = document.createRange();
    const at = node.data.indexOf(${JSON.stringify(part)});
    range.setStart(node, at);
    range.setEnd(node, at + ${part.length});
    range.getBoundingClientRect().left;
  }`);
}

describe.skipIf(chromiumMissing() !== undefined)('the events of the Live view in Chromium', () => {
  const chromium = useChromium();

  it('states whether a listener receives events, and when the last one arrived', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    const header = page.locator('.view-header');
    const connection = page.getByRole('navigation').getByRole('status');
    await eventually(async () =>
      expect([await header.textContent(), await connection.textContent()]).toEqual([
        expect.stringContaining('No listener is running.'),
        'Page connected',
      ]),
    );
    await header.getByText('ucctl subscribe tail').waitFor();
    const { ready, interrupt, result } = await live(profile, 'webhook listen --no-subscribe');
    await header.getByText(/^Receiving since \d\d:\d\d\.$/).waitFor();
    const event = '/restapi/v1.0/account/1/extension/171857102/presence';
    await fetch(ready.address, {
      method: 'POST',
      body: JSON.stringify({ uuid: 'one', event, subscriptionId: 'sub-1', body: {} }),
    });
    await header.getByText(/^Receiving since \d\d:\d\d, last event \d\d:\d\d\.$/).waitFor();
    interrupt();
    await result;
    await header.getByText(/^No listener is running, last event \d\d:\d\d\./).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    expect(profile.problems).toEqual([]);
  });

  it('shows the date of an earlier day, and about ten events in a usual window', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/service' });
    const old = listed(99, { receivedAt: '2025-01-05T09:00:00Z' });
    const rows = Array.from({ length: 40 }, (_, at) => listed(98 - at));
    await routeEvents(page, [listed(100, { description: rtlText }), old, ...rows], []);
    await page.evaluate("location.hash = '#/live'");
    const list = page.getByRole('list', { name: 'Events' });
    const times = list.getByRole('time');
    await times.nth(1).waitFor();
    expect(await times.nth(1).textContent()).toBe('5 Jan 2025, 10:00:00');
    expect(await times.nth(2).textContent()).toMatch(/^\d\d:\d\d:\d\d$/);
    const box = await page.locator('.windowed').boundingBox();
    const row = await list.getByRole('listitem').first().boundingBox();
    expect(Math.floor((box?.height ?? 0) / (row?.height ?? 1))).toBeGreaterThanOrEqual(9);
    const first = '.windowed li:first-child';
    expect(await placeOf(page, first, '0199')).toBeGreaterThan(await placeOf(page, first, '+1'));
    expect(await placeOf(page, first, '(102)')).toBeGreaterThan(await placeOf(page, first, 'שלום'));
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-live-list');
  });

  it('counts the events that arrive while the user reads earlier ones, and returns to them', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/service' });
    const first = Array.from({ length: 60 }, (_, at) => listed(60 - at));
    const later = Array.from({ length: 24 }, (_, at) => listed(1001 + at));
    const release = await routeEvents(page, first, later);
    await page.evaluate("location.hash = '#/live'");
    const list = page.locator('.windowed');
    await list.getByText('call 60 ').waitFor();
    await list.evaluate((element) => (element.scrollTop = 900));
    await list.getByText('call 40 ').waitFor();
    expect(await page.getByRole('button', { name: /new events/ }).count()).toBe(0);
    release();
    const button = page.getByRole('button', { name: '24 new events' });
    await button.waitFor();
    await list.getByText('call 40 ').waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-live-new');
    await button.click();
    await list.getByText('call 1024 ').waitFor();
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
    await eventually(async () => expect(await button.count()).toBe(0));
    // The Service view reports a check that failed.
    expect(profile.problems.filter((text) => !text.includes('422'))).toEqual([]);
  });
});
