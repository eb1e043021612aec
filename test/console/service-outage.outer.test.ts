import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { chromiumMissing, useChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import type { RunOptions } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { accessProblems, delayRequests, shoot } from './page.ts';
import { openProfile } from './profile.ts';

/** The pauses of the program are shorter, those of the page are not. */
const sleep: RunOptions['sleep'] = (milliseconds, signal) =>
  delay(Math.min(milliseconds, 200), undefined, { signal });

/** A service that can be stopped, and started again at the same address with the same content. */
async function openStoppable(browser: Browser) {
  const stored: SandboxOptions = {
    database: join(temporaryFolder(), 'service.db'),
    settings: { webhookEncryption: 'never' },
    port: await freePort(),
  };
  const profile = await openProfile(browser, { sandbox: stored, sleep });
  let service = profile.sandbox;
  return {
    profile,
    stop: () => service.close(),
    start: async () => {
      const again = await startSandbox(stored);
      onTestFinished(() => again.close());
      service = again;
    },
  };
}

/** The times at which a page requested the board, in milliseconds of its own clock. */
function boardRequests(page: Page): Promise<readonly number[]> {
  return page.evaluate(
    "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/board')).map(({ startTime }) => startTime)",
  );
}

const outage = /the board is not up to date, because the service does not reply|cannot reach/;
const cards = (page: Page) => page.getByRole('list', { name: 'Agents' }).getByRole('listitem');

describe.skipIf(chromiumMissing() !== undefined)('the page of a profile whose service stops', () => {
  const chromium = useChromium();

  it('the board says so, asks again without haste, and continues without a reload', async () => {
    const { profile, stop, start } = await openStoppable(chromium.browser);
    const page = await profile.open({ place: '#/board/171857201' });
    await eventually(async () => expect(await cards(page).getByText('Available').count()).toBe(3));
    await stop();
    const alert = page.getByRole('alert');
    await alert.getByText(outage).waitFor();
    // The state of the agents is no longer known, so the page neither colors it nor counts its duration.
    const since = page.getByText(/^Not up to date since \d\d:\d\d:\d\d\.$/);
    const firstText = await since.textContent();
    const elapsed = await cards(page).locator('.elapsed').allTextContents();
    expect(elapsed).toHaveLength(3);
    expect(await cards(page).locator('.badge.good').count()).toBe(0);
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-board-outage');
    const before = (await boardRequests(page)).length;
    const requests = await eventually(async () => {
      const times = await boardRequests(page);
      expect(times.length).toBeGreaterThanOrEqual(before + 3);
      return times;
    });
    const pauses = requests.slice(1).map((time, index) => time - (requests[index] ?? 0));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(2900);
    expect(await since.textContent()).toBe(firstText);
    expect(await cards(page).locator('.elapsed').allTextContents()).toEqual(elapsed);
    await start();
    await profile.ucctl(['presence', 'set', '103', '--queue-calls', 'off', '--yes']);
    await page.getByText('not taking queue calls', { exact: false }).waitFor();
    await eventually(async () => expect([await cards(page).count(), await alert.count()]).toEqual([3, 0]));
    // All agents are removed before the page can read the board again.
    await stop();
    await alert.getByText(outage).waitFor();
    await page.route('**/board', (route) => route.abort());
    await start();
    const removal = 'queue assign --queue 201 --remove 102,103,104 --allow-empty --yes';
    await profile.ucctl(removal.split(' '));
    await page.unroute('**/board');
    await page.getByText('This queue has no agents').waitFor();
    // The alert of the outage remains until the next reply.
    await eventually(async () => expect([await cards(page).count(), await alert.count()]).toEqual([0, 0]));
  });

  it('a board that opens during an outage names the reason, and that it retries', async () => {
    const profile = await openProfile(chromium.browser, { sleep });
    await profile.sandbox.control('POST', '/faults', {
      kind: 'status',
      operation: 'readPresence',
      status: 503,
      times: 0,
    });
    const page = await profile.open({ place: '#/board/171857201' });
    const alert = page.getByRole('alert');
    await alert.getByText(outage).waitFor();
    await page.getByText('Retrying…').waitFor();
    expect(await page.getByText('agents read').count()).toBe(0);
    const since = page.getByText(/^Not up to date since \d\d:\d\d:\d\d\.$/);
    const firstText = await since.textContent();
    const before = (await boardRequests(page)).length;
    await eventually(async () =>
      expect((await boardRequests(page)).length).toBeGreaterThanOrEqual(before + 2),
    );
    expect(await since.textContent()).toBe(firstText);
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-board-opened-in-outage');
    await profile.sandbox.control('DELETE', '/faults');
    await eventually(async () => expect(await cards(page).getByText('Available').count()).toBe(3));
    expect(await page.getByText('Retrying…').count()).toBe(0);
  });

  it('the board says that it waits and retries while no agent could be read', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    const release = await delayRequests(page, '**/api/queues/*/board');
    await page.evaluate("location.hash = '#/board/171857201'");
    const waiting = page.getByRole('status').filter({ hasText: '0 of 3 agents read.' });
    await waiting.getByText('The service has not replied yet. ucctl waits and retries.').waitFor();
    expect(await accessProblems(page)).toEqual([]);
    release();
    await eventually(async () => expect(await cards(page).getByText('Available').count()).toBe(3));
    expect(await page.getByText('has not replied').count()).toBe(0);
  });

  it('the board shows the agents that are not read yet, and the rate limit that it waits for', async () => {
    const profile = await openProfile(chromium.browser);
    await profile.sandbox.control('POST', '/faults', {
      kind: 'status',
      operation: 'readPresence',
      status: 429,
      retryAfter: 60,
      after: 1,
    });
    const page = await profile.open({ place: '#/board' });
    const summary = page.getByRole('status').filter({ hasText: '1 of 3 agents read.' });
    await summary.getByText(/usage group Light until \d\d:\d\d:\d\d/).waitFor();
    expect(await cards(page).getByText('Not read yet').count()).toBe(2);
    expect(await accessProblems(page)).toEqual([]);
    await shoot(page, 'console-board-unread');
  });

  it('names a usage group without remaining requests as the reason for a wait', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    const resetsAt = new Date(Date.now() + 60_000).toISOString();
    const rateLimits = [
      { group: 'Light', perMinute: 50, left: 0, resetsAt },
      { group: 'Medium', perMinute: 40, left: 1, resetsAt },
    ];
    await page.route('**/api/session', (route) => route.fulfill({ json: { rateLimits } }));
    const release = await delayRequests(page, '**/api/queues');
    await page.evaluate("location.hash = '#/board'");
    const waiting = page.getByRole('status').filter({ hasText: 'Reading the queues…' });
    await waiting.getByText(/usage group Light until \d\d:\d\d:\d\d\.$/).waitFor();
    release();
    await eventually(async () => expect(await cards(page).count()).toBe(3));
  });

  it('the board needs no request for each queue', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open({ place: '#/board/171857201' });
    await eventually(async () => expect(await cards(page).count()).toBe(3));
    const { records } = (await profile.sandbox.control('GET', '/requests')) as {
      readonly records: readonly { readonly path: string }[];
    };
    const ofQueues = records.flatMap(({ path }) => /department\/(\d+)\/members/.exec(path)?.[1] ?? []);
    expect(new Set(ofQueues)).toEqual(new Set(['171857201']));
  });

  it('names the rate limit that a view waits for', async () => {
    const profile = await openProfile(chromium.browser);
    const page = await profile.open();
    await profile.sandbox.control('POST', '/faults', { kind: 'status', status: 429, retryAfter: 120 });
    for (const [place, text] of [
      ['#/queues', 'Reading the queues…'],
      ['#/board', 'Reading the queues…'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page
        .getByRole('status')
        .filter({ hasText: text })
        .getByText(/usage group Medium until \d\d:\d\d:\d\d/)
        .waitFor();
      expect(await page.getByRole('list', { name: 'Queues' }).isVisible()).toBe(false);
      expect([place, ...(await accessProblems(page))]).toEqual([place]);
    }
  });

  it('lists that are read once are read again on request', async () => {
    const { profile, stop, start } = await openStoppable(chromium.browser);
    await stop();
    const page = await profile.open({ place: '#/queues' });
    const alert = page.getByRole('alert');
    await alert.getByText(/cannot reach|cannot connect|refused/).waitFor();
    expect(await accessProblems(page)).toEqual([]);
    await start();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Support 201' }).waitFor();
    await eventually(async () => expect(await alert.count()).toBe(0));
  });

  it('a change that the user confirms during the outage is made once, after another confirmation', async () => {
    const { profile, stop, start } = await openStoppable(chromium.browser);
    const page = await profile.open({ place: '#/queues' });
    const members = async (): Promise<readonly string[]> => {
      const found = (await profile.ucctl(['queue', 'members', '201'])) as { extensionNumber: string }[];
      return found.map(({ extensionNumber }) => extensionNumber).toSorted();
    };
    await page.getByRole('link', { name: 'Support 201' }).click();
    await page.getByRole('button', { name: 'Remove Chris Smith, 104' }).click();
    const preview = async (): Promise<void> =>
      page.getByRole('button', { name: 'Show the changes…' }).click();
    const apply = page.getByRole('dialog').getByRole('button', { name: 'Apply' });
    await preview();
    await apply.waitFor();
    await stop();
    await apply.click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/cannot reach|cannot connect|refused/)
      .waitFor();
    await shoot(page, 'console-change-outage');
    await start();
    expect(await members()).toEqual(['102', '103', '104']);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await preview();
    await apply.click();
    await page.getByRole('button', { name: /^Undo run/ }).waitFor();
    expect(await members()).toEqual(['102', '103']);
    const runs = (await profile.ucctl(['history', 'list'])) as { state: string }[];
    expect(runs.map(({ state }) => state)).toEqual(['done']);
  });
});
