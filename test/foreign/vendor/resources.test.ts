import type { SDK } from '@ringcentral/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { json, realSandbox, records, signedIn, type Json } from './signed-in.ts';

const account = '/restapi/v1.0/account/~';
const me = `${account}/extension/~`;
const from = { phoneNumber: '+16505550110' };
const to = [{ phoneNumber: '+16505550112' }];

let sandbox: Sandbox;
let sdk: SDK;
beforeAll(async () => {
  sandbox = await realSandbox();
  sdk = await signedIn(sandbox);
  return () => sandbox.close();
});

afterAll(() => sdk.platform().removeAllListeners());

async function idOf(number: string): Promise<string> {
  const list = await records(sdk.get(`${account}/extension`, { perPage: 1000 }));
  return String(list.find((row) => row['extensionNumber'] === number)?.['id']);
}

it('reads the directory and changes the members of a queue', async () => {
  const queue = await idOf('201');
  const agent = await idOf('106');
  const change = (name: string) => ({ items: [{ departmentId: queue, [name]: [agent] }] });
  const members = async () =>
    (await records(sdk.get(`${account}/department/${queue}/members`))).map((row) => String(row['id']));
  await sdk.post(`${account}/department/bulk-assign`, change('addedExtensionIds'));
  expect(await members()).toContain(agent);
  const reply = await sdk.post(`${account}/department/bulk-assign`, change('removedExtensionIds'));
  expect([reply.status, await members()]).toEqual([204, expect.not.arrayContaining([agent])]);
});

it('reads and changes presence', async () => {
  const path = `${account}/extension/${await idOf('102')}/presence`;
  expect(await json(sdk.put(path, { message: 'lunch', userStatus: 'Busy' }))).toMatchObject({
    message: 'lunch',
  });
  expect(await json(sdk.get(path, { detailedTelephonyState: true }))).toMatchObject({ userStatus: 'Busy' });
});

it('reads numbers and dictionaries', async () => {
  expect((await records(sdk.get(`${me}/phone-number`))).length).toBeGreaterThan(0);
  expect(await json(sdk.get(`${me}/forwarding-number`))).toHaveProperty('records');
  expect((await records(sdk.get('/restapi/v1.0/dictionary/country'))).length).toBeGreaterThan(0);
  expect(await json(sdk.get('/restapi/v1.0'))).toHaveProperty('apiVersions');
});

it('sends a text and a page, and follows them in the mailbox', async () => {
  const text = await json(sdk.post(`${me}/sms`, { from, to, text: 'hello' }));
  expect(text).toMatchObject({ type: 'SMS', subject: 'hello' });
  const page = { from: { extensionNumber: '100' }, to: [{ extensionNumber: '102' }], text: 'page' };
  expect(await json(sdk.post(`${me}/company-pager`, page))).toMatchObject({ type: 'Pager' });
  const path = `${me}/message-store/${String(text['id'])}`;
  expect(await json(sdk.put(path, { readStatus: 'Read' }))).toMatchObject({ readStatus: 'Read' });
  expect(
    (await records(sdk.get(`${me}/message-store`, { messageType: ['SMS', 'Pager'] }))).length,
  ).toBeGreaterThan(1);
  expect(await json(sdk.get(`${me}/message-sync`, { syncType: 'FSync' }))).toHaveProperty('syncInfo');
  expect((await sdk.delete(path)).status).toBe(204);
});

it('sends a fax with a document, and reads its attachment', async () => {
  const boundary = 'vendor-fax';
  const envelope = { to: [{ phoneNumber: '+14155550100' }], faxResolution: 'High' };
  const body = [
    `--${boundary}`,
    'Content-Type: application/json',
    'Content-Disposition: form-data; name="json"; filename="request.json"',
    '',
    JSON.stringify(envelope),
    `--${boundary}`,
    'Content-Type: text/plain',
    'Content-Disposition: form-data; name="attachment"; filename="a.txt"',
    '',
    'a page of text',
    `--${boundary}--`,
    '',
  ].join('\r\n');
  const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
  const fax = await json(sdk.post(`${me}/fax`, body, null, { headers }));
  expect(fax).toMatchObject({ type: 'Fax', messageStatus: 'Queued' });
  const [attachment] = fax['attachments'] as readonly Json[];
  const content = await sdk.get(String(attachment?.['uri']));
  expect(content.status).toBe(200);
});

it('reads the call log, active calls and several records', async () => {
  await using office = await realSandbox({ fixture: 'call-center' });
  const client = await signedIn(office);
  const query = { dateFrom: '2025-01-01T00:00:00Z', perPage: 2 };
  const calls = (await records(client.get(`${account}/call-log`, query))).map(({ id }) => String(id));
  expect(await json(client.get(`${account}/call-log/${calls[0]}`))).toMatchObject({ id: calls[0] });
  expect(await json(client.get(`${account}/active-calls`))).toHaveProperty('records');
  await expectParts(client, await client.get(`${account}/call-log/${calls.join(',')}`));
});

/** Two parts, which the library separates. */
async function expectParts(client: SDK, reply: Response): Promise<void> {
  expect(reply.status).toBe(207);
  const parts = await client.multipart(reply);
  expect(parts).toHaveLength(2);
  for (const part of parts) expect([part.status, await part.json()]).toEqual([200, expect.anything()]);
}

it('starts, reads and cancels a two-legged call', async () => {
  const call = await json(sdk.post(`${me}/ringout`, { from, to: to[0], playPrompt: false }));
  const path = `${me}/ringout/${String(call['id'])}`;
  expect(await json(sdk.get(path))).toMatchObject({ id: call['id'] });
  expect((await sdk.delete(path)).status).toBe(204);
});

it('creates, changes and deletes a chat webhook', async () => {
  const hook = await json(sdk.post('/restapi/v1.0/chat/groups/3301/webhooks'));
  const path = `/restapi/v1.0/chat/webhooks/${String(hook['id'])}`;
  expect((await sdk.post(`${path}/suspend`)).status).toBe(200);
  expect((await sdk.post(`${path}/activate`)).status).toBe(200);
  expect((await records(sdk.get('/restapi/v1.0/chat/webhooks'))).length).toBeGreaterThan(0);
  expect((await sdk.delete(path)).status).toBe(200);
});

it('reads the results for several ids in the form that the library supports', async () => {
  const texts = await Promise.all(
    [1, 2].map((n) => json(sdk.post(`${me}/sms`, { from, to, text: `text ${n}` }))),
  );
  const ids = texts.map(({ id }) => String(id));
  for (const path of [
    `${me}/message-store/${ids.join(',')}`,
    `${account}/extension/${await idOf('102')},${await idOf('103')}/presence`,
  ])
    await expectParts(sdk, await sdk.get(path));
  expect(ids).toHaveLength(2);
});

it('reads the message of a rejection', async () => {
  await expect(sdk.get(`${account}/extension/999999`)).rejects.toThrow(/not found|Resource/i);
});
