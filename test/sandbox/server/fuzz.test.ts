import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations, type Operation } from '../../../src/contract/operations.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { signInAs } from '../../support/sandbox.ts';

const segment = fc.oneof(
  fc.constantFrom(
    '~',
    '1',
    '171857102',
    '171857201',
    '99999999999999999999',
    '-1',
    '0',
    '..',
    '%2e%2e',
    '%',
    '%00',
    "'--",
  ),
  fc.string({ minLength: 1, maxLength: 12 }).map(encodeURIComponent),
);
const names = [
  'page',
  'perPage',
  'type',
  'dateFrom',
  'dateTo',
  'conversationId',
  'phoneNumber',
  'availability',
  'client_id',
];
const query = fc.array(fc.tuple(fc.constantFrom(...names), fc.string({ maxLength: 12 })), { maxLength: 3 });
const members = [
  'from',
  'to',
  'text',
  'items',
  'dndStatus',
  'message',
  'eventFilters',
  'deliveryMode',
  'expiresIn',
];
const body = fc.oneof(
  fc
    .dictionary(fc.constantFrom(...members), fc.jsonValue(), { maxKeys: 4 })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string(),
);

const partHeaders = fc.array(
  fc.oneof(
    fc.constantFrom(
      'Content-Disposition: form-data; name="to"',
      'Content-Disposition: form-data; name="coverIndex"',
      'Content-Disposition: form-data; name="json"; filename="request.json"',
      'Content-Disposition: form-data; name="attachment"; filename="page"',
      "Content-Disposition: attachment; filename*=UTF-8''%e4%zz",
      'Content-Type: application/json',
      'Content-Type: application/pdf',
      'Content-Type: image/tiff',
      'Content-Type: text/plain',
    ),
    fc.string({ maxLength: 20 }),
  ),
  { maxLength: 3 },
);
const content = fc.oneof(
  fc.constantFrom(
    '+14155550100',
    '{"to":[{"phoneNumber":"+14155550100"}],"coverIndex":1}',
    '%PDF-1.4 /Type /Page /Type/ObjStm stream\nx\nendstream',
    'II*\0\x08\0\0\0\x01\0',
    'MM\0*\xff\xff\xff\xff',
    '\f'.repeat(300),
    'x'.repeat(20_000),
    '--fuzz',
  ),
  fc.json(),
  fc.string({ unit: 'binary' }),
);
const goodParts: readonly (readonly [readonly string[], string])[] = [
  [['Content-Disposition: form-data; name="to"'], '+14155550100'],
  [['Content-Disposition: form-data; name="attachment"; filename="a.txt"', 'Content-Type: text/plain'], 'a'],
];
const lineEnd = fc.constantFrom('\r\n', '\r\n', '\n', '\r');
const multipart = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(partHeaders, content), { maxLength: 4 }),
    lineEnd,
    fc.constantFrom('--', '--', ''),
  )
  .map(([sound, some, end, last]) => {
    const parts = sound ? [...goodParts, ...some] : some;
    const pieces = parts.map(
      ([headers, text]) => `--fuzz${end}${headers.map((header) => header + end).join('')}${end}${text}${end}`,
    );
    return `${pieces.join('')}--fuzz${last}${end}`;
  });

test('sendFax answers any multipart body with less than 500', async () => {
  await using sandbox = await startSandbox({ listen: false });
  const token = await signInAs(sandbox, 'administrator');
  const seen = new Set<number>();
  const property = fc.asyncProperty(
    fc.constantFrom('form-data', 'mixed', 'related'),
    multipart,
    async (type, text) => {
      const response = await sandbox.fetch(
        new Request(`${sandbox.url}/restapi/v1.0/account/~/extension/~/fax`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': `multipart/${type}; boundary=fuzz`,
          },
          body: text,
        }),
      );
      seen.add(response.status);
      expect(response.status).toBeLessThan(500);
    },
  );
  await fc.assert(property, { numRuns: 300, seed: 20_260_105 });
  expect(seen).toContain(200);
});

test.each(Object.entries(operations))(
  '%s answers anything with less than 500',
  async (_id, operation: Operation) => {
    // Replies are validated and a failing handler rejects, so an answer is enough.
    await using sandbox = await startSandbox({ listen: false, settings: { webhookTimeoutMilliseconds: 20 } });
    const token = await signInAs(sandbox, 'administrator');
    const property = fc.asyncProperty(
      fc.array(segment, { minLength: 3, maxLength: 3 }),
      query,
      body,
      async (ids, pairs, text) => {
        let index = 0;
        const path = operation.path.replaceAll(/\{\w+\}/g, () => ids[index++] ?? '1');
        const url = `${sandbox.url}${path}?${new URLSearchParams(pairs).toString()}`;
        const { method } = operation;
        const response = await sandbox.fetch(
          new Request(url, {
            method,
            headers: { authorization: `Bearer ${token}` },
            ...(method !== 'GET' && { body: text }),
          }),
        );
        expect(response.status === 501 || response.status < 500, `${response.status}`).toBe(true);
      },
    );
    await fc.assert(property, { numRuns: 60, seed: 20_260_105 });
  },
);
