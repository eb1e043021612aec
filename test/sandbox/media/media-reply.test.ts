import { describe, expect, test } from 'vitest';
import { ServiceError } from '../../../src/sandbox/request/errors.ts';
import { mediaReply } from '../../../src/sandbox/media/media-reply.ts';

const bytes = new TextEncoder().encode('0123456789');
const media = { bytes, contentType: 'text/plain', modifiedAt: Date.UTC(2026, 0, 5), fileName: 'digits.txt' };

function answer(headers: Record<string, string> = {}, query = {}, mediaPartBytes = 0) {
  const world = { settings: { mediaPartBytes } };
  const reply = mediaReply({ headers: new Headers(headers), query, world }, media);
  return {
    status: reply.status ?? 200,
    text: new TextDecoder().decode(reply.bytes),
    headers: reply.headers ?? {},
  };
}
function rejected(range: string): string {
  try {
    return answer({ range }).text;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `${error.status} ${error.body.errorCode} ${error.headers['content-range']}`;
  }
}

describe('spec:BASE-24, MEDIA-2, MEDIA-3 ranges', () => {
  test('without Range the whole, with its length, a strong tag and a date', () => {
    expect(answer()).toMatchObject({
      status: 200,
      text: '0123456789',
      headers: {
        'content-length': '10',
        'content-type': 'text/plain',
        etag: expect.stringMatching(/^"[0-9a-f]+"$/) as string,
        'last-modified': 'Mon, 05 Jan 2026 00:00:00 GMT',
      },
    });
  });

  test.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['BYTES = 1-1', '1', 'bytes 1-1/10'],
    ['bytes=2-3, 99-', '23', 'bytes 2-3/10'],
  ])('%s', (range, text, contentRange) => {
    expect(answer({ range })).toMatchObject({
      status: 206,
      text,
      headers: { 'content-range': contentRange, 'content-length': String(text.length) },
    });
  });

  test.each([
    'bytes=10-',
    'bytes=5-2',
    'bytes=x',
    'bytes=-',
    'bytes=',
    'bytes=-0',
    `bytes=${'0-0,'.repeat(16)}0-0`,
  ])('spec:MEDIA-8, ERROR-15 CMN-107 for %s', (range) => {
    expect(rejected(range)).toBe('416 CMN-107 bytes */10');
  });

  test('another unit than bytes is ignored', () => {
    expect(answer({ range: 'lines=1-2' })).toMatchObject({ status: 200, text: '0123456789' });
  });

  test('several ranges come as multipart/byteranges', () => {
    const { status, text, headers } = answer({ range: 'bytes=0-1,-1' });
    expect(status).toBe(206);
    expect(headers['content-type']).toMatch(/^multipart\/byteranges; boundary=/);
    expect(text).toContain('content-range: bytes 0-1/10\r\n\r\n01\r\n');
    expect(text).toContain('content-range: bytes 9-9/10\r\n\r\n9\r\n');
  });

  test('If-Range: tag or date of now gives the part, anything else the whole', () => {
    const { etag = '', 'last-modified': date = '' } = answer().headers;
    const status = (validator: string) => answer({ range: 'bytes=0-0', 'if-range': validator }).status;
    expect([status(etag), status(date), status(`W/${etag}`), status('"old"')]).toEqual([206, 206, 200, 200]);
  });

  test('304 without content if the copy of the client is current', () => {
    const { etag = '', 'last-modified': date = '' } = answer().headers;
    const status = (headers: Record<string, string>) => answer(headers).status;
    expect(answer({ 'if-none-match': etag, range: 'bytes=0-0' })).toEqual({
      status: 304,
      text: '',
      headers: { etag, 'last-modified': date },
    });
    const tags = [`"old", ${etag}`, `W/${etag}`, '*', '"old"', etag.slice(1, -1)];
    expect(tags.map((tag) => status({ 'if-none-match': tag }))).toEqual([304, 304, 304, 200, 200]);
    const dates = [date, 'Tue, 06 Jan 2026 00:00:00 GMT', 'Sun, 04 Jan 2026 23:59:59 GMT', 'yesterday'];
    expect(dates.map((since) => status({ 'if-modified-since': since }))).toEqual([304, 304, 200, 200]);
    expect(status({ 'if-none-match': '"old"', 'if-modified-since': date })).toBe(200);
  });

  test('spec:SANDBOX-5 206 without Range, as a setting', () => {
    expect(answer({}, {}, 4)).toMatchObject({
      status: 206,
      text: '0123',
      headers: { 'content-range': 'bytes 0-3/10' },
    });
    expect(answer({ range: 'bytes=4-' }, {}, 4).text).toBe('456789');
    expect(answer({}, {}, 10).status).toBe(200);
  });
});

test('spec:MEDIA-7 contentDisposition and its file name, never a header of its own', () => {
  const header = (query: object) => answer({}, query).headers['content-disposition'];
  expect(header({})).toBeUndefined();
  expect(header({ contentDisposition: 'Inline' })).toBe(
    `inline; filename="digits.txt"; filename*=UTF-8''digits.txt`,
  );
  expect(header({ contentDispositionFilename: 'Zoë "1"\r\nX: y.wav' })).toBe(
    `attachment; filename="Zo_ _1___X: y.wav"; filename*=UTF-8''Zo%C3%AB%20%221%22%0D%0AX%3A%20y.wav`,
  );
});
