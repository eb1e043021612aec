import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';
import { send } from '../request.ts';

const publicUrl = 'http://sandbox.test:8080';
const mailbox = '/account/~/extension/~/message-store';

test('links in replies begin with the public URL, and local programs use the local address', async () => {
  await using sandbox = await startSandbox({ publicUrl, dialect: 'current', host: '0.0.0.0' });
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(sandbox.ready).toMatchObject({ url: sandbox.url, publicUrl, mediaUrl: publicUrl });
  // The audience of the assertion is the public URL.
  const token = await signInAs(sandbox, '102');
  const list = await send(sandbox, 'GET', '/account/~/extension?perPage=1', { token });
  expect(list.body.navigation['nextPage']?.uri).toContain(`${publicUrl}/restapi/v1.0/account/`);
  const self = await send(sandbox, 'GET', '/account/~/extension/~', { token });
  expect(self.body).toMatchObject({
    profileImage: { uri: expect.stringContaining(`${publicUrl}/restapi/`) as string },
  });
  const socket = await send(sandbox, 'POST', '/restapi/oauth/wstoken', { token });
  expect(socket.body.uri).toMatch(/^ws:\/\/sandbox\.test:8080\//);
  const contract = await fetch(`${sandbox.url}/openapi.json`);
  expect(await contract.json()).toMatchObject({ servers: [{ url: publicUrl }] });
  expect(await sandbox.control('GET', '/status')).toMatchObject({ url: sandbox.url });
});

test('a trailing slash of the public URL is ignored', async () => {
  await using sandbox = await startSandbox({ publicUrl: `${publicUrl}/`, listen: false });
  const token = await signInAs(sandbox, '102');
  const { body } = await send(sandbox, 'GET', mailbox, { token });
  expect(body.uri).toMatch(/^http:\/\/sandbox\.test:8080\/restapi\//);
});
