import { expect, it } from 'vitest';
import type { Message } from '../../../src/contract/message.ts';
import { conversationView } from '../../../src/features/mailbox/index.ts';
import { drawProse } from '../../../src/output/prose.ts';
import type { Paint } from '../../../src/output/paint.ts';

const customer = { phoneNumber: '+16505550199' };
const own = { phoneNumber: '+16505550110', name: 'Avery Quinn' };

function message(parts: Partial<Message>): Message {
  return {
    uri: 'http://localhost/1',
    id: 1,
    type: 'SMS',
    from: customer,
    to: [own],
    direction: 'Inbound',
    creationTime: '2026-11-21T22:58:00.000Z',
    lastModifiedTime: '2026-11-21T22:58:00.000Z',
    readStatus: 'Read',
    priority: 'Normal',
    attachments: [],
    availability: 'Alive',
    messageStatus: 'Received',
    ...parts,
  };
}

const answer = message({ from: own, to: [customer], direction: 'Outbound', messageStatus: 'Delivered' });

/** The conversation on a terminal of this width; styled pieces are marked by `paint`. */
function shown(messages: readonly Message[], columns = 40, zone?: string, paint: Paint = (_, text) => text) {
  return drawProse(conversationView.prose?.(messages, zone) ?? [], { columns, paint });
}

it('shows days, senders, times and wrapped texts; own texts are indented and begin with Sent by', () => {
  const texts = [
    message({ subject: 'My order has not come, and nobody answers the phone.' }),
    { ...answer, subject: 'Sorry!\nIt comes today.', creationTime: '2026-11-21T23:02:00.000Z' },
    message({ subject: 'Thank you', creationTime: '2026-11-23T08:00:00.000Z' }),
  ];
  expect(shown(texts, 40, 'Europe/Paris').split('\n')).toEqual([
    'Saturday, 21 November 2026',
    '(Europe/Paris)',
    '',
    '+1 650 555 0199  23:58',
    'My order has not come, and nobody',
    'answers the phone.',
    '',
    'Sunday, 22 November 2026',
    '',
    '    Sent by Avery Quinn',
    '    (+1 650 555 0110)  00:02',
    '    Sorry!',
    '    It comes today.',
    '',
    'Monday, 23 November 2026',
    '',
    '+1 650 555 0199  09:00',
    'Thank you',
    '',
  ]);
});

it.each([
  ['Queued', 'Status: queued for sending'],
  ['Sent', 'Status: sent'],
  ['DeliveryFailed', 'Status: sent, but not delivered to the phone; delivery error 30003'],
] as const)('shows that a text is %s', (messageStatus, status) => {
  const more = messageStatus === 'DeliveryFailed' ? { deliveryErrorCode: '30003' } : {};
  expect(shown([{ ...answer, subject: 'hello', messageStatus, ...more }], 80)).toContain(`\n    ${status}\n`);
});

it('shows no status of received and delivered texts', () => {
  expect(shown([message({ subject: 'hello' }), answer], 80)).not.toContain('Status');
});

it('shows files, several recipients, and a message without text', () => {
  const picture = {
    id: 2,
    uri: 'http://localhost/2',
    type: 'MmsAttachment',
    contentType: 'image/png',
  } as const;
  const group = [customer, { extensionNumber: '102', name: 'Dana Okafor' }];
  expect(shown([{ ...answer, to: group, attachments: [picture] }], 100)).toContain(
    [
      '    Sent by Avery Quinn (+1 650 555 0110) to +1 650 555 0199, Dana Okafor (102)  22:58',
      '    (no text)',
      '    Files: image/png',
      '',
    ].join('\n'),
  );
});

it('does not let a text control the terminal', () => {
  const text = shown([message({ subject: 'red \u001B[31m and \u202E hidden' })], 80);
  for (const character of ['\u001B', '\u202E']) expect(text).not.toContain(character);
});

it('styles days and failures, and says everything without colour', () => {
  const marked = shown(
    [{ ...answer, messageStatus: 'SendingFailed' }],
    80,
    'UTC',
    (kind, text) => `<${kind} ${text}>`,
  );
  expect(marked).toContain('<strong Saturday, 21 November 2026 (UTC)>');
  expect(marked).toContain('<bad Status: could not be sent>');
});

it('shows the status of a delivered text that a recipient did not receive', () => {
  const failed = { ...customer, messageStatus: 'DeliveryFailed' };
  const group = { ...answer, subject: 'Lunch?', to: [{ phoneNumber: '+16505550198' }, failed] };
  expect(shown([group], 120)).toContain(
    'Status: delivered to the phone; +16505550199: sent, but not delivered to the phone',
  );
});
