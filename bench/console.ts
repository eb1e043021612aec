import type { Browser, CDPSession, Page } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { spread, type Spread } from './measure.ts';
import type { Result } from './report.ts';
import { startSandboxProcess, type SandboxProcess } from './sandbox-process.ts';
import { scaled } from './scaled.ts';
import { startProgram } from './webhook-program.ts';

const rounds = 9;
const events = scaled(72_000, 1000);
const eventsPerSecond = 200;
const megabyte = 1_000_000;
/** Events before the first reading of the memory, so that the list is full. */
const warmUp = 1000;

/** The page of the sandbox in Chromium, with the fixture `enterprise` (10,000 extensions) behind it. */
export async function consolePage(): Promise<readonly Result[]> {
  const sandbox = await startSandboxProcess(['--fixture', 'enterprise', '--rate-limits', 'off']);
  const browser = await startChromium();
  try {
    return [
      ...(await firstViews(browser, sandbox.url)),
      await searches(browser, sandbox.url),
      await memory(browser, sandbox),
    ];
  } finally {
    await browser.close();
    await sandbox.stop();
  }
}

/** The page with all phones, and the same page with one fixed phone, alternately. Both have the cost of the interception. */
async function firstViews(browser: Browser, url: string): Promise<readonly Result[]> {
  const one = await (await fetch(`${url}/sandbox/v1/phones?limit=1`)).text();
  const ratios: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const all = await drawing(browser, url, undefined);
    const fixed = await drawing(browser, url, one);
    // The first pair warms up.
    if (round > 0) ratios.push(all / fixed);
  }
  return [result('first view, of a page with one fixed row', spread(ratios), 2, '')];
}

/** Milliseconds from the navigation until the first phone is drawn. */
async function drawing(browser: Browser, url: string, fixed: string | undefined): Promise<number> {
  const page = await browser.newPage();
  await page.route('**/sandbox/v1/phones?*', (route) =>
    fixed === undefined ? route.continue() : route.fulfill({ contentType: 'application/json', body: fixed }),
  );
  const start = performance.now();
  await page.goto(`${url}/`, { waitUntil: 'commit' });
  await page.getByRole('article').first().waitFor();
  const took = performance.now() - start;
  await page.close();
  return took;
}

/** What a search takes in addition to the reply of the server: from the key until the row is drawn, measured in the page. */
async function searches(browser: Browser, url: string): Promise<Result> {
  const page = await browser.newPage();
  await page.goto(`${url}/`);
  await page.getByRole('article').first().waitFor();
  const added: number[] = [];
  for (let round = 0; round < rounds; round += 1) added.push(await searchTime(page, round));
  return result('search, in addition to the server', spread(added), 50, ' ms');
}

async function searchTime(page: Page, round: number): Promise<number> {
  const wanted = String(10_100 + round);
  return page.evaluate(
    `new Promise((resolve) => {
      performance.clearResourceTimings();
      const field = document.querySelector('[data-search]');
      const start = performance.now();
      new MutationObserver((_changes, observer) => {
        if (document.querySelectorAll('article').length !== 1 || !document.querySelector('article .ext').textContent.includes('${wanted}')) return;
        observer.disconnect();
        const total = performance.now() - start;
        const request = performance.getEntriesByType('resource').find(({ name }) => name.includes('search=${wanted}'));
        resolve(total - request.duration);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
      field.value = '${wanted}';
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
    const reply = await fetch(`${url}/sandbox/v1/triggers/presence`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ extension: '102', userStatus: sent % 2 === 0 ? 'Busy' : 'Available' }),
    });
    await reply.text();
  }
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
