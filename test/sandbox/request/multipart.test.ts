import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MultipartError, parameterOf, parseMultipart } from '../../../src/sandbox/request/multipart.ts';

const type = 'multipart/form-data; boundary=b';
const body = (text: string) => Buffer.from(text, 'latin1');
const texts = (text: string, contentType = type) =>
  parseMultipart(contentType, body(text)).map(({ content }) => Buffer.from(content).toString('latin1'));

test('parts, their headers in any order, a preamble and an epilogue', () => {
  const parts = parseMultipart(
    'multipart/mixed; boundary="b"',
    body(
      'preamble\r\n--b\r\nContent-Type: text/plain\r\nContent-Disposition: form-data;\r\n name="a"\r\n\r\none\r\n--b  \r\n\r\ntwo\r\n--b--\r\nepilogue',
    ),
  );
  expect(parts.map(({ headers }) => headers)).toEqual([
    { 'content-type': 'text/plain', 'content-disposition': 'form-data; name="a"' },
    {},
  ]);
  expect(parts.map(({ content }) => Buffer.from(content).toString())).toEqual(['one', 'two']);
});

test('bare line feeds, empty parts, and a boundary inside of content that is not a complete line', () => {
  expect(texts('--b\nA: 1\n\none\n--b\n\n\n--b--')).toEqual(['one', '']);
  expect(texts('--b\r\n\r\nx --b\r\n--bc\r\n--b--')).toEqual(['x --b\r\n--bc']);
});

test.each([
  ['base64', 'aGVs\r\nbG8=', 'hello'],
  ['Quoted-Printable', 'caf=C3=a9 =3D=\r\n 1 = \t\n2 =x', 'caf\u00c3\u00a9 = 1 2 =x'],
  ['binary', '=3D', '=3D'],
])('a part with the transfer encoding %s is decoded', (encoding, content, wanted) => {
  expect(texts(`--b\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${content}\r\n--b--`)).toEqual([wanted]);
});

test.each([
  ['no boundary', 'multipart/mixed', ''],
  ['a boundary that does not occur', type, 'hello'],
  ['no end', type, '--b\r\n\r\nx'],
  ['headers without end', type, '--b\r\nA: 1\r\n--b--'],
  ['a header without colon', type, '--b\r\nA\r\n\r\nx\r\n--b--'],
])('%s is rejected', (_what, contentType, text) => {
  expect(() => parseMultipart(contentType, body(text))).toThrow(MultipartError);
});

test('the bytes of every document are read back unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { minLength: 1, maxLength: 4 }), (documents) => {
      const boundary = 'a-boundary-that-does-not-occur';
      const chunks = documents.flatMap((content) => [
        body(`--${boundary}\r\nContent-Disposition: attachment; filename=x\r\n\r\n`),
        Buffer.from(content),
        body('\r\n'),
      ]);
      const whole = Buffer.concat([...chunks, body(`--${boundary}--\r\n`)]);
      const parts = parseMultipart(`multipart/mixed; boundary=${boundary}`, whole);
      expect(parts.map(({ content }) => Buffer.from(content))).toEqual(
        documents.map((content) => Buffer.from(content)),
      );
    }),
    { seed: 20_260_105 },
  );
});

function outcome(read: () => unknown): string {
  try {
    read();
    return 'parts';
  } catch (error) {
    return (error as Error).name;
  }
}

test('any bytes at all are parts or a MultipartError', () => {
  const piece = fc.oneof(
    fc.constantFrom('--b', '--b--', '\r\n', '\n', '\r\n\r\n', 'A: 1', ':'),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const read = () => parseMultipart(type, body(pieces.join('')));
      expect(outcome(read)).toMatch(/^(parts|MultipartError)$/);
    }),
    { seed: 20_260_105, numRuns: 500 },
  );
});

test('parameters of a header: plain, quoted, encoded', () => {
  const header = String.raw`form-data; name=to; filename="a \"b\".txt"; filename*=UTF-8''na%C3%AFve.txt`;
  expect(parameterOf(header, 'name')).toBe('to');
  expect(parameterOf(header, 'filename')).toBe('naïve.txt');
  expect(parameterOf(String.raw`form-data; filename="a \"b\".txt"`, 'filename')).toBe('a "b".txt');
  expect(parameterOf("attachment; filename*=utf-8''%zz", 'filename')).toBe('%zz');
  expect(parameterOf('attachment', 'filename')).toBeUndefined();
});
