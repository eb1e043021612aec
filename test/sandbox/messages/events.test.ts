import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { leaveVoicemail } from '../../../src/sandbox/messages/voicemail.ts';
import { openWorld } from '../open-world.ts';
import { rejection, userClient } from '../request.ts';
import { startWebhook } from '../webhook.ts';
import { conditionLimit } from '../../support/limits.ts';

const extension = '/restapi/v1.0/account/~/extension/~';
const mailbox = '/account/~/extension/~/message-store';
/** Options of a sandbox that waits for the replies of a busy machine to its webhooks. */
const longLimit = { listen: false, settings: { webhookTimeoutMilliseconds: conditionLimit } } as const;

async function watch(sandbox: Sandbox, who: string, address: string, filter: string) {
  return (await userClient(sandbox, who)).post('/subscription', {
    eventFilters: [extension + filter],
    deliveryMode: { transportType: 'WebHook', address },
  });
}
async function text(sandbox: Sandbox, from: string, to: string, words = 'hello') {
  const body = {
    from: { phoneNumber: `+165055501${Number(from) - 90}` },
    to: [{ phoneNumber: `+165055501${Number(to) - 90}` }],
    text: words,
  };
  return (await (await userClient(sandbox, from)).post('/account/~/extension/~/sms', body)).body;
}
type Notified = readonly { readonly event: string; readonly body: Readonly<Record<string, unknown>> }[];

describe('spec:EVENT-18 counts on the message-store filter', () => {
  test('spec:EVENT-18 several messages of one request are one event, with a count for each type', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox(longLimit);
    await text(sandbox, '102', '103', 'one');
    await text(sandbox, '102', '103', 'two');
    const owner = await userClient(sandbox, '102');
    const pages = { from: { extensionNumber: '102' }, to: [{ extensionNumber: '103' }], text: 'three' };
    await owner.post('/account/~/extension/~/company-pager', pages);
    await watch(sandbox, '102', webhook.address, '/message-store');
    await owner.delete(mailbox);
    await sandbox.settled();
    expect(webhook.notifications()).toMatchObject([
      {
        body: {
          extensionId: '171857102',
          changes: [
            { type: 'SMS', newCount: 0, updatedCount: 2 },
            { type: 'Pager', newCount: 0, updatedCount: 1 },
          ],
        },
      },
    ]);
  });

  test('spec:EVENT-18 every change of a message tells: read, deleted, purged by time, restored; removal does not', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox(longLimit);
    const { id } = await text(sandbox, '102', '103');
    await sandbox.clock.advance(60_000);
    await watch(sandbox, '102', webhook.address, '/message-store?type=SMS&direction=Outbound');
    const owner = await userClient(sandbox, '102');
    await owner.put(`${mailbox}/${id}`, { readStatus: 'Unread' });
    await owner.put(`${mailbox}/${id}`, { readStatus: 'Unread' });
    await owner.delete(`${mailbox}/${id}`);
    await owner.patch(`${mailbox}/${id}`, { availability: 'Alive' });
    await owner.delete(`${mailbox}/${id}?purge=true`);
    await sandbox.clock.advance(6 * 86_400_000);
    await sandbox.settled();
    expect(webhook.notifications()).toHaveLength(4);
    expect(sandbox.messages(171_857_102)).toEqual([]);
  });

  test('spec:EVENT-5, EVENT-18 filters by type and direction; a voicemail is called Voicemail', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox(longLimit);
    for (const filter of ['?type=Voicemail', '?type=VoiceMail', '?direction=Inbound']) {
      expect((await watch(sandbox, '103', webhook.address, `/message-store${filter}`)).status).toBe(200);
    }
    await text(sandbox, '102', '103');
    await text(sandbox, '103', '102');
    await sandbox.settled();
    expect(webhook.notifications()).toHaveLength(1);
    expect(rejection(await watch(sandbox, '103', webhook.address, '/message-store?type=Letter'))).toBe(
      '400 SUB-508',
    );
  });
});

describe('spec:EVENT-23 whole messages', () => {
  test('spec:EVENT-23 /message-store/instant?type=SMS gives the inbound text, ids as strings', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox(longLimit);
    await watch(sandbox, '103', webhook.address, '/message-store/instant?type=SMS');
    await text(sandbox, '103', '102', 'out');
    await text(sandbox, '102', '103', 'in');
    await sandbox.settled();
    const row = sandbox.messages(171_857_103).find(({ direction }) => direction === 'Inbound');
    expect(webhook.notifications()).toMatchObject([
      {
        event: `/restapi/v1.0/account/${sandbox.ready.accountId}/extension/171857103/message-store/instant?type=SMS`,
        body: {
          id: String(row?.id),
          conversationId: row?.conversationId,
          subject: 'in',
          direction: 'Inbound',
        },
      },
    ]);
  });

  test('spec:EVENT-23 /fax?direction=Inbound gives the whole fax', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox(longLimit);
    await watch(sandbox, '103', webhook.address, '/fax?direction=Inbound');
    const form = new FormData();
    form.append('to', '+16505550113');
    form.append('attachment', new Blob(['hello'], { type: 'text/plain' }), 'a.txt');
    const { token } = await userClient(sandbox, '102');
    const sent = await sandbox.fetch(
      new Request(`${sandbox.url}${extension}/fax`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: form,
      }),
    );
    expect(sent.status).toBe(200);
    await sandbox.clock.advance(3000);
    await sandbox.settled();
    expect(webhook.notifications()).toMatchObject([
      {
        body: {
          type: 'Fax',
          direction: 'Inbound',
          faxPageCount: 1,
          attachments: [{ type: 'RenderedDocument' }],
        },
      },
    ]);
  });

  test('spec:EVENT-23 /voicemail gives the whole voicemail, message-store counts it', () => {
    using it = openWorld();
    const { world } = it;
    world.inTransaction(() => {
      const id = 'subscription';
      const paths = ['/voicemail', '/message-store'];
      world.subscriptions.save(
        {
          id,
          clientId: 'sandbox-desk',
          extensionId: 171_857_102,
          eventFilters: paths,
          transportType: 'WebHook',
          address: 'http://127.0.0.1/',
          verificationToken: null,
          encryptionKey: null,
          subscriberKey: null,
          secretKey: null,
          createdAt: 0,
          expiresAt: Number.MAX_SAFE_INTEGER,
          lifetimeSeconds: 1,
          state: 'active',
          status: 'Active',
          failingSince: null,
          blacklistedAt: null,
          blacklistReason: null,
          disabledFilters: [],
        },
        new Map([
          ['/voicemail', 'voicemail:171857102'],
          ['/message-store', 'messages:171857102'],
        ]),
      );
      leaveVoicemail(world, it.extension('102'), { from: '+14155550100', durationSeconds: 2 });
    });
    const sent = world.deliveries.all().map(({ payload }) => JSON.parse(payload) as Notified[number]);
    expect(sent).toMatchObject([
      { event: '/message-store', body: { changes: [{ type: 'Voicemail', newCount: 1 }] } },
      { event: '/voicemail', body: { type: 'VoiceMail', attachments: [{ vmDuration: 2 }] } },
    ]);
    // Ids in the bodies of events are strings.
    expect(sent[1]).toMatchObject({
      body: { id: expect.any(String) as string, attachments: [{ id: expect.any(String) as string }] },
    });
  });

  test('filters with other values, or of others, are rejected', async () => {
    await using webhook = await startWebhook();
    await using sandbox = await startSandbox(longLimit);
    for (const filter of ['/message-store/instant?type=Fax', '/fax?direction=Up', '/voicemail?type=SMS']) {
      expect(rejection(await watch(sandbox, '102', webhook.address, filter))).toBe('400 SUB-508');
    }
    const foreign = await (
      await userClient(sandbox, '102')
    ).post('/subscription', {
      eventFilters: ['/restapi/v1.0/account/~/extension/171857103/voicemail'],
      deliveryMode: { transportType: 'WebHook', address: webhook.address },
    });
    expect(rejection(foreign)).toBe('403 SUB-405');
  });
});
