import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { chromiumMissing, useChromium } from '../../support/chromium.ts';
import { freePort } from '../../support/free-port.ts';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const missing = chromiumMissing();

interface Desk {
  readonly sandbox: Sandbox;
  readonly redirectUri: string;
  readonly page: Page;
  /** `ucctl` with this person in front of the browser. */
  readonly run: (line: string, person?: (page: Page, url: string) => Promise<void>) => Promise<RunResult>;
}

describe.skipIf(missing)('login --flow code in a real browser', () => {
  const chromium = useChromium();

  async function desk(): Promise<Desk> {
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const sandbox = await startSandbox({ redirectUris: [redirectUri] });
    const page = await chromium.browser.newPage();
    onTestFinished(async () => {
      await page.close();
      await sandbox.close();
    });
    const paths = temporaryPaths();
    const env = {
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
      UCCTL_REDIRECT_URIS: redirectUri,
      UCCTL_STORE: 'file',
    };
    const run: Desk['run'] = async (line, person) => {
      let visit: Promise<void> | undefined;
      const openUrl = async (url: string): Promise<boolean> => {
        visit = person?.(page, url);
        await visit;
        return true;
      };
      const result = await runUcctl(line, { env, paths, openUrl });
      await visit;
      return result;
    };
    return { sandbox, redirectUri, page, run };
  }

  async function signIn(page: Page, sandbox: Sandbox): Promise<void> {
    const { username, extension, password } = userOf(sandbox, '102');
    await page.fill('#username', username);
    await page.fill('#extension', extension);
    await page.fill('#password', password);
    await page.click('button[type=submit]');
  }

  test('signs in, shows the page only afterwards, and leaves no code in the address bar', async () => {
    const { sandbox, run, page } = await desk();
    const { exit, stdout, stderr } = await run('login -o json', async (_page, url) => {
      await page.goto(url);
      await signIn(page, sandbox);
      await page.click('button[value=allow]');
      await page.waitForURL('**/done');
      await page.waitForSelector('h1');
    });
    expect(stderr).toContain('Sign in at:');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ flow: 'code', origin: sandbox.url, store: 'file' });
    expect(await page.textContent('h1')).toBe('You are signed in');
    expect(page.url()).toMatch(/\/done$/);
    const status = await run('status -o json');
    expect(JSON.parse(status.stdout)).toMatchObject({
      signedIn: true,
      ownerId: userOf(sandbox, '102').extensionId,
      permissions: expect.arrayContaining(['ReadAccounts']),
    });
  });

  test('a denial is reported in the browser and in the terminal, with exit 4', async () => {
    const { sandbox, run, page } = await desk();
    const { exit, stderr } = await run('login', async (_page, url) => {
      await page.goto(url);
      await signIn(page, sandbox);
      await page.click('button[value=deny]');
      await page.waitForURL('**/done');
      await page.waitForSelector('h1');
    });
    expect(exit).toBe(4);
    expect(stderr).toContain(
      'the user or the service denied access on the sign-in page: The user denied access [access_denied]',
    );
    expect(await page.textContent('h1')).toBe('Sign-in failed');
    expect((await run('status')).exit).toBe(4);
  });

  test('a wrong state and unexpected requests before the right answer have no effect', async () => {
    const { sandbox, run, page, redirectUri } = await desk();
    const { exit } = await run('login', async (_page, url) => {
      for (const hit of ['?code=stolen&state=wrong', '?error=access_denied&state=wrong', '?code=stolen']) {
        const reply = await page.goto(redirectUri + hit);
        expect(reply?.status()).toBe(400);
      }
      expect((await page.goto(new URL('/favicon.ico', redirectUri).href))?.status()).toBe(404);
      await page.goto(url);
      await signIn(page, sandbox);
      await page.click('button[value=allow]');
      await page.waitForURL('**/done');
      await page.waitForSelector('h1');
    });
    expect(exit).toBe(0);
    expect(await page.textContent('h1')).toBe('You are signed in');
  });

  test('exits at the time limit without a sign-in, and releases the port', async () => {
    const { run, redirectUri } = await desk();
    const { exit, stderr } = await run('login --browser-timeout 1', async (page, url) => {
      await page.goto(url);
    });
    expect(exit).toBe(4);
    expect(stderr).toContain('the sign-in did not complete within 1 s');
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  });
});
