import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { startSandbox, type Sandbox } from '../../src/sandbox/index.ts';
import { chromiumMissing, startChromium } from '../../test/support/chromium.ts';
import { freePort } from '../../test/support/free-port.ts';
import { userOf } from '../../test/support/sandbox.ts';
import { open, startUcctl, type Ended, type Started } from '../../test/support/process.ts';
import { type Result, type Size } from './result.ts';

/** Signs in with a real browser and the built program (promises 8 to 12). */
export async function run(size: Size): Promise<readonly Result[]> {
  const missing = chromiumMissing();
  if (missing !== undefined) {
    return [{ promise: 'login in a browser', figure: `not run: ${missing}`, holds: size === 'reduced' }];
  }
  const browser = await startChromium();
  try {
    const results = [await succeeds(browser, '127.0.0.1')];
    // test/commands/login/browser.outer.test.ts signs in with the same browser, denies access, and sends hostile requests.
    if (size === 'reduced') return results;
    results.push(await denied(browser), await hostile(browser));
    for (const host of ['[::1]', 'localhost']) results.push(await succeeds(browser, host));
    results.push(await portBusy(browser), await times(browser), await pasted(browser));
    return results;
  } finally {
    await browser.close();
  }
}

interface Desk {
  readonly sandbox: Sandbox;
  readonly page: Page;
  readonly port: number;
  readonly redirectUri: string;
  start(args: readonly string[], input?: typeof open): Started;
  /** The sign-in page that the program opens. */
  signInUrl(run: Started): Promise<string>;
  close(): Promise<void>;
}

async function openDesk(browser: Browser, host: string): Promise<Desk> {
  const port = await freePort();
  const redirectUri = `http://${host}:${port}/callback`;
  const sandbox = await startSandbox({ redirectUris: [redirectUri], clock: 'real' });
  const page = await browser.newPage();
  const home = mkdtempSync(join(tmpdir(), 'ucctl-proof-'));
  const env = {
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_CLIENT_ID: sandbox.ready.clientId,
    UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
    UCCTL_REDIRECT_URIS: redirectUri,
    UCCTL_STORE: 'file',
    UCCTL_CONFIG_DIR: home,
    HOME: home,
    // A second browser, as if the user signs in on another machine.
    BROWSER: 'true',
  };
  return {
    sandbox,
    page,
    port,
    redirectUri,
    start: (args, input) => startUcctl(['login', ...args], { env, ...(input !== undefined && { input }) }),
    signInUrl: (started) =>
      new Promise((resolve, reject) => {
        let text = '';
        started.child.stderr?.on('data', (piece: Buffer) => {
          text += piece.toString();
          const url = /https?:\/\/\S+oauth\/authorize\S+/.exec(text)?.[0];
          if (url !== undefined) resolve(url);
        });
        started.child.once('close', () => reject(new Error(`the program ended: ${text}`)));
      }),
    async close() {
      await page.close();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Signs in on the page of the service and allows or denies access. */
async function decide(desk: Desk, url: string, decision: 'allow' | 'deny'): Promise<void> {
  const { username, extension, password } = userOf(desk.sandbox, '102');
  await desk.page.goto(url);
  await desk.page.fill('#username', username);
  await desk.page.fill('#extension', extension);
  await desk.page.fill('#password', password);
  await desk.page.click('button[type=submit]');
  await desk.page.click(`button[value=${decision}]`);
}

async function title(page: Page): Promise<string | null> {
  await page.waitForURL('**/done');
  await page.waitForSelector('h1');
  return page.textContent('h1');
}

async function withDesk(
  browser: Browser,
  host: string,
  promise: string,
  work: (desk: Desk) => Promise<Omit<Result, 'promise'>>,
): Promise<Result> {
  const desk = await openDesk(browser, host);
  try {
    return { promise: `login in a browser: ${promise}`, ...(await work(desk)) };
  } finally {
    await desk.close();
  }
}

function succeeds(browser: Browser, host: string): Promise<Result> {
  return withDesk(browser, host, `success, back to ${host}`, async (desk) => {
    const seen: string[] = [];
    desk.page.on('framenavigated', (navigated) => seen.push(navigated.url()));
    const started = desk.start([]);
    const url = await desk.signInUrl(started);
    const bound = boundAddresses(desk.port);
    const families =
      host === 'localhost' ? await Promise.all([4, 6].map((family) => answers(desk.port, family))) : [];
    await decide(desk, url, 'allow');
    const shown = await title(desk.page);
    const end = await started.ended;
    const codes = seen.filter((address) => address.includes('code=')).length;
    const loopback = bound.every((address) => address === '127.0.0.1' || address === '::1');
    const closed = boundAddresses(desk.port).length === 0;
    return {
      figure:
        `exit ${end.exit}, "${shown}", address bar ${new URL(desk.page.url()).pathname}, pages with a code ${codes}, ` +
        `listened at ${bound.join(' and ')}, port free afterwards: ${closed}` +
        (families.length > 0 ? `, both families answer: ${families.every(Boolean)}` : ''),
      holds:
        end.exit === 0 &&
        shown === 'You are signed in' &&
        codes === 0 &&
        loopback &&
        bound.length === (host === 'localhost' ? 2 : 1) &&
        closed &&
        families.every(Boolean),
    };
  });
}

function denied(browser: Browser): Promise<Result> {
  return withDesk(browser, '127.0.0.1', 'denial', async (desk) => {
    const started = desk.start([]);
    await decide(desk, await desk.signInUrl(started), 'deny');
    const shown = await title(desk.page);
    const { exit, stderr } = await started.ended;
    const isReported = stderr.includes('[access_denied]');
    return {
      figure: `exit ${exit}, "${shown}", reported in the terminal: ${isReported}`,
      holds: exit === 4 && shown === 'Sign-in failed' && isReported,
    };
  });
}

const hits = [
  '?code=stolen&state=wrong',
  '?error=access_denied&state=wrong',
  '?code=stolen',
  '?state=wrong',
  '?code=a&code=b&state=wrong',
  '?error=<script>alert(1)</script>&state=x',
  '',
  '?',
  '?code=%00&state=%00',
  '?__proto__=1',
];

function hostile(browser: Browser): Promise<Result> {
  return withDesk(
    browser,
    '127.0.0.1',
    'hostile and unexpected requests, then the right one',
    async (desk) => {
      const started = desk.start([]);
      const url = await desk.signInUrl(started);
      const answers: (number | undefined)[] = [];
      for (const hit of hits) answers.push((await desk.page.goto(desk.redirectUri + hit))?.status());
      const unexpected: number[] = [];
      for (const [method, path] of [
        ['GET', '/favicon.ico'],
        ['GET', '/x'],
        ['GET', '/done'],
        ['POST', '/callback'],
        ['PUT', '/callback'],
        ['HEAD', '/callback'],
        ['OPTIONS', '/callback?code=x'],
        ['GET', '//callback?code=x'],
        ['GET', '/callback/../x'],
        ['DELETE', '/'],
      ] as const) {
        const before = performance.now();
        await fetch(`http://127.0.0.1:${desk.port}${path}`, { method, redirect: 'manual' });
        unexpected.push(performance.now() - before);
      }
      await decide(desk, url, 'allow');
      const shown = await title(desk.page);
      const { exit } = await started.ended;
      const rejected = answers.filter((status) => status === 400).length;
      return {
        figure: `${hits.length + unexpected.length} hits, ${rejected} of ${hits.length} callbacks rejected, slowest unexpected one ${Math.round(Math.max(...unexpected))} ms, then exit ${exit}, "${shown}"`,
        holds: rejected === hits.length && exit === 0 && shown === 'You are signed in',
      };
    },
  );
}

function portBusy(browser: Browser): Promise<Result> {
  return withDesk(browser, '127.0.0.1', 'port busy', async (desk) => {
    const taken = createServer();
    await new Promise<void>((resolve) => {
      taken.listen(desk.port, '127.0.0.1', resolve);
    });
    const end = await desk.start([]).ended;
    taken.close();
    const named = end.stderr.includes(`port ${desk.port}`) && end.stderr.includes('--redirect-uri');
    return {
      figure: `exit ${end.exit} in ${Math.round(end.milliseconds)} ms, naming port and flag: ${named}`,
      holds: end.exit === 12 && named && end.milliseconds <= 1000,
    };
  });
}

function times(browser: Browser): Promise<Result> {
  return withDesk(browser, '127.0.0.1', 'nobody signs in', async (desk) => {
    const started = desk.start(['--browser-timeout', '2']);
    await desk.page.goto(await desk.signInUrl(started));
    const end: Ended = await started.ended;
    const free = boundAddresses(desk.port).length === 0;
    return {
      figure: `exit ${end.exit} after ${(end.milliseconds / 1000).toFixed(1)} s (--timeout 2), port free: ${free}`,
      holds: end.exit === 4 && end.milliseconds < 4000 && free,
    };
  });
}

function pasted(browser: Browser): Promise<Result> {
  return withDesk(browser, '127.0.0.1', 'pasted address', async (desk) => {
    const started = desk.start(['--no-browser'], open);
    const url = await desk.signInUrl(started);
    const back = desk.page.waitForRequest((request) => request.url().startsWith(desk.redirectUri));
    await decide(desk, url, 'allow');
    const address = (await back).url();
    await delay(100);
    started.child.stdin?.end(`${address}\n`);
    const end = await started.ended;
    const code = new URL(address).searchParams.get('code') ?? '';
    const leaked = code === '' || (end.stderr + end.stdout).includes(code);
    return {
      figure: `exit ${end.exit}, nothing listened at: ${boundAddresses(desk.port).length === 0}, code shown anywhere: ${leaked}`,
      holds: end.exit === 0 && !leaked,
    };
  });
}

function answers(port: number, family: number): Promise<boolean> {
  return new Promise((resolve) => {
    // Connects by address, because `localhost` depends on the hosts file of the machine.
    const host = family === 6 ? '::1' : '127.0.0.1';
    get({ host, port, path: '/x', headers: { host: `localhost:${port}` } }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 404);
    }).once('error', () => resolve(false));
  });
}

/** Addresses on which a port is listening (Linux). */
function boundAddresses(port: number): readonly string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, local, , state]) => state === '0A' && local?.endsWith(`:${wanted}`))
      .map(([, local = '']) => readAddress(local.split(':')[0] ?? '')),
  );
}

/** The kernel writes the address in the byte order of the machine. */
function readAddress(hex: string): string {
  if (hex === '0100007F') return '127.0.0.1';
  return hex === '00000000000000000000000001000000' ? '::1' : hex;
}
