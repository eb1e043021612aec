import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../src/platform/base-url.ts';

describe('base URL', () => {
  it.each([
    'https://service.example',
    'https://service.example:8443/gateway',
    'http://127.0.0.1:8080',
    'http://127.9.8.7',
    'http://[::1]:80/',
    'http://localhost:3000',
    'HTTP://LOCALHOST',
  ])('%s is accepted', (text) => {
    expect(parseBaseUrl(text).href).toBe(new URL(text).href);
  });

  it.each([
    'http://service.example',
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    'http://evil.test/127.0.0.1',
    'http://evil.test?http://localhost',
    'http://0x7f.1',
    'http://2130706433',
    'http://[::ffff:127.0.0.1]',
    'http://user@127.0.0.1',
    'http://127.0.0.1@evil.test',
    'https://user:secret@service.example',
    'https://service.example?x=1',
    'https://service.example#x',
    'ftp://127.0.0.1',
    'file:///etc/passwd',
    'service.example',
    '',
  ])('%j is rejected', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(RangeError);
  });

  it.each([
    [
      'service.example',
      '"service.example" is not a valid https:// address; did you mean https://service.example?',
    ],
    [
      'localhost:8080',
      '"localhost:8080" is not a valid https:// address; did you mean http://localhost:8080?',
    ],
    ['127.0.0.1:80', '"127.0.0.1:80" is not a valid https:// address; did you mean http://127.0.0.1:80?'],
    ['service', '"service" is not a valid https:// address'],
    [
      'https://service.example/restapi/v1.0/',
      '"https://service.example/restapi/v1.0/" must not contain the path /restapi/v1.0/, which ucctl adds; use https://service.example',
    ],
    [
      'http://127.0.0.1:80/gateway/restapi',
      '"http://127.0.0.1:80/gateway/restapi" must not contain the path /restapi, which ucctl adds; use http://127.0.0.1/gateway',
    ],
  ])('%j is explained', (text, message) => {
    expect(() => parseBaseUrl(text)).toThrow(new RangeError(message));
  });
});
