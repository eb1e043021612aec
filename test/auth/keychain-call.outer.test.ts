import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callKeychainChild } from '../../src/auth/keychain-call.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('the time of a call to the keychain begins when its process has started', async () => {
  const folder = temporaryFolder();
  const slowStart = join(folder, 'slow-start.cjs');
  // Long enough for the call itself on a busy machine.
  const limitMilliseconds = 5000;
  writeFileSync(
    slowStart,
    `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${limitMilliseconds * 1.5});`,
  );
  const env = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: `--require ${slowStart}`,
    // There is no keychain, which is an answer.
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'none')}`,
  };
  const call = { request: { op: 'read', item: 'a' }, cacheFolder: folder } as const;
  const answer = await callKeychainChild(call, {
    env,
    limitMilliseconds,
    signal: new AbortController().signal,
  });
  expect(answer).toMatchObject({ ok: false });
});
