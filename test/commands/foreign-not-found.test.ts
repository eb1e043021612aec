import { describe, expect, it } from 'vitest';
import type { HttpSend } from '../../src/client/index.ts';
import { fakeReply } from '../support/fake-service.ts';
import { openLiveOffice } from './live-office.ts';
import { openOffice } from './office.ts';

/** A network whose sign-in page answers requests of this kind with HTTP 404, which has no code of the service (ERROR-1). */
function pageFor(pattern: RegExp): (send: HttpSend) => HttpSend {
  const page = fakeReply({ status: 404, headers: { 'content-type': 'text/html' }, body: 'page' });
  return (send) => (request) =>
    pattern.test(`${request.method} ${request.url.pathname}`) ? Promise.resolve(page) : send(request);
}

describe('spec:ERROR-1: a 404 of another server does not mean that a record is missing', () => {
  it.each([
    ['calllog show abc', /^GET .*\/call-log\//],
    ['message show 123', /^GET .*\/message-store\//],
    ['message delete 123 --yes', /\/message-store\//],
    ['fax status 1', /^GET .*\/message-store\//],
    ['presence set 103 --dnd-status DoNotAcceptAnyCalls --yes', /^PUT .*\/presence$/],
    ['subscribe renew 1', /^POST .*\/renew$/],
    ['subscribe delete 1 --yes', /^DELETE .*\/subscription\//],
    ['webhook post 1 hello --yes', /^GET .*\/webhooks\//],
    ['webhook suspend 1 --yes', /\/webhooks\/1/],
  ])('%s', async (command, pattern) => {
    const { run } = await openOffice('administrator', pageFor(pattern));
    const { exit, stderr } = await run(command);
    expect([exit, stderr]).toEqual([3, expect.stringContaining('the service replied with HTTP 404')]);
  });

  it.each([
    ['rule export 102', /^GET .*\/answering-rule$/],
    ['presence show 102,103', /^GET .*\/presence$/],
  ])('%s of dialect current', async (command, pattern) => {
    const { run } = await openOffice('administrator', pageFor(pattern), ':memory:', { dialect: 'current' });
    const { exit, stdout, stderr } = await run(`${command} --dialect current`);
    expect([exit, stdout, stderr]).toEqual([3, '', expect.stringContaining('HTTP 404')]);
  });

  it('ringout start --wait does not report a call as ended', async () => {
    const { run } = await openLiveOffice('administrator', {}, pageFor(/^GET .*\/ringout\//));
    const { exit, stdout, stderr } = await run('ringout start --to +16505550112 --yes --wait');
    expect([exit, stderr]).toEqual([13, expect.stringContaining('cannot read the status of call')]);
    expect(stdout).not.toContain('NoSessionFound');
  });
});
