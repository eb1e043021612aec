import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env, execPath } from 'node:process';
import type { Browser } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { resultOf } from './measure.ts';
import type { Result } from './report.ts';
import { scaled } from './scaled.ts';

const rounds = scaled(7, 2);

/** From `ucctl sandbox start --open` until the browser, which is already open, shows the first phone. */
export async function firstScreen(): Promise<readonly Result[]> {
  const folder = await mkdtemp(join(tmpdir(), 'ucctl-bench-screen-'));
  const browser = await startChromium();
  try {
    // The first round stores the compiled code.
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) times.push(await millisecondsOf(browser, folder));
    const name = 'first screen of the console after sandbox start --open';
    return [resultOf(name, times.slice(1), 1000, 'at most', ' ms')];
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function millisecondsOf(browser: Browser, folder: string): Promise<number> {
  const { program, address, close } = await startOpener(folder);
  const page = await browser.newPage();
  const start = performance.now();
  const child = spawn(execPath, ['bin/ucctl.cjs', 'sandbox', 'start', '--port', '0', '--open'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: env['PATH'], HOME: folder, BROWSER: program },
  });
  const ended = once(child, 'exit');
  try {
    await page.goto(await address, { waitUntil: 'commit' });
    await page.locator('article').first().waitFor();
    return performance.now() - start;
  } finally {
    child.kill('SIGTERM');
    await Promise.all([ended, page.close()]);
    await close();
  }
}

/** The program that ucctl starts as the browser. It passes the address to this process, whose browser is already open. */
async function startOpener(folder: string) {
  const server = createServer();
  const address = once(server, 'request').then(([request, response]) => {
    response.end();
    return decodeURIComponent(new URL(request.url, 'http://x').searchParams.get('address') ?? '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const program = join(folder, 'browser');
  const { port } = server.address() as AddressInfo;
  await writeFile(
    program,
    `#!/bin/sh\nexec curl -s -G --data-urlencode "address=$1" http://127.0.0.1:${port}/\n`,
  );
  await chmod(program, 0o700);
  return { program, address, close: () => new Promise((resolve) => server.close(resolve)) };
}
