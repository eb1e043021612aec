import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faxErrorCodes } from '../../../src/contract/enums.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { arriveFax } from '../../../src/sandbox/fax/rules.ts';
import { countPdfPages, countTiffPages } from '../../../src/sandbox/fax/page-count.ts';
import { paginate, writePdf } from '../../../src/sandbox/fax/pdf.ts';
import { openWorld } from '../open-world.ts';
import { rejection, send, userClient, type Answer } from '../request.ts';

const mailbox = '/account/~/extension/~/message-store';
const faxes = '/account/~/extension/~/fax';
const outside = '+14155550100';
const boundary = 'fax-boundary';

interface TestPart {
  readonly headers: readonly string[];
  readonly content: string | Uint8Array;
}
const field = (name: string, content: string): TestPart => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  content,
});
const document = (content: string | Uint8Array, type = 'text/plain', fileName = 'page.txt'): TestPart => ({
  headers: [
    `Content-Disposition: form-data; name="attachment"; filename="${fileName}"`,
    `Content-Type: ${type}`,
  ],
  content,
});
const envelope = (json: unknown, headers: readonly string[]): TestPart => ({
  headers: [...headers, 'Content-Type: application/json'],
  content: JSON.stringify(json),
});
const asJson = 'Content-Disposition: form-data; name="json"; filename="request.json"';

async function fax(
  sandbox: Sandbox,
  parts: readonly TestPart[],
  { who = '102', type = 'form-data' }: { who?: string; type?: string } = {},
): Promise<Answer> {
  const { token } = await userClient(sandbox, who);
  const chunks = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return send(sandbox, 'POST', faxes, {
    token,
    headers: { 'content-type': `multipart/${type}; boundary=${boundary}` },
    body: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
  });
}
const simple = (to = outside) => [field('to', to), document('hello fax')];

async function bytesOf(sandbox: Sandbox, token: string, attachment: unknown): Promise<Buffer> {
  const { uri } = attachment as { uri: string };
  const response = await sandbox.fetch(new Request(uri, { headers: { authorization: `Bearer ${token}` } }));
  return Buffer.from(await response.arrayBuffer());
}

describe('spec:FAX-3 to FAX-6 every layout of a fax', () => {
  const wanted = {
    type: 'Fax',
    direction: 'Outbound',
    messageStatus: 'Queued',
    faxResolution: 'Low',
    faxPageCount: 1,
    coverIndex: 0,
    to: [{ phoneNumber: outside, messageStatus: 'Queued' }],
    attachments: [
      { type: 'RenderedDocument', contentType: 'application/pdf' },
      { type: 'SourceDocument', contentType: 'text/plain', filename: 'page.txt', size: 9 },
    ],
  };
  const json = { to: [{ phoneNumber: outside }], faxResolution: 'Low' };
  const layouts: readonly (readonly [string, readonly TestPart[], string])[] = [
    [
      'row 1 flat fields',
      [field('to', outside), field('faxResolution', 'Low'), document('hello fax')],
      'form-data',
    ],
    ['row 2 a part named json', [envelope(json, [asJson]), document('hello fax')], 'form-data'],
    [
      'row 3 other names, Content-Type first',
      [
        {
          headers: [
            'Content-Type: application/json',
            'Content-Disposition: form-data; name="request.json"; filename="request.json"',
          ],
          content: JSON.stringify(json),
        },
        {
          headers: [
            'Content-Type: text/plain',
            'Content-Disposition: form-data; name="attachments"; filename="page.txt"',
          ],
          content: 'hello fax',
        },
      ],
      'form-data',
    ],
    [
      'row 4 multipart/mixed',
      [
        envelope(json, []),
        {
          headers: ['Content-Type: text/plain', 'Content-Disposition: attachment; filename=page.txt'],
          content: 'hello fax',
        },
      ],
      'mixed',
    ],
  ];
  test.each(layouts)('spec:FAX-3 to FAX-6 %s', async (_name, parts, type) => {
    await using sandbox = await startSandbox({ listen: false });
    const { status, body } = await fax(sandbox, parts, { type });
    expect(status).toBe(200);
    expect(body).toMatchObject(wanted);
  });

  test('spec:FAX-6 a field with an envelope is not a document', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, [
      envelope(json, [asJson]),
      field('faxResolution', 'High'),
      field('to', '+14155550101'),
      document('hello fax'),
    ]);
    expect(body).toMatchObject(wanted);
  });

  test('every part may have a transfer encoding', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const encoded = ({ headers, content }: TestPart): TestPart => ({
      headers: [...headers, 'Content-Transfer-Encoding: base64'],
      content: Buffer.from(content).toString('base64'),
    });
    const page = document('hello=20f=\r\nax');
    const printable = { ...page, headers: [...page.headers, 'Content-Transfer-Encoding: Quoted-Printable'] };
    const flat = [field('to', outside), field('faxResolution', 'Low')].map(encoded);
    for (const parts of [
      [encoded(envelope(json, [asJson])), encoded(document('hello fax'))],
      [...flat, printable],
    ])
      expect(await fax(sandbox, parts)).toMatchObject({ status: 200, body: wanted });
  });

  test('several recipients, as fields and as JSON; a JSON document among flat fields stays a document', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, [
      field('to', outside),
      field('to', '{"phoneNumber":"+14155550101","name":"Ann"}'),
      document('{"a":1}', 'application/json', 'data.json'),
    ]);
    expect(body['to']).toMatchObject([
      { phoneNumber: outside },
      { phoneNumber: '+14155550101', name: 'Ann' },
    ]);
    expect(body['attachments']).toMatchObject([{}, { filename: 'data.json' }]);
  });
});

describe('documents', () => {
  test('spec:FAX-13 the reply has filename, and the message store has fileName', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, simple());
    const { token } = await userClient(sandbox, '102');
    const stored = await send(sandbox, 'GET', `${mailbox}/${String(body['id'])}`, { token });
    const names = (attachments: unknown): unknown =>
      (attachments as readonly Record<string, unknown>[]).map(({ filename, fileName }) => [
        filename,
        fileName,
      ]);
    expect(names(body['attachments'])).toEqual([
      ['fax.pdf', undefined],
      ['page.txt', undefined],
    ]);
    expect(names(stored.body['attachments'])).toEqual([
      [undefined, 'fax.pdf'],
      [undefined, 'page.txt'],
    ]);
  });

  test('spec:SANDBOX-3 the sources are stored byte by byte, and the rendered document is a PDF', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const noise = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const { body } = await fax(sandbox, [
      field('to', outside),
      document(noise, 'application/octet-stream', 'x.bin'),
    ]);
    const { token } = await userClient(sandbox, '102');
    const [rendered, source] = body['attachments'] as unknown[];
    expect((await bytesOf(sandbox, token, rendered)).subarray(0, 5).toString()).toBe('%PDF-');
    expect(await bytesOf(sandbox, token, source)).toEqual(noise);
    expect(rendered).toMatchObject({ id: body.id });
  });

  test.each([
    ['an emoji', 'image/\u{1F600}'],
    ['a control character', 'text/plain\u0001'],
    ['no characters', ''],
  ])('a document whose type contains %s can be downloaded', async (_name, type) => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, [field('to', outside), document('hello', type)]);
    const { token } = await userClient(sandbox, '102');
    const [, source] = body['attachments'] as unknown[];
    expect(source).toMatchObject({ contentType: 'application/octet-stream' });
    expect((await bytesOf(sandbox, token, source)).toString()).toBe('hello');
  });

  test('a PDF alone passes as it is, and its pages are counted', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const pdf = writePdf([['one'], ['two'], ['three']]);
    const { body } = await fax(sandbox, [field('to', outside), document(pdf, 'application/pdf', 'x.pdf')]);
    expect(body['faxPageCount']).toBe(3);
    const { token } = await userClient(sandbox, '102');
    expect(await bytesOf(sandbox, token, (body['attachments'] as unknown[])[0])).toEqual(Buffer.from(pdf));
  });

  test('a cover page counts; text breaks into pages by length and by form feed', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, [
      envelope({ to: [{ phoneNumber: outside }], coverIndex: 7, coverPageText: 'Hello (there)' }, [asJson]),
      document(`${'line\n'.repeat(60)}\fnext`),
    ]);
    expect(body).toMatchObject({ faxPageCount: 4, coverIndex: 7, coverPageText: 'Hello (there)' });
  });

  test('pages of PDF in compressed streams, of TIFF by directories, never none', () => {
    const packed = deflateSync('<< /Type /Page >> << /Type/Page >> << /Type /Pages >>').toString('latin1');
    const pdf = `%PDF-1.5\n1 0 obj << /Type /ObjStm /Length ${packed.length} >>\nstream\n${packed}\nendstream`;
    expect(countPdfPages(Buffer.from(pdf, 'latin1'))).toBe(2);
    expect(countPdfPages(Buffer.from('%PDF-1.4'))).toBe(1);
    const tiff = Buffer.alloc(20);
    tiff.write('II*\0', 'latin1');
    tiff.writeUInt32LE(8, 4);
    tiff.writeUInt32LE(14, 10);
    expect(countTiffPages(tiff)).toBe(2);
    tiff.writeUInt32LE(8, 16);
    expect(countTiffPages(tiff)).toBe(2);
    expect(countTiffPages(Buffer.from('II'))).toBe(1);
  });

  test('spec:SANDBOX-4 a small PDF cannot make the sandbox inflate for seconds', () => {
    const stream = (content: Uint8Array | string) =>
      `<< /Type /ObjStm >>\nstream\n${deflateSync(content).toString('latin1')}\nendstream\n`;
    const blank = stream(Buffer.alloc(8 * 1024 * 1024 - 1, ' '));
    const page = stream('<< /Type /Page >>');
    expect(countPdfPages(Buffer.from(`%PDF-1.5\n${blank}${page}${page}`, 'latin1'))).toBe(2);
    // What comes after the limit of a whole document is not looked at.
    expect(countPdfPages(Buffer.from(`%PDF-1.5\n${blank.repeat(400)}${page}${page}`, 'latin1'))).toBe(1);
    expect(countPdfPages(Buffer.from(`%PDF-1.5\n${'/Type /Page '.repeat(300)}`), 201)).toBe(201);
  });

  test('spec:SANDBOX-4 a text is set up to the page that is too many', () => {
    expect(paginate('\f'.repeat(2_000_000), 201)).toHaveLength(201);
    expect(paginate('\n'.repeat(2_000_000), 201)).toHaveLength(201);
    expect(paginate('x'.repeat(2_000_000), 201)).toHaveLength(201);
    expect(paginate('a\r\nb\rc\n\fd\f')).toEqual([['a', 'b', 'c', ''], ['d'], ['']]);
  });

  test('a written PDF says where its objects are', () => {
    const text = Buffer.from(writePdf(paginate('a (b) \\ ü €\n'.repeat(70)))).toString('latin1');
    const xref = Number(/startxref\n(\d+)/.exec(text)?.[1]);
    expect(text.slice(xref, xref + 4)).toBe('xref');
    const offsets = [...text.matchAll(/^(\d{10}) 00000 n /gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset, index) => text.startsWith(`${index + 1} 0 obj`, offset))).not.toContain(
      false,
    );
    expect(text).toContain(String.raw`(a \(b\) \\ ü ?) '`);
    expect(countPdfPages(Buffer.from(text, 'latin1'))).toBe(2);
  });
});

describe('life of a fax', () => {
  test('spec:MESSAGE-33, MESSAGE-34, FAX-1 Queued, then Sent; a fax-capable extension of the account gets a copy', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, simple('+16505550113'));
    await sandbox.clock.advance(3000);
    const sent = (await (await userClient(sandbox, '102')).get(`${mailbox}/${body.id}`)).body;
    expect(sent).toMatchObject({ messageStatus: 'Sent', to: [{ messageStatus: 'Sent' }] });
    const inbox = (await (await userClient(sandbox, '103')).get(`${mailbox}?messageType=Fax`)).body.records;
    expect(inbox).toMatchObject([
      {
        direction: 'Inbound',
        messageStatus: 'Received',
        readStatus: 'Unread',
        faxPageCount: 1,
        from: { phoneNumber: '+16505550112' },
        attachments: [{ type: 'RenderedDocument' }],
      },
    ]);
  });

  test('spec:FAX-11 every faxErrorCode has a magic number; SendingFailed when nobody was reached', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const numbers = faxErrorCodes.map((_, index) => `+165055503${String(index).padStart(2, '0')}`);
    const { body } = await fax(sandbox, [...numbers.map((number) => field('to', number)), document('x')]);
    await sandbox.clock.advance(3000);
    const failed = sandbox.messages().find(({ id }) => id === body.id);
    expect(failed?.messageStatus).toBe('SendingFailed');
    expect(failed?.to.map(({ faxErrorCode }) => faxErrorCode)).toEqual(faxErrorCodes);
  });

  test('spec:FAX-10 a status for each recipient; Sent if one was reached', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await fax(sandbox, [
      field('to', outside),
      field('to', '+16505550118'),
      field('to', '+16505550306'),
      document('x'),
    ]);
    await sandbox.clock.advance(3000);
    expect(sandbox.messages()).toMatchObject([
      {
        messageStatus: 'Sent',
        to: [
          { messageStatus: 'Sent' },
          { messageStatus: 'SendingFailed', faxErrorCode: 'NotAccepted' },
          { messageStatus: 'SendingFailed', faxErrorCode: 'LineBusy' },
        ],
      },
    ]);
  });

  test('spec:FAX-7 sendTime schedules, deleting cancels, restoring schedules again', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const later = [field('sendTime', '2026-01-05T10:00:00Z'), ...simple()];
    const { body } = await fax(sandbox, later);
    const user = await userClient(sandbox, '102');
    const status = () => sandbox.messages()[0]?.messageStatus;
    await sandbox.clock.advance(60_000);
    expect(status()).toBe('Queued');
    await user.delete(`${mailbox}/${body.id}`);
    await sandbox.clock.advance(3_600_000);
    expect(status()).toBe('Queued');
    const again = await userClient(sandbox, '102');
    expect((await again.patch(`${mailbox}/${body.id}`, { availability: 'Alive' })).status).toBe(200);
    await sandbox.clock.advance(3000);
    expect(status()).toBe('Sent');
  });

  test('spec:MESSAGE-31 a sent fax is deleted after 30 days, one that failed is not', async () => {
    await using sandbox = await startSandbox({ listen: false });
    await fax(sandbox, simple());
    await fax(sandbox, simple('+16505550306'));
    const states = () => sandbox.messages().map((row) => `${row.messageStatus} ${row.availability}`);
    await sandbox.clock.advance(29 * 86_400_000);
    expect(states()).toEqual(['Sent Alive', 'SendingFailed Alive']);
    await sandbox.clock.advance(86_400_000 + 3000);
    expect(states()).toEqual(['Sent Deleted', 'SendingFailed Alive']);
  });

  test('spec:FAX-8 JSON sends an earlier fax again, to others if asked', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { id } = (await fax(sandbox, simple('+16505550306'))).body;
    const user = await userClient(sandbox, '102');
    expect(rejection(await user.post(faxes, { originalMessageId: id }))).toBe('400 MSG-341');
    await sandbox.clock.advance(3000);
    const again = (await user.post(faxes, { originalMessageId: id, to: [{ phoneNumber: outside }] })).body;
    expect(again).toMatchObject({
      messageStatus: 'Queued',
      to: [{ phoneNumber: outside }],
      faxPageCount: 1,
      attachments: [{ type: 'RenderedDocument' }, { type: 'SourceDocument' }],
    });
    expect((await user.post(faxes, { originalMessageId: id })).body['to']).toMatchObject([
      { phoneNumber: '+16505550306', messageStatus: 'Queued' },
    ]);
    expect(rejection(await user.post(faxes, { originalMessageId: 1 }))).toBe('400 CMN-102');
  });
});

test('a fax that arrives from outside is Inbound, Received, with its pages', () => {
  using it = openWorld();
  const page = {
    content: new TextEncoder().encode('one\ftwo'),
    contentType: 'text/plain',
    fileName: 'a.txt',
  };
  const row = it.world.inTransaction(() =>
    arriveFax(it.world, it.extension('102'), { from: outside, document: page }),
  );
  expect(row).toMatchObject({
    direction: 'Inbound',
    messageStatus: 'Received',
    readStatus: 'Unread',
    from: { phoneNumber: outside },
    to: [{ phoneNumber: '+16505550112' }],
    details: { faxPageCount: 2 },
  });
});

describe('rejections', () => {
  const cases: readonly (readonly [string, readonly TestPart[], string])[] = [
    ['no recipient', [document('x')], '400 MSG-219'],
    ['no document', [field('to', outside)], '400 MSG-352'],
    [
      'a cover page without a document',
      [field('to', outside), field('coverIndex', '1'), field('coverPageText', 'Hello')],
      '400 MSG-352',
    ],
    ['an empty document', [field('to', outside), document('')], '400 MSG-352'],
    ['a number that is not valid', [field('to', 'Ann'), document('x')], '400 CMN-101'],
    ['coverIndex beyond 13', [field('coverIndex', '14'), ...simple()], '400 CMN-101'],
    ['coverIndex that is not a number', [field('coverIndex', 'x'), ...simple()], '400 CMN-101'],
    ['coverPageText beyond 1024', [field('coverPageText', 'x'.repeat(1025)), ...simple()], '400 CMN-101'],
    ['faxResolution', [field('faxResolution', 'Medium'), ...simple()], '400 CMN-101'],
    ['isoCode with a digit', [field('isoCode', 'U1'), ...simple()], '400 CMN-101'],
    ['sendTime', [field('sendTime', 'tomorrow'), ...simple()], '400 CMN-101'],
    [
      'an envelope that is not JSON',
      [{ headers: [asJson, 'Content-Type: application/json'], content: '{' }],
      '400 MSG-349',
    ],
    ['more than 200 pages', [field('to', outside), document('\f'.repeat(200))], '400 MSG-338'],
    ['millions of pages', [field('to', outside), document('\f'.repeat(2_000_000))], '400 MSG-338'],
    [
      'more than 200 documents',
      [field('to', outside), ...Array.from({ length: 201 }, () => document('x'))],
      '400 MSG-338',
    ],
    [
      'more than 1,000 parts',
      [field('to', outside), ...Array.from({ length: 1001 }, () => document('x'))],
      '400 MSG-350',
    ],
  ];
  test.each(cases)('spec:FAX-2, FAX-9 %s', async (_name, parts, code) => {
    await using sandbox = await startSandbox({ listen: false });
    expect(rejection(await fax(sandbox, parts))).toBe(code);
    expect(sandbox.messages()).toEqual([]);
  });

  test('spec:FAX-12, ERROR-34 other media types, no body, a body that is not multipart, too many bytes', async () => {
    await using sandbox = await startSandbox({ listen: false, settings: { faxBodyBytes: 100 } });
    const { token } = await userClient(sandbox, '102');
    const post = async (type: string, body: string) =>
      rejection(await send(sandbox, 'POST', faxes, { token, headers: { 'content-type': type }, body }));
    expect(await post('text/plain', 'x')).toBe('415 MSG-348');
    const types = ['multipart/mixed; boundary=x', 'application/json', 'text/plain'];
    for (const type of types) expect(await post(type, '')).toBe('400 MSG-343');
    expect(rejection(await send(sandbox, 'POST', faxes, { token }))).toBe('400 MSG-343');
    expect(await post('multipart/mixed; boundary=x', 'hello')).toBe('400 MSG-350');
    expect(await post('application/json', '{')).toBe('400 CMN-103');
    expect(await post('multipart/mixed; boundary=x', 'x'.repeat(101))).toBe('413 CMN-104');
  });

  test('national numbers with isoCode', async () => {
    await using sandbox = await startSandbox({ listen: false });
    const { body } = await fax(sandbox, [field('isoCode', 'US'), ...simple('(415) 555-0100')]);
    expect(body['to']).toMatchObject([{ phoneNumber: outside }]);
    expect(rejection(await fax(sandbox, [field('isoCode', 'DE'), ...simple('0301234567')]))).toBe(
      '400 CMN-101',
    );
  });
});

test('spec:SANDBOX-4 no multipart body makes the sandbox fail', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const { token } = await userClient(sandbox, '102');
  const name = fc.constantFrom('to', 'json', 'attachment', 'sendTime', 'coverIndex', 'isoCode', 'x');
  const type = fc.constantFrom('application/json', 'text/plain', 'application/pdf', 'image/tiff', '');
  const content = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom(
      '+14155550100',
      '{"to":[{"phoneNumber":"+14155550100"}]}',
      '%PDF-/Type /Page',
      'II*\0\u00ff',
      '2026-01-05T10:00:00Z',
    ),
  );
  const part = fc.tuple(name, type, fc.boolean(), content);
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 4 }), fc.boolean(), async (parts, cut) => {
      const text = parts.map(([field, contentType, isFile, value]) => {
        const file = isFile ? '; filename="f"' : '';
        const kind = contentType === '' ? '' : `Content-Type: ${contentType}\r\n`;
        return `--${boundary}\r\n${kind}Content-Disposition: form-data; name="${field}"${file}\r\n\r\n${value}\r\n`;
      });
      const { status } = await send(sandbox, 'POST', faxes, {
        token,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: text.join('') + (cut ? '' : `--${boundary}--`),
      });
      expect(status).toBeLessThan(500);
    }),
    { seed: 20_260_105, numRuns: 200 },
  );
});
