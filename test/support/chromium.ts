import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { beforeAll } from 'vitest';
import { conditionLimit } from './limits.ts';
import { unlessRequired } from './required.ts';

/** The headless build of Chromium needs a third of the processor time of the build with windows. */
const programs = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;
const program = programs.find((path) => existsSync(path));

/** Why the browser tests cannot run here; undefined when they can. */
export function chromiumMissing(): string | undefined {
  return unlessRequired(
    'chromium',
    program === undefined
      ? `not installed: ${programs.join(' or ')} (Debian packages of these names)`
      : undefined,
  );
}

/**
 * A real browser without a window and without background traffic, whose pages wait as long as other tests do. The caller
 * closes it.
 * @throws {Error} if none is installed.
 */
export async function startChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    ...(program !== undefined && { executablePath: program }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Otherwise each page has a process, and another one starts ahead for the next page.
      '--renderer-process-limit=1',
    ],
  });
  const newContext = browser.newContext.bind(browser);
  // `newPage` calls it too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(conditionLimit);
    return context;
  };
  return browser;
}

/** Starts a browser for the tests of the present `describe`, and closes it after them. */
export function useChromium(): { readonly browser: Browser } {
  let started: Browser | undefined;
  beforeAll(async () => {
    const browser = await startChromium();
    started = browser;
    return () => browser.close();
  });
  return {
    get browser() {
      if (!started) throw new Error('the browser has not started');
      return started;
    },
  };
}
