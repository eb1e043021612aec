import { expect, it } from 'vitest';
import { buildClient } from '../../src/client/index.ts';
import { fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

function client() {
  const { http, asked } = fakeService([{ status: 200, body: { id: 1 } }]);
  const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
  return { api, sent: () => String(asked.at(-1)?.body) };
}

it.each([
  ['123', '123'],
  [123, '123'],
  ['8031152018338945839', '8031152018338945839'],
])('the message that a page replies to (%j) is an integer', async (replyOn, digits) => {
  const { api, sent } = client();
  await api.messages.sendPager({ from: { extensionNumber: '101' }, text: 'hi', replyOn });
  expect(sent()).toContain(`"replyOn":${digits}`);
});

it('a page that replies to nothing does not name a message', async () => {
  const { api, sent } = client();
  await api.messages.sendPager({ from: { extensionNumber: '101' }, text: 'hi' });
  expect(sent()).not.toContain('replyOn');
});

it.each([1_724_099_032_020, '1724099032020'])('the fax that is sent again (%j) is a string', async (id) => {
  const { api, sent } = client();
  await api.faxes.resend({ originalMessageId: id });
  expect(sent()).toBe('{"originalMessageId":"1724099032020"}');
});

it.each([
  [undefined, undefined],
  [{}, undefined],
  [{ eventFilters: ['/a'] }, '{"eventFilters":["/a"]}'],
])('spec:SUBSCRIPTION-3 an update of a subscription with %j sends %s', async (changes, expected) => {
  const { http, asked } = fakeService([{ status: 200, body: { id: 's' } }]);
  const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
  await api.subscriptions.update('s', changes);
  expect(asked.at(-1)?.body).toBe(expected);
});

it.each([
  [{}, ''],
  [{ name: null, contact: { firstName: 'Support' } }, ''],
  [{ name: 'Sales', contact: { firstName: 'Support' } }, 'Sales'],
])('an extension of the reply %j has the name "%s"', async (members, name) => {
  const { http } = fakeService([{ status: 200, body: { id: 7, ...members } }]);
  const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
  await expect(api.extensions.get(7)).resolves.toMatchObject({ id: 7, name });
});

it('an extension without type and status has the type and the status "Unknown"', async () => {
  const { api } = client();
  await expect(api.extensions.get(1)).resolves.toMatchObject({ type: 'Unknown', status: 'Unknown' });
});

it('a detail of the audit trail without a value has an empty value', async () => {
  const details = { parameters: [{ key: 'department' }, {}] };
  const { http } = fakeService([{ status: 200, body: { records: [{ id: '8', details }] } }]);
  const api = buildClient({ ...plainSettings, http, timing: fakeTiming() });
  const { value: first } = await api.auditTrail.search().next();
  expect(first).toMatchObject({
    details: {
      parameters: [
        { key: 'department', value: '' },
        { key: '', value: '' },
      ],
    },
  });
});
