import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { openOffice, type Office } from '../office.ts';
import { live } from './listening.ts';

/** An office of somebody who has never signed in. */
async function signedOut(env: Readonly<Record<string, string>> = {}): Promise<Office> {
  const office = await openOffice();
  const run: Office['run'] = (argv, options) =>
    office.run(argv, {
      ...options,
      env: { UCCTL_TOKEN: undefined, UCCTL_STORE: 'file', ...env, ...options?.env },
    });
  return { ...office, run };
}

const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers });

describe('webhook listen --no-subscribe', () => {
  it.each([{}, { UCCTL_BASE_URL: '' }])('needs no sign-in, with %j', async (env) => {
    const office = await signedOut(env);
    const listening = await live(office, 'webhook listen --no-subscribe --count 1 -o ndjson');
    const url = String(listening.ready.url);
    expect((await post(url, '', { 'validation-token': 'abc' })).headers.get('validation-token')).toBe('abc');
    expect((await post(url, '{"uuid":"1","event":"/x","timestamp":"t","body":{}}')).status).toBe(200);
    const { exit, stdout } = await listening.result;
    expect([exit, stdout]).toEqual([0, expect.stringContaining('"uuid":"1"')]);
    expect(office.requests()).toEqual([]);
  });

  it('stores an encrypted event if it cannot request the key, and reports why once', async () => {
    let warnings = '';
    const onStderr = (text: string): void => void (warnings += text);
    const listening = await live(await signedOut(), 'webhook listen --no-subscribe -o ndjson', { onStderr });
    const url = String(listening.ready.url);
    const encrypted = JSON.stringify(Buffer.alloc(32).toString('base64'));
    expect((await post(url, encrypted)).status).toBe(200);
    await eventually(() => expect(warnings).toMatch(/no key for an encrypted event \(.*sign/));
    expect((await post(url, JSON.stringify(Buffer.alloc(48).toString('base64')))).status).toBe(200);
    await eventually(() => expect(listening.shown()).toHaveLength(2));
    listening.interrupt();
    const { exit, stderr } = await listening.result;
    expect([exit, stderr.match(/no key/g)]).toEqual([0, ['no key']]);
  });

  it('still needs a sign-in to subscribe', async () => {
    const { exit } = await (await signedOut()).run('webhook listen');
    expect(exit).toBe(4);
  });
});

describe('a handshake with the body {}', () => {
  it.each(['{}', ' {}\r\n', '{ }'])('%j is handled like one without a body', async (body) => {
    const listening = await live(await signedOut(), 'webhook listen --no-subscribe -o ndjson');
    const url = String(listening.ready.url);
    const headers = { 'validation-token': 'abc', 'content-type': 'application/json' };
    const reply = await post(url, body, headers);
    expect([reply.status, reply.headers.get('validation-token'), await reply.text()]).toEqual([
      200,
      'abc',
      '',
    ]);
    // Without the header it is neither a handshake nor a notification.
    expect((await post(url, body)).status).toBe(400);
    // With the header, a notification stays a notification.
    const event = await post(url, '{"uuid":"1","event":"/x","timestamp":"t"}', headers);
    expect([event.status, event.headers.get('validation-token')]).toEqual([200, null]);
    listening.interrupt();
    await listening.result;
  });
});
