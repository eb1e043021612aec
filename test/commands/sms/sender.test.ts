import { describe, expect, it } from 'vitest';
import { chooseBatchSender, chooseSender } from '../../../src/commands/sms/sender.ts';

interface Line {
  readonly phoneNumber: string;
  readonly usageType: string;
  readonly features: readonly string[];
}

const line = (phoneNumber: string, usageType: string, feature: string): Line => ({
  phoneNumber,
  usageType,
  features: ['CallerId', feature],
});
const direct = line('+16505550110', 'DirectNumber', 'SmsSender');
const other = line('+16505550111', 'DirectNumber', 'SmsSender');
const company = line('+16505550100', 'MainCompanyNumber', 'SmsSender');
const batch = line('+16505550190', 'CompanyNumber', 'A2PSmsSender');
const otherBatch = line('+16505550191', 'CompanyNumber', 'A2PSmsSender');

/** The arguments of a choice for a user with these numbers. */
function userOf(numbers: readonly Line[], smsFrom?: string) {
  async function* list() {
    yield* numbers;
  }
  const settings = { smsFrom: { value: smsFrom } };
  return [
    { settings, signal: new AbortController().signal },
    { phoneNumbers: { list } },
  ] as unknown as Parameters<typeof chooseSender>;
}

describe('the sender of a text', () => {
  it.each([
    ['the only number', [direct], undefined, direct.phoneNumber],
    [
      'the direct number, although the company number can send texts',
      [company, direct],
      undefined,
      direct.phoneNumber,
    ],
    [
      'the company number of a user without a direct number',
      [company, batch],
      undefined,
      company.phoneNumber,
    ],
    ['the number that the profile stores', [direct, other], other.phoneNumber, other.phoneNumber],
  ])('is %s', async (_, numbers, smsFrom, expected) => {
    await expect(chooseSender(...userOf(numbers, smsFrom))).resolves.toBe(expected);
  });

  it('is not chosen among several numbers', async () => {
    const error = { code: 'usage', exit: 2, hint: 'choose a number with --from' };
    await expect(chooseSender(...userOf([direct, other]))).rejects.toMatchObject(error);
    await expect(chooseBatchSender(...userOf([batch, otherBatch]))).rejects.toMatchObject(error);
  });

  it('of a batch is the only number for batches, also if the profile stores another number', async () => {
    await expect(chooseBatchSender(...userOf([direct, batch], direct.phoneNumber))).resolves.toBe(
      batch.phoneNumber,
    );
  });
});
