import { expect, test } from 'vitest';
import { buildClient, dialects } from '../../src/client/index.ts';
import { fakeService, plainSettings } from '../support/fake-service.ts';

const extension = '/restapi/v1.0/account/~/extension/~';

test.each([
  ['spec', `${extension}/ringout/17`, '/restapi/v1.0/chat/webhooks/9'],
  ['current', `${extension}/ring-out/17`, '/team-messaging/v1/webhooks/9'],
] as const)('resources of dialect %s use its paths, and errors name them', async (name, ringOut, webhook) => {
  const { http, asked } = fakeService([
    { status: 404, body: { errorCode: 'CMN-102', message: 'not found' } },
  ]);
  const client = buildClient({ ...plainSettings, http, dialect: dialects[name] });
  await expect(client.ringOuts.get('17')).rejects.toMatchObject({
    request: { method: 'GET', path: ringOut },
  });
  await expect(client.chatWebhooks.delete('9')).rejects.toMatchObject({ request: { path: webhook } });
  expect(asked.map(({ url }) => url.pathname)).toEqual([ringOut, webhook]);
});

test.each([`${extension}/ringout/17`, `${extension}/ring-out/17`, '/restapi/v1.0/chat/webhooks'])(
  'the transport sends %s unchanged in both dialects',
  async (path) => {
    for (const dialect of Object.values(dialects)) {
      const { http, asked } = fakeService([{ status: 200, body: {} }]);
      await buildClient({ ...plainSettings, http, dialect }).transport.send({ method: 'GET', path });
      expect(asked.map(({ url }) => url.pathname)).toEqual([path]);
    }
  },
);
