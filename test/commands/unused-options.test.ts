import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';

it.each([
  ['sync --sweep 1m', '--sweep requires --watch'],
  ['sync --ready-file ready.json', '--ready-file requires --watch'],
  ['sync --port 8080', '--port requires --watch'],
  ['sync --transport webhook', '--transport requires --watch'],
  ['sync --channel-url http://127.0.0.1/', '--channel-url requires --watch'],
  ['sync --public-url https://example.com/', '--public-url requires --watch'],
  ['calllog active --interval 30', '--interval requires --watch'],
  ['fleet enroll --extension 101 --remove --every 1h', '--remove and --every cannot be used together'],
  ['fleet enroll --extension 101 --remove --on-delete mark', 'cannot be used together'],
  ['store hold --release 101 --reason closed', '--reason requires --add'],
  ['calllog active --phone +16505550112 --extension-number 102', 'cannot be used together'],
])('%s is rejected, because the option would have no effect', async (line, text) => {
  const { exit, stderr } = await runUcctl(line);
  expect([exit, stderr]).toEqual([2, expect.stringContaining(text)]);
});
