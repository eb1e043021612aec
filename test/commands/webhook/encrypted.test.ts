import { expect, it } from 'vitest';
import { connectedOffice, eventsIn, live } from './listening.ts';

const encrypted = JSON.stringify(Buffer.alloc(32, 7).toString('base64'));

it('decrypts events of a subscription that another command created', async () => {
  const office = await connectedOffice();
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 2');
  // Presence is always encrypted.
  const made = await office.run(`subscribe create --events presence --address ${ready.address} -o json`);
  expect(JSON.parse(made.stdout)).toMatchObject({ deliveryMode: { encryption: true } });
  office.requests();
  await office.run('presence set --user-status Busy');
  await office.run('presence set --user-status Available');
  const { stdout, stderr } = await result;
  expect(eventsIn(stdout)).toMatchObject([
    { body: { userStatus: 'Busy' } },
    { body: { userStatus: 'Available' } },
  ]);
  expect(stdout).not.toContain('encryptedBody');
  expect(stderr).not.toContain('warning');
  const listed = office.requests().filter((request) => request === 'GET /subscription');
  expect(listed).toHaveLength(1);
});

it('reports a missing key once, and stores the encrypted events', async () => {
  const office = await connectedOffice();
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 2');
  for (const body of [encrypted, JSON.stringify(Buffer.alloc(48, 7).toString('base64'))])
    expect((await fetch(ready.address, { method: 'POST', body })).status).toBe(200);
  const { stdout, stderr } = await result;
  expect(eventsIn(stdout)).toMatchObject([
    { event: 'encrypted', encryptedBody: JSON.parse(encrypted) as string },
    { event: 'encrypted' },
  ]);
  expect(stderr.match(/warning: .*no key/g)).toHaveLength(1);
});

it('accepts an encrypted event also without a sign-in', async () => {
  const office = await connectedOffice();
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 1', {
    env: { UCCTL_TOKEN: 'x' },
  });
  expect((await fetch(ready.address, { method: 'POST', body: encrypted })).status).toBe(200);
  expect((await result).stderr).toMatch(/warning: .*no key/);
});
