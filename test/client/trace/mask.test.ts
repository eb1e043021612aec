import { describe, expect, it } from 'vitest';
import { maskBody, maskUrl } from '../../../src/client/trace/mask.ts';

const json = 'application/json';

describe('what a trace shows', () => {
  it.each([
    ['a code', '{"pin":482913}', '{"pin":"(number)"}'],
    ['a telephone number', '{"phoneNumber":16505550100}', '{"phoneNumber":"(number)"}'],
    ['one of many digits', '{"key":123456789012345678901}', '{"key":"(21 characters)"}'],
    ['numbers in a list', '{"codes":[1234,5678]}', '{"codes":["(number)","(number)"]}'],
    ['a number alone', '482913', '"(number)"'],
  ])('%s that is a JSON number is hidden', (_, body, shown) => {
    expect(maskBody(body, json)).toBe(shown);
  });

  it('ids, counts and measures are shown', () => {
    const body =
      '{"id":400131426008,"extensionId":7,"page":1,"perPage":100,"totalPages":3,"duration":12,"recordCount":5,"expires_in":3600,"ok":true,"no":null}';
    expect(maskBody(body, json)).toBe(body);
  });

  it('a name in a query that has no value is hidden', () => {
    expect(maskUrl(new URL('https://media.example/restapi/v1.0/x?sk_canary&page=1&key=v'))).toBe(
      'https://media.example/restapi/v1.0/x?***&page=1&key=***',
    );
  });
});
