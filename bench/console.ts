import type { Browser, CDPSession, Page } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { spread, type Spread } from './measure.ts';
import type { Result } from './report.ts';
import { middle, senderOf, startLargeSandbox, uuidOf } from './console-state.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';
import { startProgram } from './webhook-program.ts';

const rounds = 9;
const events = scaled(72_000, 1000);
const eventsPerSecond = 200;
const megabyte = 1_000_000;
/** Events before the first reading of the memory, so that the list is full. */
const warmUp = 1000;

/** A view whose first rows and search are measured. */
interface MeasuredView {
  readonly name: string;
  readonly place: string;
  /** Path of the list below the control API. */
  readonly list: string;
  /** Selector of a row. */
  readonly row: string;
  /** The text of the search of a round. */
  readonly wanted: (round: number) => string;
  /** Text of the only row, or of the count, when the search is shown. */
  readonly found: (wanted: string) => { readonly selector: string; readonly text: string };
}

const views: readonly MeasuredView[] = [
  {
    name: 'phones',
    place: '',
    list: 'phones',
    row: 'article',
    wanted: (round) => String(10_100 + round),
    found: (wanted) => ({ selector: 'article .ext', text: wanted }),
  },
  {
    name: 'messages',
    place: '#/messages',
    list: 'threads',
    row: 'ul[aria-label=Conversations] > li',
    wanted: (round) => senderOf(middle.message + round).slice(1),
    found: (wanted) => ({ selector: 'ul[aria-label=Conversations] > li', text: wanted }),
  },
  {
    name: 'events',
    place: '#/live',
    list: 'events',
    row: 'ul[aria-label=Events] > li',
    wanted: (round) => uuidOf(middle.event + round),
    found: () => ({ selector: '.count', text: '1 event' }),
  },
];

/** The page of the sandbox in Chromium, with 10,000 extensions, 1,000,000 messages and 100,000 events behind it. */
export async function consolePage(): Promise<readonly Result[]> {
  const sandbox = await startLargeSandbox();
  const browser = await startChromium();
  try {
    const results: Result[] = [];
    for (const view of views) {
      results.push(await firstView(browser, sandbox.url, view), await searches(browser, sandbox.url, view));
    }
    return [...results, await memory(browser, sandbox)];
  } finally {
    await browser.close();
    await sandbox.stop();
  }
}

/** The view with all rows, and the same view with one fixed row, alternately. Both have the cost of the interception. */
async function firstView(browser: Browser, url: string, view: MeasuredView): Promise<Result> {
  const one = await (await fetch(`${url}/sandbox/v1/${view.list}?limit=1`)).text();
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const all = await drawing(browser, url, view, undefined);
    const fixed = await drawing(browser, url, view, one);
    // The first pair warms up.
    if (round > 0) ratios.push(all / fixed);
  }
  return result(`first view of ${view.name}, of a page with one fixed row`, spread(ratios), 2, '');
}

/** Milliseconds from the navigation until the first row is drawn. */
async function drawing(
  browser: Browser,
  url: string,
  { place, list, row: selector }: MeasuredView,
  fixed: string | undefined,
): Promise<number> {
  const page = await browser.newPage();
  await page.route(`**/sandbox/v1/${list}?*`, (route) =>
    fixed === undefined ? route.continue() : route.fulfill({ contentType: 'application/json', body: fixed }),
  );
  const start = performance.now();
  await page.goto(`${url}/${place}`, { waitUntil: 'commit' });
  await page.locator(selector).first().waitFor();
  const took = performance.now() - start;
  await page.close();
  return took;
}

/** What a search takes in addition to the reply of the server: from the key until the row is drawn, measured in the page. */
async function searches(browser: Browser, url: string, view: MeasuredView): Promise<Result> {
  const page = await browser.newPage();
  await page.goto(`${url}/${view.place}`);
  await page.locator(view.row).first().waitFor();
  const added: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const wanted = view.wanted(round);
    added.push(await searchTime(page, wanted, view.found(wanted)));
  }
  await page.close();
  return result(`search of ${view.name}, in addition to the server`, spread(added), 50, ' ms');
}

async function searchTime(
  page: Page,
  wanted: string,
  { selector, text }: ReturnType<MeasuredView['found']>,
): Promise<number> {
  const name = encodeURIComponent(wanted);
  return page.evaluate(
    `new Promise((resolve) => {
      performance.clearResourceTimings();
      const field = document.querySelector('[data-search]');
      const start = performance.now();
      new MutationObserver((_changes, observer) => {
        const rows = document.querySelectorAll(${JSON.stringify(selector)});
        const request = performance.getEntriesByType('resource').find((entry) => entry.name.includes('search=${name}'));
        if (!request || rows.length !== 1 || !rows[0].textContent.includes(${JSON.stringify(text)})) return;
        observer.disconnect();
        resolve(performance.now() - start - request.duration);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      field.value = ${JSON.stringify(wanted)};
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    })`,
  );
}

/** How much the memory of the page grows while events arrive. */
async function memory(browser: Browser, sandbox: SandboxProcess): Promise<Result> {
  const program = await startProgram();
  try {
    await subscribe(sandbox, program.address);
    const page = await browser.newPage();
    await page.goto(`${sandbox.url}/#/live`);
    const debug = await page.context().newCDPSession(page);
    await send(sandbox.url, warmUp);
    const before = await heapOf(debug);
    await send(sandbox.url, events);
    const grown = (await heapOf(debug)) - before;
    const name = `memory growth over ${events} events at ${eventsPerSecond}/s`;
    return result(name, spread([grown / megabyte]), 5, ' MB');
  } finally {
    await program.close();
  }
}

async function subscribe(sandbox: SandboxProcess, address: string): Promise<void> {
  const reply = await fetch(`${sandbox.url}/restapi/v1.0/subscription`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      eventFilters: ['/restapi/v1.0/account/~/presence'],
      deliveryMode: { transportType: 'WebHook', address },
    }),
  });
  if (reply.status !== 200) throw new Error(`bench: the subscription was rejected with ${reply.status}`);
}

/** Changes the presence of one person at a fixed rate. */
async function send(url: string, count: number): Promise<void> {
  const start = performance.now();
  for (let sent = 0; sent < count; sent += 1) {
    const due = start + (sent * 1000) / eventsPerSecond - performance.now();
    if (due > 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, due);
      });
    }
    await trigger(url, sent % 2 === 0 ? 'Busy' : 'Available');
  }
}

/** A busy machine may answer only after the server has closed an idle connection, so a failed request is sent again. */
async function trigger(url: string, userStatus: string): Promise<void> {
  const request = (): Promise<Response> =>
    fetch(`${url}/sandbox/v1/triggers/presence`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ extension: '102', userStatus }),
    });
  const reply = await request().catch(request);
  await reply.text();
}

/** Bytes in use after a garbage collection. */
async function heapOf(debug: CDPSession): Promise<number> {
  await debug.send('HeapProfiler.collectGarbage');
  return (await debug.send('Runtime.getHeapUsage')).usedSize;
}

function result(name: string, values: Spread, goal: number, unit: string): Result {
  const { median, min, max, noise } = values;
  return { name, value: median, noise, min, max, goal, sense: 'at most', unit };
}
