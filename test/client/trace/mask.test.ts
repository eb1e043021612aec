import { describe, expect, it } from 'vitest';
import { maskBody, maskHeaders, maskUrl } from '../../../src/client/trace/mask.ts';

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

  it.each([
    ['authorization', 'Bearer canary', 'Bearer ***'],
    ['Authorization', 'Basic canary:canary', 'Basic ***'],
    ['authorization', 'canary', '***'],
    ['cookie', 'canary', '***'],
    ['X-Unknown', 'canary', '***'],
    ['location', '/canary', '***'],
    [
      'Location',
      'https://service.example/restapi/v1.0/x?code=canary',
      'https://service.example/restapi/v1.0/x?code=***',
    ],
    ['Retry-After', '60', '60'],
    ['x-rate-limit-group', 'light', 'light'],
  ])('of the header "%s: %s" only a known value is shown', (name, value, shown) => {
    expect(maskHeaders({ [name]: value })).toEqual({ [name]: shown });
  });

  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  it.each([
    [`/restapi/v1.0/account/~/extension/101,102/message-store/${uuid}`, undefined],
    [`/team-messaging/v1/webhooks/${uuid}`, undefined],
    ['/team-messaging/canary', '/***/***'],
    ['/webhook/canary', '/***/***'],
    ['/webhook/12345', '/***/***'],
    ['/restapi/v1.0/CanaryCanaryCanaryCanaryCanary', '/restapi/v1.0/***'],
    ['/restapi/v1.0/can4ry', '/restapi/v1.0/***'],
    ['/restapi/v1.0/123456789012345678901', '/restapi/v1.0/***'],
    ['/restapi/v1.0/x?dateFrom=2026-01-01T00:00:00%2B01:00&page=1%262', undefined],
    ['/restapi/v1.0/x?phoneNumber=%2B16505550100&a%26b=1', '/restapi/v1.0/x?phoneNumber=***&a%26b=***'],
    ['/restapi/v1.0/x?syncToken=canary', '/restapi/v1.0/x?syncToken=sha256:e100fbce008c'],
  ])('of the URL %s no ID of another server, number or token is shown', (path, shown = path) => {
    expect(maskUrl(new URL(path, 'https://service.example'))).toBe(`https://service.example${shown}`);
  });

  const form = 'application/x-www-form-urlencoded';
  it.each([
    [form, 'grant_type=password&password=canary&code=canary', 'grant_type=password&password=***&code=***'],
    [`text/plain; ${form}`, 'token=canary', 'token=***'],
    [json, 'canary', '(6 characters)'],
    [json, '{"text":"canary","type":"SMS"}', '{"text":"(6 characters)","type":"SMS"}'],
    [json, '{"type":"+16505550100","id":"+16505"}', '{"type":"(12 characters)","id":"(6 characters)"}'],
    [json, '{"syncToken":"canary"}', '{"syncToken":"sha256:e100fbce008c"}'],
    [
      json,
      '{"uri":"https://a.test/canary","contentUri":"https://a.test/canary","href":"https://a.test/canary"}',
      '{"uri":"https://a.test/***","contentUri":"https://a.test/***","href":"https://a.test/***"}',
    ],
    [json, '{"other":"https://a.test/restapi/x"}', '{"other":"(24 characters)"}'],
  ])('of the body (%s) %s no text, token or number is shown', (type, body, shown) => {
    expect(maskBody(body, type)).toBe(shown);
  });

  it('of bytes only their number is shown', () => {
    expect([maskBody(Buffer.from('canary'), 'text/plain'), maskBody('', json)]).toEqual([
      '(6 bytes)',
      undefined,
    ]);
  });
});
