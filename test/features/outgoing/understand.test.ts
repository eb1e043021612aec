import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readNumbers, understandNumber } from '../../../src/features/outgoing/index.ts';

describe('a phone number in common notation', () => {
  it.each([
    ['+16505550112', undefined, '+16505550112', '+16505550112'],
    ['+1 (650) 555-0112', undefined, '+16505550112', '+16505550112 (US)'],
    ['(650) 555-0112', 'US', '+16505550112', '+16505550112 (US)'],
    ['1-650-555-0112', 'US', '+16505550112', '+16505550112 (US)'],
    ['030 1234567', 'DE', '+49301234567', '+49301234567 (DE)'],
    ['0049 30 1234567', 'DE', '+49301234567', '+49301234567 (DE)'],
    ['020 7946 0000', 'GB', '+442079460000', '+442079460000 (GB)'],
    ['1711234567', 'DE', '+491711234567', '+491711234567 (DE)'],
    ['17612345678', 'DE', '+4917612345678', '+4917612345678 (DE)'],
    ['436641234567', 'AT', '+436641234567', '+436641234567 (AT)'],
    ['16505550112', 'US', '+16505550112', '+16505550112 (US)'],
    ['13812345678', 'CN', '+8613812345678', '+8613812345678 (CN)'],
    // Numbers with a trunk prefix after the country code.
    ['+4402079460958', undefined, '+442079460958', '+442079460958'],
    ['+44 (0)20 7946 0958', undefined, '+442079460958', '+442079460958 (GB)'],
    ['+330650555011', undefined, '+33650555011', '+33650555011'],
    ['+490030123456', undefined, '+4930123456', '+4930123456'],
    ['+49 00 30 123456', undefined, '+4930123456', '+4930123456 (DE)'],
    ['+390612345678', undefined, '+390612345678', '+390612345678'],
    ['0039 06 1234 5678', 'IT', '+390612345678', '+390612345678 (IT)'],
    ['+4920123', 'US', '+4920123', '+4920123'],
    ['+49 20123', 'DE', '+4920123', '+4920123 (DE)'],
    ['0049 20123', 'DE', '+4920123', '+4920123 (DE)'],
    ['1234567', 'DE', '+491234567', '+491234567 (DE)'],
    // A country code that the library does not know.
    ['+9991234567', undefined, '+9991234567', '+9991234567'],
  ])('%j in %s is %s', async (typed, country, number, shown) => {
    expect(await understandNumber(typed, country)).toEqual({ number, typed, shown });
  });

  it.each([
    ['6505550112', undefined, 'no default country'],
    ['hello', 'US', 'not a valid phone number'],
    ['call (650) 555-0112 now', 'US', 'not a valid phone number'],
    ['555-01', 'US', 'incomplete'],
    ['+1 650 555 0112 ext. 4', undefined, 'has an extension (4)'],
    ['102', 'US', '"102" is an extension, not a valid phone number'],
    ['102', undefined, '"102" is an extension, not a valid phone number'],
    ['72345', 'US', '"72345" is a short code or an extension, not a valid phone number'],
    ['724365', undefined, '"724365" is a short code or an extension, not a valid phone number'],
    ['+1650555', undefined, '"+1650555" is too short for a phone number of its country'],
    ['+44207946', 'US', 'is too short'],
    ['+165055501123', undefined, '"+165055501123" is too long for a phone number of its country'],
    ['+68341234', undefined, '"+68341234" does not have a valid length for a phone number of its country'],
    [
      '20 123',
      'DE',
      '"20 123" is too short for a phone number without its country code; for the phone number +4920123, write the country code',
    ],
    ['(0)20123', 'DE', 'for the phone number +4920123, write the country code'],
    ['２０１２３', 'DE', 'for the phone number +4920123, write the country code'],
    ['', 'US', 'not a valid phone number'],
    // A spreadsheet removes a + and a leading 0.
    [
      '4915112345678',
      undefined,
      '"4915112345678" is not a valid phone number: the + is missing (did you mean +4915112345678?), or the country code, and the profile has no default country',
    ],
    [
      '4915112345678',
      'US',
      '"4915112345678" is not a valid phone number without the +: did you mean +4915112345678?',
    ],
    ['1 650 555 0112', undefined, 'did you mean +16505550112?'],
    ['99999999999', undefined, 'no default country'],
    ['491711234567', 'DE', 'is +491711234567 without the +, or +49491711234567 without its national prefix'],
    ['1 650 555 0112', 'DE', '"1 650 555 0112" is ambiguous: it is +16505550112 without the +'],
    ['030 1', 'XX', 'the setting default-country, "XX", is not a valid two-letter country code'],
  ])('%j in %s is rejected: %s', async (typed, country, words) => {
    await expect(understandNumber(typed, country)).rejects.toThrow(words);
  });

  it.each(['DE', 'AT', 'FI', 'LU', 'NZ', 'AU', 'NO', 'IT', 'SE', 'SH', 'US', undefined])(
    'digits of an extension or a short code are not a number, as in %s',
    async (country) => {
      for (const digits of ['20123', '123456', '020123'])
        await expect(understandNumber(digits, country)).rejects.toThrow(
          `"${digits}" is a short code or an extension, not a valid phone number`,
        );
      for (const digits of ['20', '2012'])
        await expect(understandNumber(digits, country, true)).rejects.toThrow(
          `"${digits}" is an extension, not a valid phone number`,
        );
    },
  );

  it('names the phone number that the digits of an extension or a short code could be', async () => {
    await expect(understandNumber('20123', 'DE')).rejects.toThrow(
      /not a valid phone number; for the phone number \+4920123, write the country code$/,
    );
    await expect(understandNumber('20123', 'US')).rejects.toThrow(/not a valid phone number$/);
  });

  it.each(['+1650555', '+165055501123', '+68341234'])(
    'accepts %s, which has a wrong length, if it is forced',
    async (number) => {
      expect((await understandNumber(number, undefined, true)).number).toBe(number);
    },
  );

  it.each([
    ['+1 650 555', undefined, '+1650555'],
    ['+1 (650) 5550-1123', 'DE', '+165055501123'],
    ['+44 (0)20 7946 09588', undefined, '+44020794609588'],
    ['+683.4123-4', undefined, '+68341234'],
    ['(650) 5550-1123', 'US', '+165055501123'],
    ['650 5550', 'US', '+16505550'],
    ['011 44 20 7946 09588', 'US', '+4420794609588'],
  ])(
    'reads %j in %s as the same number as without spaces, if it is forced',
    async (typed, country, number) => {
      await expect(understandNumber(typed, country)).rejects.toMatchObject({ problem: 'wrong-length' });
      expect((await understandNumber(typed, country, true)).number).toBe(number);
    },
  );

  it.each(['555-01', '650-555', '5'])('does not force %j, which has too few digits', async (typed) => {
    await expect(understandNumber(typed, 'US', true)).rejects.toThrow('not a valid phone number');
  });

  it('reads a number in an unknown country with spaces', async () => {
    expect((await understandNumber('+999 123 4567', undefined)).number).toBe('+9991234567');
  });

  it('property: forced E.164 is read once, and the result is always E.164', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^\+[1-9]\d{6,14}$/), async (typed) => {
        const { number } = await understandNumber(typed, 'DE', true);
        expect(number).toMatch(/^\+[1-9]\d{6,14}$/);
        expect((await understandNumber(number, 'DE', true)).number).toBe(number);
        expect(
          (await understandNumber(number.replace(/^(\+\d\d)/, '$1 '), 'DE').catch(() => ({ number }))).number,
        ).toBe(number);
      }),
      { seed: 3, numRuns: 500 },
    );
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\d ().+-]{1,20}$/), async (typed) => {
        const found = await understandNumber(typed, 'US').catch(() => undefined);
        expect(found?.number ?? '+10000000').toMatch(/^\+[1-9]\d{6,14}$/);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});

it('a number that is given twice, in two notations, is one recipient', async () => {
  const ctx = { settings: { defaultCountry: { value: 'US' } } } as Parameters<typeof readNumbers>[0];
  const numbers = await readNumbers(ctx, ['+16505550112', '(650) 555-0113', '(650) 555-0112']);
  expect(numbers.map(({ number }) => number)).toEqual(['+16505550112', '+16505550113']);
});
