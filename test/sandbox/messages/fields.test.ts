import { describe, expect, test } from 'vitest';
import { CompleteMessage } from '../../../src/contract/message.ts';
import { leaveVoicemail } from '../../../src/sandbox/messages/voicemail.ts';
import { arriveFax } from '../../../src/sandbox/fax/rules.ts';
import { deliverPage } from '../../../src/sandbox/pager/rules.ts';
import { sendText } from '../../../src/sandbox/messages/progress.ts';
import { addMessage } from '../../../src/sandbox/messages/rules.ts';
import { parseJson } from '../../../src/platform/json.ts';
import { openWorld } from '../open-world.ts';

const mailbox = '/account/~/extension/~/message-store';

/** One message of each type in the mailbox of 102, as the list gives them. */
async function everyType(): Promise<Readonly<Record<string, Readonly<Record<string, unknown>>>>> {
  using it = openWorld({ messageProgression: 'immediate' });
  const { world, extension } = it;
  world.inTransaction(() => {
    const text = addMessage(world, {
      extensionId: 171_857_102,
      type: 'SMS',
      direction: 'Outbound',
      messageStatus: 'Queued',
      from: { phoneNumber: '+16505550112', name: 'Dana Okafor' },
      to: [{ phoneNumber: '+14155550100' }],
      subject: 'hello',
      conversationId: '8031152018338945839',
    });
    sendText(world, text);
    deliverPage(world, { sender: extension('102'), recipients: [extension('203')], text: 'page' });
    const document = { content: new TextEncoder().encode('x'), contentType: 'text/plain', fileName: 'x.txt' };
    arriveFax(world, extension('102'), { from: '+14155550100', document });
    leaveVoicemail(world, extension('102'), { from: '+14155550100', durationSeconds: 1 });
  });
  const { records } = parseJson(await (await it.get('102', mailbox)).text()) as {
    records: readonly Readonly<Record<string, unknown>>[];
  };
  return Object.fromEntries(records.map((record) => [String(record['type']), record]));
}

describe('the fields of a message', () => {
  test('spec:MESSAGE-1 to MESSAGE-14 those that every type has', async () => {
    const messages = await everyType();
    expect(Object.keys(messages).sort((a, b) => a.localeCompare(b))).toEqual([
      'Fax',
      'Pager',
      'SMS',
      'VoiceMail',
    ]);
    const timestamp = '2026-01-05T09:00:00.000Z';
    for (const message of Object.values(messages)) {
      expect(message).toMatchObject({
        uri: expect.stringMatching(new RegExp(`/message-store/${String(message['id'])}$`)) as string,
        id: expect.any(Number) as number,
        to: [expect.anything(), ...(message['to'] as unknown[]).slice(1)],
        from: expect.anything() as object,
        creationTime: timestamp,
        lastModifiedTime: timestamp,
        readStatus: message['direction'] === 'Inbound' ? 'Unread' : 'Read',
        priority: 'Normal',
        attachments: [
          { id: message['id'], uri: expect.any(String) as string, contentType: expect.any(String) as string },
        ],
        availability: 'Alive',
        messageStatus: { SMS: 'Delivered', Pager: 'Sent' }[String(message['type'])] ?? 'Received',
      });
    }
    expect([messages['SMS']?.['subject'], messages['Pager']?.['subject']]).toEqual(['hello', 'page']);
  });

  test('spec:MESSAGE-15 to MESSAGE-19, MESSAGE-21 those of one type', async () => {
    const { SMS, Pager, Fax, VoiceMail } = await everyType();
    expect(SMS).toMatchObject({
      conversationId: '8031152018338945839',
      smsDeliveryTime: '2026-01-05T09:00:00.000Z',
    });
    expect(Pager).toMatchObject({ conversationId: Pager?.['id'], pgToDepartment: true });
    expect(Fax).toMatchObject({ faxResolution: 'High', faxPageCount: 1 });
    expect(VoiceMail).toMatchObject({
      vmTranscriptionStatus: 'NotAvailable',
      attachments: [{ vmDuration: 1 }],
    });
    const prefixed = (message: object = {}) =>
      Object.keys(message).filter((name) => /^(sms|fax|vm|pg)[A-Z]/.test(name));
    expect(
      [SMS, Pager, Fax, VoiceMail].map((message) => prefixed(message).map((name) => name.slice(0, 2))),
    ).toEqual([['sm', 'sm'], ['pg'], ['fa', 'fa'], ['vm']]);
  });

  test('spec:MESSAGE-20 a party has a number, an extension number or a name', async () => {
    const { SMS, Pager } = await everyType();
    expect([SMS?.['from'], SMS?.['to']]).toEqual([
      { phoneNumber: '+16505550112', name: 'Dana Okafor' },
      [{ phoneNumber: '+14155550100' }],
    ]);
    expect(Pager?.['from']).toEqual({
      extensionNumber: '102',
      extensionId: '171857102',
      name: 'Dana Okafor',
    });
  });

  test('spec:MESSAGE-10, MESSAGE-22 the contract has the members that the sandbox does not send', async () => {
    const { SMS } = await everyType();
    const [attachment] = (SMS?.['attachments'] ?? []) as readonly object[];
    const message = {
      ...SMS,
      smsSendingAttemptsCount: 1,
      deliveryErrorCode: 'SMS-RC-413',
      segmentCount: 2,
      coverIndex: 1,
      coverPageText: 'Hello',
      vmTranscriptionStatus: 'Completed',
      attachments: [{ ...attachment, vmDuration: 1, fileName: 'a.png', size: 1, width: 640, height: 480 }],
    };
    expect(CompleteMessage.parse(message)).toEqual(message);
  });
});
