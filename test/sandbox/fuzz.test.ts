import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { operations, type Operation } from '../../src/contract/operations.ts';
import { startSandbox } from '../../src/sandbox/index.ts';
import { signInAs } from '../support/sandbox.ts';

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
