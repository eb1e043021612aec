import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { unlessRequired } from './required.ts';

const program = '/usr/bin/chromium';

/** Why the browser tests cannot run here; undefined when they can. */
export function chromiumMissing(): string | undefined {
  return unlessRequired(
    'chromium',
    existsSync(program) ? undefined : `not installed: ${program} (package chromium)`,
  );
}

/** A real browser without a window and without background traffic. The caller closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
