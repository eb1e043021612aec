import { expect, it } from 'vitest';
import { connectedOffice, eventsIn, live } from './listening.ts';

const sealed = JSON.stringify(Buffer.alloc(32, 7).toString('base64'));

it('decodes what comes for a subscription that another command has made', async () => {
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
  expect(stdout).not.toContain('sealed');
  expect(stderr).not.toContain('warning');
  const listed = office.requests().filter((request) => request === 'GET /subscription');
  expect(listed).toHaveLength(1);
});

it('says once that there is no key, and keeps what came', async () => {
  const office = await connectedOffice();
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 2');
  for (const body of [sealed, JSON.stringify(Buffer.alloc(48, 7).toString('base64'))])
    expect((await fetch(ready.address, { method: 'POST', body })).status).toBe(200);
  const { stdout, stderr } = await result;
  expect(eventsIn(stdout)).toMatchObject([
    { event: 'encrypted', sealed: JSON.parse(sealed) as string },
    { event: 'encrypted' },
  ]);
  expect(stderr.match(/warning: .*no key/g)).toHaveLength(1);
});

it('takes an encrypted event also when nobody is signed in', async () => {
  const office = await connectedOffice();
  const { ready, result } = await live(office, 'webhook listen --no-subscribe --count 1', {
    env: { UCCTL_TOKEN: 'x' },
  });
  expect((await fetch(ready.address, { method: 'POST', body: sealed })).status).toBe(200);
  expect((await result).stderr).toMatch(/warning: .*no key/);
});
