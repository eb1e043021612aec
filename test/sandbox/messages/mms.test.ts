import { describe, expect, test } from 'vitest';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { rejection, send, userClient } from '../request.ts';

const sms = '/account/~/extension/~/sms';
const mailbox = '/account/~/extension/~/message-store';
const boundary = 'mms';
const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255, 13, 10);
const text = {
  from: { phoneNumber: '+16505550112' },
  to: [{ phoneNumber: '+16505550113' }],
  text: 'Look at this',
};

type Part = readonly [headers: string, content: string | Uint8Array];
const json = (value: unknown): Part => ['Content-Type: application/json', JSON.stringify(value)];
const file = (content: Uint8Array = picture, name = 'cat.png'): Part => [
  `Content-Disposition: attachment; filename="${name}"\r\nContent-Type: image/png`,
  content,
];
const field = (name: string, value: string): Part => [
  `Content-Disposition: form-data; name="${name}"`,
  value,
];
const encoded = ([headers, content]: Part, encoding: string): Part => [
  `${headers}\r\nContent-Transfer-Encoding: ${encoding}`,
  Buffer.from(content).toString('base64'),
];
const fields = [
  field('from', '+16505550112'),
  field('to', '+16505550113'),
  field('text', 'Look at this'),
] as const;

async function post(sandbox: Sandbox, parts: readonly Part[], { path = sms, type = 'mixed' } = {}) {
  const { token } = await userClient(sandbox, '102');
  const pieces = parts.flatMap(([headers, content]) => [
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return send(sandbox, 'POST', path, {
    token,
    headers: { 'content-type': `multipart/${type}; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  });
}

describe('spec:SMS-9 a text with files', () => {
  test.each([
    ['multipart/mixed with a JSON part', [json(text), file()], {}],
    ['the other address', [json(text), file()], { path: sms.replace('/sms', '/mms') }],
    [
      'form fields',
      [
        ...fields,
        [
          'Content-Disposition: form-data; name="attachment"; filename="cat.png"\r\nContent-Type: image/png',
          picture,
        ],
      ],
      { type: 'form-data' },
    ],
    [
      'form fields with JSON',
      [
        field('from', '{"phoneNumber":"+16505550112"}'),
        field('to', '[{"phoneNumber":"+16505550113"}]'),
        field('text', 'Look at this'),
        file(),
      ],
      { type: 'form-data' },
    ],
    ['a form field for the country', [...fields, field('country', '{"isoCode":"US"}'), file()], {}],
    ['parts with a transfer encoding', [encoded(json(text), 'base64'), encoded(file(), 'BASE64')], {}],
    [
      'fields with a transfer encoding',
      [
        encoded(field('from', '+16505550112'), 'base64'),
        field('to', '+16505550113'),
        [`${field('text', '')[0]}\r\nContent-Transfer-Encoding: quoted-printable`, 'Look=20at=\r\n this'],
        file(),
      ],
      { type: 'form-data' },
    ],
    [
      'fields with a JSON part',
      [json(text), field('text', 'Other'), field('to', '+14155550100'), file()],
      {},
    ],
  ] as const)('%s', async (_name, parts, how) => {
    await using sandbox = await startSandbox({ listen: false });
    const { status, body } = await post(sandbox, parts, how);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 'SMS',
      subject: 'Look at this',
      messageStatus: 'Queued',
      attachments: [
        { id: body.id, type: 'Text', contentType: 'text/plain' },
        { type: 'MmsAttachment', contentType: 'image/png', fileName: 'cat.png', size: picture.length },
      ],
    });
    // The recipient has the same bytes.
    const recipient = await userClient(sandbox, '103');
    const [copy] = (await recipient.get(mailbox)).body.records as unknown as readonly {
      readonly attachments: readonly { readonly uri: string }[];
    }[];
    const attachment = copy?.attachments[1];
    const request = new Request(attachment?.uri ?? '', {
      headers: { authorization: `Bearer ${recipient.token}` },
    });
    const content = await (await sandbox.fetch(request)).arrayBuffer();
    expect(new Uint8Array(content)).toEqual(picture);
  });

  test('a picture alone needs no words; without files it is a plain text', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { text: _words, ...silent } = text;
    const alone = await post(sandbox, [json(silent), file()]);
    expect(alone.body['attachments']).toMatchObject([{ id: alone.body.id, type: 'MmsAttachment' }]);
    expect((await post(sandbox, [json(text)])).body['attachments']).toMatchObject([{ type: 'Text' }]);
    expect(rejection(await post(sandbox, [json(silent)]))).toBe('400 CMN-101');
  });

  test('spec:OPERATION-36 the path /mms accepts only multipart bodies with a file', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const path = sms.replace('/sms', '/mms');
    expect(rejection(await post(sandbox, [json(text)], { path }))).toBe('400 MSG-352');
    expect(rejection(await post(sandbox, fields, { path, type: 'form-data' }))).toBe('400 MSG-352');
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.post(path, text))).toBe('415 MSG-348');
    expect(sandbox.messages()).toEqual([]);
  });

  test('spec:FAX-6 a part with a file name is a file, whatever its name', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const named: Part = [
      'Content-Disposition: form-data; name="text"; filename="cat.png"\r\nContent-Type: image/png',
      picture,
    ];
    const { body } = await post(sandbox, [...fields, named], { type: 'form-data' });
    expect(body).toMatchObject({ subject: 'Look at this', attachments: [{}, { fileName: 'cat.png' }] });
    const [from, to] = fields;
    const alone = await post(sandbox, [from, to, named], { type: 'form-data' });
    expect(alone.body).toMatchObject({ subject: '', attachments: [{ fileName: 'cat.png' }] });
  });

  test.each([
    ['ten files at the most', [json(text), ...Array.from({ length: 11 }, () => file())], '400 MSG-337'],
    ['1,500,000 bytes at the most', [json(text), file(new Uint8Array(1_500_000)), file()], '400 MSG-337'],
    ['an empty file', [json(text), file(new Uint8Array())], '400 MSG-352'],
    ['an envelope that is not JSON', [['Content-Type: application/json', '{'], file()], '400 MSG-349'],
    ['an envelope that is not an object', [json([1]), file()], '400 CMN-101'],
    ['no recipient', [json({ ...text, to: [] }), file()], '400 MSG-219'],
    ['wrong types', [json({ ...text, to: '+16505550113' }), file()], '400 CMN-101'],
    ['a country of three letters', [...fields, field('country', '{"isoCode":"USA"}'), file()], '400 CMN-101'],
    ['nothing in it', [], '400 CMN-101'],
  ] as const)('%s', async (_name, parts, expected) => {
    await using sandbox = await startSandbox({ listen: false });
    expect(rejection(await post(sandbox, parts))).toBe(expected);
    expect(sandbox.messages()).toEqual([]);
  });

  test('a larger body is not read to its end', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const large = await post(sandbox, [json(text), file(new Uint8Array(2_500_000))]);
    expect(rejection(large)).toBe('413 CMN-104');
  });
});

describe('spec:SMS-9, ERROR-35 MSG-381 more than one recipient', () => {
  const many = (count: number) => ({
    ...text,
    to: Array.from({ length: count }, (_, index) => ({ phoneNumber: `+1650555012${index}`.slice(0, 12) })),
  });

  test('one number unless the setting allows more; then a group with one conversation in each mailbox', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const user = await userClient(sandbox, '102');
    const two = { ...text, to: [{ phoneNumber: '+16505550113' }, { phoneNumber: '+14155550100' }] };
    expect(rejection(await user.post(sms, two))).toBe('400 CMN-101');
    const eleven = { ...text, to: Array.from({ length: 11 }, () => ({ phoneNumber: '+14155550100' })) };
    expect(rejection(await user.post(sms, eleven))).toBe('400 MSG-381');
    await sandbox.control('PATCH', '/settings', { smsRecipients: 10 });
    const sent = (await user.post(sms, two)).body;
    expect(sent['to']).toMatchObject(two.to);
    const recipient = await userClient(sandbox, '103');
    const [copy] = (await recipient.get(mailbox)).body.records;
    expect(copy?.['to']).toMatchObject(two.to);
    const again = (await user.post(sms, { ...two, to: two.to.toReversed() })).body;
    expect(String(again['conversationId'])).toBe(String(sent['conversationId']));
    const beyond = await user.post(sms, { ...many(9), to: [...many(9).to, ...two.to] });
    expect(rejection(beyond)).toBe('400 MSG-381');
  });
});
