import { expect, it } from 'vitest';
import { openUrl } from '../../src/cli/open-url.ts';

it.each([
  ['http://127.0.0.1:1/', { BROWSER: 'true' }, true],
  ['http://127.0.0.1:1/', { BROWSER: 'true %s:false' }, true],
  ['http://127.0.0.1:1/', { BROWSER: 'false' }, false],
  ['http://127.0.0.1:1/', { BROWSER: '/nonexistent/browser' }, false],
  ['file:///etc/passwd', { BROWSER: 'true' }, false],
  ['javascript:alert(1)', { BROWSER: 'true' }, false],
  ['https://', { BROWSER: 'true' }, false],
])('opening %s with %j answers %s', async (url, env, worked) => {
  expect(await openUrl(url, env)).toBe(worked);
});
