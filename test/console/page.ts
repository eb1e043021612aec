import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stderr } from 'node:process';
import { text } from 'node:stream/consumers';
import axe from 'axe-core';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect, onTestFinished, type TestContext } from 'vitest';
import { recordText } from '../../src/commands/sandbox/record-file.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { fromSnapshot } from '../support/fixture-snapshot.ts';
import { conditionLimit } from '../support/limits.ts';
import { runUcctl, type RunResult } from '../support/run-ucctl.ts';
import { signInAs } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A sandbox on a socket, ucctl signed in to it, and a browser that opens its page. */
export interface Console {
  readonly sandbox: Sandbox;
  /** Runs `ucctl sandbox` commands, or commands of a user; with `who`, of this extension. Returns the JSON of stdout. */
  readonly ucctl: (argv: readonly string[], who?: string) => Promise<unknown>;
  /** Opens the page, or a place in it, in a window of this size. */
  readonly open: (
    place?: string,
    size?: { width: number; height: number },
    scheme?: 'light' | 'dark',
  ) => Promise<Page>;
  /** Everything that a page reported: messages of the console, errors and requests to other servers. */
  readonly problems: string[];
}

/** Settings of a sandbox whose programs with webhooks run on a busy machine. */
export const webhookSettings = {
  webhookEncryption: 'never',
  webhookTimeoutMilliseconds: conditionLimit,
} as const;

/** @param browser shared by tests, because its start takes a second of processor time; each test has its own pages */
export async function openConsole(browser: Browser, options: SandboxOptions = {}): Promise<Console> {
  const folder = temporaryFolder();
  const paths = { config: folder, state: join(folder, 'state'), cache: folder, data: folder };
  const settings = { ...webhookSettings, ...options.settings };
  const sandbox = await startSandbox(await fromSnapshot({ ...options, settings }));
  onTestFinished(() => sandbox.close());
  await mkdir(join(paths.state, 'sandboxes'), { recursive: true });
  await writeFile(join(paths.state, 'sandboxes', `${process.pid}.json`), recordText(sandbox.ready));
  const network = createUndiciHttp();
  onTestFinished(() => network.close());
  const problems: string[] = [];
  onTestFinished((test) => endPages(browser, test, problems));
  return {
    sandbox,
    problems,
    async ucctl(argv, who = '100') {
      const token = argv[0] === 'sandbox' ? undefined : await signInAs(sandbox, who);
      const env = token === undefined ? {} : { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: token };
      const result = await runUcctl([...argv, '-o', 'json'], { paths, env, sandbox: { http: network.send } });
      return succeeded(argv, result);
    },
    open: (place, size, scheme) => openPage(browser, sandbox.url, problems, { place, size, scheme }),
  };
}

function succeeded(argv: readonly string[], { exit, stdout, stderr }: RunResult): unknown {
  if (exit !== 0) throw new Error(`ucctl ${argv.join(' ')} ended with ${exit}: ${stderr}`);
  return stdout.trim() === '' ? undefined : JSON.parse(stdout);
}

/** The window of a browser, and the place in the page that it opens. */
export interface Window {
  readonly place?: string | undefined;
  readonly size?: { width: number; height: number } | undefined;
  readonly scheme?: 'light' | 'dark' | undefined;
}

/** The pages of the console in a browser. */
interface Pages {
  readonly context: BrowserContext;
  /** An empty page: Chromium closes a window with its last page, and opening one takes as long as a context. */
  readonly empty: Page;
}

const known = new WeakMap<Browser, Promise<Pages>>();

/**
 * One context for all pages of the console in a browser: a context takes twice the processor time of a page. The
 * pages share nothing, because they store data only in `sessionStorage`, which every page has for itself.
 */
function pagesOf(browser: Browser): Promise<Pages> {
  const found = known.get(browser) ?? openContext(browser);
  known.set(browser, found);
  return found;
}

async function openContext(browser: Browser): Promise<Pages> {
  const context = await browser.newContext({
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  });
  await context.addInitScript(collectNotices);
  return { context, empty: await context.newPage() };
}

/** Collects the texts of notices in a page: a success is shown for a few seconds only, in which a test may not look. */
const collectNotices = `{
  const seen = new WeakSet();
  globalThis.shownNotices = [];
  const collect = () => {
    for (const notice of document.querySelectorAll('.notices > .notice')) {
      if (!seen.has(notice)) shownNotices.push(notice.querySelector('span').textContent);
      seen.add(notice);
    }
  };
  new MutationObserver(collect).observe(document, { childList: true, subtree: true });
}`;

/** Waits until the page has shown a notice since it was loaded, or since the last call with its text. */
export async function waitForNotice(page: Page, text: string): Promise<void> {
  await eventually(async () => {
    const shown: readonly string[] = await page.evaluate('shownNotices');
    expect(shown).toContain(text);
  });
  await page.evaluate(`shownNotices.splice(0, shownNotices.indexOf(${JSON.stringify(text)}) + 1)`);
}

/** Closes what a test opened with `openPage`. If the test failed, prints what the pages show and have reported. */
export async function endPages(
  browser: Browser,
  { task }: TestContext,
  problems: readonly string[],
): Promise<void> {
  const { context, empty } = (await known.get(browser)) ?? {};
  for (const page of context?.pages() ?? []) {
    if (page === empty) continue;
    if (task.result?.state === 'fail')
      stderr.write(
        `${page.url()} reported ${JSON.stringify(problems)} and shows:\n${await page.innerText('body')}\n`,
      );
    // A request that a test answers ends with its page.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.close();
  }
}

/** Opens a page, and waits until it receives changes. Everything that the page reports is added to `problems`. */
export async function openPage(
  browser: Browser,
  url: string,
  problems: string[],
  window: Window,
): Promise<Page> {
  const { place = '', size = { width: 1280, height: 800 }, scheme = 'light' } = window;
  const { context } = await pagesOf(browser);
  const page = await context.newPage();
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: scheme });
  page.on('console', (message) => problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (one) => {
    const { origin, protocol } = new URL(one.url());
    if (origin !== new URL(url).origin && protocol !== 'blob:') problems.push(one.url());
  });
  await goTo(page, place === '' ? url : `${url}/${place}`);
  // In a narrow window, a connection is shown only while it is lost.
  await page.locator('.connection.live').waitFor({ state: 'attached' });
  return page;
}

/** Chromium ends all requests when another test adds a network namespace to the machine. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.goto(address).catch(async (error: unknown) => {
    if (!String(error).includes('ERR_NETWORK_CHANGED')) throw error;
    await page.waitForURL('chrome-error://chromewebdata/');
    await page.goto(address);
  });
}

/** Stores a picture of the page in the folder that UCCTL_SCREENSHOTS names; docs/pictures has some of them. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['UCCTL_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** The rules of accessibility that the page violates, and whether it scrolls sideways. */
export async function accessProblems(page: Page): Promise<readonly string[]> {
  // The page's policy forbids other scripts, but not code of the browser's debugger.
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  const found: readonly string[] = await page.evaluate(
    `axe.run(document, {
      resultTypes: ['violations'],
      // axe runs these rules, which WCAG 2.2 has added, only on demand.
      rules: Object.fromEntries(axe.getRules(['wcag22aa']).map(({ ruleId }) => [ruleId, { enabled: true }])),
    }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`,
  );
  const isWide: boolean = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  return [...found, ...(isWide ? ['scrolls sideways'] : [])];
}

/** Replaces the names in the replies of a server by names that are long and have no spaces. */
export async function lengthenNames(page: Page, paths: string | RegExp): Promise<void> {
  await page.route(paths, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"name":"[^"]*"/g, `"name":"${'Longname'.repeat(15)}"`);
    await route.fulfill({ response, body });
  });
  // A request at the end of the test ends with its page.
  onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
}

/** Runs a part of a test while the reply to the next request to an address is delayed. Then waits until the page has it. */
export async function withDelayedReply(page: Page, path: string, during: () => Promise<void>): Promise<void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(
    path,
    async (route) => {
      const response = await route.fetch();
      await released;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  const finished = page.waitForResponse(path);
  await during();
  release();
  await (await finished).finished();
}

/** Delays all requests to an address. Returns a function that sends them, and all later ones. */
export async function delayRequests(page: Page, path: string | RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(path, async (route) => {
    await released;
    await route.fallback();
  });
  return release;
}

/** Whether an element is inside the panel that contains it. */
export function isInPanel(element: Locator): Promise<boolean> {
  return element.evaluate((one) => {
    const panel = one.closest('.panel, .card, .pane')?.getBoundingClientRect();
    return panel !== undefined && one.getBoundingClientRect().right <= panel.right;
  });
}

/** Waits until the window shows elements. */
export async function expectInWindow(...elements: readonly Locator[]): Promise<void> {
  const isIn = (element: Locator): Promise<boolean> =>
    element.evaluate((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return top >= 0 && bottom <= (one.ownerDocument.defaultView?.innerHeight ?? 0);
    });
  for (const element of elements) await eventually(async () => expect(await isIn(element)).toBe(true));
}

/** Waits until an element has the focus and the window shows it. */
export async function expectFocused(element: Locator): Promise<void> {
  const isFocused = (): Promise<boolean> =>
    element.evaluate((one) => one === one.ownerDocument.activeElement);
  await eventually(async () => expect(await isFocused()).toBe(true));
  await expectInWindow(element);
}

/** Pixels between a name and the text before or after it. */
export function gapNextTo(name: Locator): Promise<number> {
  return name.evaluate((element) => {
    const text = element.nextSibling ?? element.previousSibling;
    if (!text) throw new Error('no text next to the name');
    const range = element.ownerDocument.createRange();
    range.selectNode(text);
    const [one, other] = [element.getBoundingClientRect(), range.getBoundingClientRect()];
    return Math.max(one.left - other.right, other.left - one.right);
  });
}

/** A program with a webhook, whose replies the test decides. */
export interface Program {
  readonly address: string;
  /** Bodies of the notifications. */
  readonly received: string[];
  /** The status of its replies. */
  status: number;
}

/** Starts a program that receives events. */
export async function startProgram(): Promise<Program> {
  const program = { address: '', received: [] as string[], status: 200 };
  const server = createServer((request, response) => {
    const token = request.headers['validation-token'];
    if (token !== undefined) response.setHeader('validation-token', token);
    const answer = async (): Promise<void> => {
      const body = await text(request);
      if (body !== '') program.received.push(body);
      response.statusCode = token === undefined ? program.status : 200;
      response.end();
    };
    void answer();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  program.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return program;
}

/** Hides or shows the browser tab of a page, as another tab in front of it does. */
export async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
     document.dispatchEvent(new Event('visibilitychange'))`,
  );
}
