import { expect, it } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sandboxHttp, signInAs } from '../../support/sandbox.ts';

it.each([
  ['five minutes', [], 300_000],
  ['the time that was set', ['--timeout', '7'], 7000],
])('a fax waits %s for its reply', async (_, flags, milliseconds) => {
  await using sandbox = await startSandbox({ listen: false });
  const inside = sandboxHttp(sandbox);
  const waits: number[] = [];
  const http: HttpSend = (request) => {
    if (request.url.pathname.endsWith('/fax')) waits.push(request.timeoutMilliseconds);
    return inside(request);
  };
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, '102') };
  const words = ['fax', 'send', '--to', '+14155550100', 'LICENSE', '--yes', ...flags];
  expect(await runUcctl(words, { sandbox: { http, env } })).toMatchObject({ exit: 0 });
  expect(waits).toEqual([milliseconds]);
});
