import { expect, test } from 'vitest';
import { run as keychain } from '../../scripts/proofs/keychain.ts';
import { run as loginBrowser } from '../../scripts/proofs/login-browser.ts';
import { run as refresh } from '../../scripts/proofs/refresh.ts';

test.each([
  ['refresh', refresh],
  ['keychain', keychain],
  ['login-browser', loginBrowser],
])('proof %s holds at reduced size', async (_name, run) => {
  const results = await run('reduced');
  expect(results.length).toBeGreaterThan(0);
  expect(results.filter(({ holds }) => !holds)).toEqual([]);
});
