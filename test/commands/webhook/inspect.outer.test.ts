import { request } from 'node:http';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chromiumMissing, startChromium } from '../../support/chromium.ts';
import { accessProblems, shoot } from '../../console/page.ts';
import { connectedOffice, live, openTarget } from './listening.ts';

const extension = '/restapi/v1.0/account/1/extension/171857100';
const hostile = '</script><img src=x onerror=alert(1)>';
const notification = (uuid: string, body: object, tail = '/presence') => ({
  uuid,
  event: extension + tail,
  timestamp: '2026-01-05T09:00:00Z',
  subscriptionId: 'sub-1',
  ownerId: '8031152018338945839',
  body,
});

/** A listener with its page, and a way to send it events. */
async function inspected(flags = '') {
  const office = await connectedOffice();
  const { ready, interrupt, result } = await live(office, `webhook listen --no-subscribe --inspect ${flags}`);
  const { inspectUrl = '' } = ready as { inspectUrl?: string };
  const page = new URL(inspectUrl);
  const token = page.hash.slice(1);
  const send = async (body: object): Promise<void> => {
    expect((await fetch(ready.address, { method: 'POST', body: JSON.stringify(body) })).status).toBe(200);
  };
  const ask = async (path: string, init: RequestInit = {}) =>
    fetch(new URL(path, page), { ...init, headers: { 'ucctl-token': token } });
  return { page, inspectUrl, token, send, ask, interrupt, result };
}

/** Sends headers that fetch does not let through. */
function statusOf(url: URL, headers: Record<string, string | string[]>, method = 'GET') {
  return new Promise<number | undefined>((resolve, reject) => {
    request(url, { method, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('webhook listen --inspect', () => {
  it('lists, searches, follows and shows stored events', async () => {
    const { send, ask, interrupt, result, page } = await inspected();
    await send(notification('one', { presenceStatus: 'Busy' }));
    await send(notification('two', { changes: [{ type: 'SMS', newCount: 1 }] }, '/message-store'));
    const list = async (query: string) =>
      (await (await ask(`/api/events?${query}`)).json()) as {
        lines: { id: number; description: string }[];
        last: number;
      };
    const all = await list('');
    expect(all.lines.map(({ description }) => description)).toEqual([
      'Extension 171857100: 1 new SMS',
      'Extension 171857100 is busy',
    ]);
    expect((await list('text=BUSY')).lines).toHaveLength(1);
    expect((await list('kind=messages')).lines).toHaveLength(1);
    expect((await list('kind=recovered')).lines).toHaveLength(0);
    const news = list(`after=${all.last}`);
    await send(notification('three', { presenceStatus: 'Available' }));
    expect((await news).lines).toMatchObject([{ description: 'Extension 171857100 is available' }]);
    const [newest] = all.lines;
    expect(await (await ask(`/api/events/${newest?.id}`)).json()).toMatchObject({
      event: { uuid: 'two', ownerId: '8031152018338945839' },
      deliveries: [],
    });
    expect((await ask('/api/events/99999')).status).toBe(404);
    interrupt();
    await result;
    await expect(fetch(page)).rejects.toThrow('fetch failed');
  });

  it('resends an event to a URL, unchanged or edited', async () => {
    const { send, ask } = await inspected();
    const target = await openTarget();
    await send(notification('one', {}));
    const replay = async (request: object) =>
      (await (await ask('/api/replay', { method: 'POST', body: JSON.stringify(request) })).json()) as object;
    const { lines } = (await (await ask('/api/events')).json()) as { lines: { id: number }[] };
    const id = lines[0]?.id;
    expect(await replay({ id, url: target.url })).toMatchObject({ isDelivered: true });
    const edited = JSON.stringify(notification('edited', { by: 'hand' }));
    target.statuses.push(500);
    expect(await replay({ id, url: target.url, text: edited })).toMatchObject({
      isDelivered: false,
      problem: 'HTTP 500',
    });
    expect(target.requests.map(({ headers }) => headers['ucctl-event-id'])).toEqual(['one', 'edited']);
    expect(await replay({ id, url: 'file:///etc/passwd' })).toMatchObject({ isDelivered: false });
    expect(await replay({ id, url: target.url, text: '[]' })).toMatchObject({ isDelivered: false });
    expect(target.requests).toHaveLength(2);
  });

  it('only accepts requests of its own page: every route checks host, origin and token; the page has no secrets', async () => {
    const { page, token, ask } = await inspected();
    const own = { 'ucctl-token': token };
    for (const path of ['/', '/console/profile.js', '/api/page', '/api/events', '/nothing']) {
      const url = new URL(path, page);
      for (const host of [`evil.test:${page.port}`, `127.0.0.1.evil.test:${page.port}`, '127.0.0.1']) {
        expect(await statusOf(url, { ...own, host }), `${path} ${host}`).toBe(403);
      }
      expect(await statusOf(url, { ...own, origin: 'http://evil.test' })).toBe(403);
      expect(await statusOf(url, { ...own, origin: `http://127.0.0.1:${Number(page.port) + 1}` })).toBe(403);
      expect(await statusOf(url, { ...own, origin: 'null' })).toBe(403);
    }
    expect(await statusOf(new URL('/api/events', page), {})).toBe(401);
    expect(await statusOf(new URL('/api/events', page), { 'ucctl-token': `${token}x` })).toBe(401);
    expect(await statusOf(new URL('/api/replay', page), {}, 'POST')).toBe(401);
    expect(await statusOf(new URL('/', page), own, 'DELETE')).toBe(405);
    expect(await statusOf(new URL('/api/events', page), own, 'POST')).toBe(404);
    const html = await fetch(new URL('/', page));
    expect(html.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'$/,
    );
    for (const path of ['/', '/console/profile.js', '/console/app.css']) {
      const text = await (await fetch(new URL(path, page))).text();
      expect(text).not.toContain(token);
      // The library names XML namespaces, which are not requested.
      const named = /http:\/\/(localhost:3000\/hook|www\.w3\.org\/)/g;
      expect(text.replaceAll(named, '')).not.toMatch(/https?:\/\//);
    }
    expect((await ask('/api/replay', { method: 'POST', body: '{}' })).status).toBe(400);
  });
});

describe.skipIf(chromiumMissing() !== undefined)('the page in Chromium', () => {
  it('can be used with the keyboard alone, light and dark, at 1280 and 400 pixels', async () => {
    const target = await openTarget();
    const { inspectUrl, page: address, token, send } = await inspected(`--forward-to ${target.url}`);
    await send(
      notification('one', { presenceStatus: 'Busy', telephonyStatus: 'NoCall', extensionId: hostile }),
    );
    await send(
      notification(
        'two',
        { changes: [{ type: 'SMS', newCount: 1, newMessageIds: ['7'] }] },
        '/message-store',
      ),
    );
    const browser = await startChromium();
    try {
      const context = await browser.newContext();
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [400, 'dark'],
      ] as const) {
        const page = await context.newPage();
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        const problems: string[] = [];
        page.on('console', (message) => problems.push(message.text()));
        page.on('pageerror', (error) => problems.push(error.message));
        page.on('request', (one) => {
          if (new URL(one.url()).host !== address.host) problems.push(one.url());
        });
        await page.goto(inspectUrl);
        await page.getByRole('heading', { name: 'Live', exact: true }).waitFor();
        expect(page.url()).not.toContain(token);
        await send(notification(`live-${width}`, { presenceStatus: 'Available' }));
        const rows = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
        await rows.first().getByText('is available').waitFor();
        expect(await accessProblems(page)).toEqual([]);
        await shoot(page, `inspect-list-${width}`);
        await page.keyboard.press('/');
        await page.keyboard.type('onerror');
        await rows.nth(1).waitFor({ state: 'detached' });
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await page.getByRole('region', { name: 'JSON' }).getByText(hostile).waitFor();
        await page.getByRole('region', { name: 'Deliveries' }).getByText('done').waitFor();
        expect(await accessProblems(page)).toEqual([]);
        await shoot(page, `inspect-detail-${width}`);
        await tabTo(page, 'URL');
        await page.keyboard.type(target.url);
        await page.keyboard.press('Enter');
        await page.getByText(/^Delivered in \d+ ms$/).waitFor();
        expect(target.requests.at(-1)?.headers['ucctl-event-id']).toBe('one');
        // In a field, Escape does not close the event, whose edited text would be lost.
        await page.keyboard.press('Escape');
        await page.getByRole('heading', { name: 'Resend' }).waitFor();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Escape');
        await page.getByRole('heading', { name: 'Resend' }).waitFor({ state: 'detached' });
        // The focus moves after the list is drawn.
        await page.locator('a[href^="#/live/"]:focus').waitFor();
        expect(problems).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});

async function tabTo(page: Page, label: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.labels?.[0]?.textContent')) === label) return;
  }
  throw new Error(`"${label}" cannot be reached with Tab`);
}
