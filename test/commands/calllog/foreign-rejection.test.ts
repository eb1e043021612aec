import { expect, it } from 'vitest';
import { auditNoun } from '../../../src/commands/audit/noun.command.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { nouns, openOffice } from '../office.ts';

it.each([
  'calllog list',
  'calllog show 5',
  'calllog active',
  'calllog stats',
  'download --recordings',
  'audit list',
])('%s does not report a missing permission for a 403 of a proxy', async (words) => {
  const { run } = await openOffice('administrator', (send) => (request) => {
    const isRead = /call-log|active-calls|audit-trail/.test(request.url.pathname);
    if (!isRead) return send(request);
    const headers = { 'content-type': 'text/html' };
    return Promise.resolve(
      fakeReply({ status: 403, headers, body: Buffer.from('<html>blocked by the proxy</html>') }),
    );
  });
  const env = { UCCTL_DIALECT: words.startsWith('audit') ? 'current' : 'spec' };
  const { exit, stderr } = await run(`${words} -o json`, { env, nouns: [...nouns, auditNoun] });
  expect([exit, stderr]).toEqual([1, expect.stringContaining('HTTP-403')]);
  expect(stderr).not.toContain('administrator');
});
