import { createHash } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contradicts } from '../../../src/features/download/validator.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const content = sound(100_000);
const fresh = sound(120_000, 2);
const audio = { 'content-type': 'audio/x-wav' };

describe('a reply that is not the requested content', () => {
  it('is requested from its start if it is another part than the first', async () => {
    const server = await mediaServer((request, response) => {
      request.headers.range ??= 'bytes=50000-';
      serve(request, response, { content, etag: '"a"' });
    });
    const { file } = await server.fetch(temporaryFolder());
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(server.asked.map(({ range }) => range)).toEqual([undefined, 'bytes=0-']);
  });

  it.each([
    ['in an encoding that was not requested', { 'content-encoding': 'br' }, 'the encoding br'],
    ['with more bytes than its range', { 'content-range': 'bytes 0-9/10' }, 'more bytes than announced'],
  ])('is an error %s, and never saved', async (_, headers, problem) => {
    const folder = temporaryFolder();
    const server = await mediaServer((_request, response) => {
      const status = 'content-range' in headers ? 206 : 200;
      response.writeHead(status, { ...audio, etag: '"a"', ...headers }).end(content);
    });
    await expect(server.fetch(folder)).rejects.toMatchObject({
      code: 'bad_reply',
      message: expect.stringContaining(problem) as string,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['a compressed part', { 'content-encoding': 'gzip', 'content-range': 'bytes 1000-99999/100000' }],
    ['a part of content of another size', { 'content-range': 'bytes 1000-99999/120000' }],
  ])('starts the download again if it is %s after a lost connection', async (_, headers) => {
    const server = await mediaServer((request, response, count) => {
      if (count === 1) serve(request, response, { content, etag: '"a"', cutAfter: 1000 });
      else if (count === 2)
        response.writeHead(206, { ...audio, etag: '"a"', ...headers }).end(fresh.subarray(1000, 100_000));
      else serve(request, response, { content: fresh, etag: '"b"' });
    });
    const { file } = await server.fetch(temporaryFolder());
    expect(readFileSync(file).equals(fresh)).toBe(true);
  });

  it('is an error if it has more bytes than its metadata states, and no length', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((_request, response) => {
      response.useChunkedEncodingByDefault = false;
      response.writeHead(200, { ...audio, connection: 'close' }).end(content);
    });
    await expect(server.fetch(folder, { expectedSize: 90_000 })).rejects.toMatchObject({ code: 'bad_reply' });
    expect(readdirSync(folder)).toEqual([]);
    expect((await server.fetch(folder, { expectedSize: 100_000 })).warnings).toEqual([]);
  });
});

it.each([
  ['a length', (size: number) => ({ 'content-length': String(size) })],
  ['chunks', () => ({ 'transfer-encoding': 'chunked' })],
  ['the end of the connection', () => ({ connection: 'close' })],
])('compressed content that ends with %s is decompressed without a warning', async (_, framing) => {
  const packed = gzipSync(content);
  const server = await mediaServer((_request, response) => {
    response.useChunkedEncodingByDefault = false;
    response.writeHead(200, { ...audio, 'content-encoding': 'gzip', ...framing(packed.length) }).end(packed);
  });
  const { file, warnings } = await server.fetch(temporaryFolder());
  expect([readFileSync(file).equals(content), warnings]).toEqual([true, []]);
});

it('content of another type than that of its metadata is a warning, although its reply names its type', async () => {
  const server = await mediaServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7 something');
  });
  const { warnings } = await server.fetch(temporaryFolder(), { expectedType: 'audio/x-wav' });
  expect(warnings).toEqual(['the content is pdf, not audio/x-wav']);
});

it.each([
  ['the same tag', '"a"', { etag: '"a"' }, false],
  ['another tag', '"a"', { etag: '"b"' }, true],
  ['a weak tag', '"a"', { etag: 'W/"a"' }, false],
  ['no tag', '"a"', {}, false],
  [
    'another date',
    'Mon, 05 Jan 2026 09:00:00 GMT',
    { 'last-modified': 'Tue, 06 Jan 2026 09:00:00 GMT' },
    true,
  ],
  ['a tag, although the first reply had a date', 'Mon, 05 Jan 2026 09:00:00 GMT', { etag: '"b"' }, false],
])('a part with %s shows whether the content has changed', (_, validator, headers, isOther) => {
  expect(contradicts(fakeReply({ status: 206, headers }), validator)).toBe(isOther);
});

describe('a file with the name of the download', () => {
  const good = () => mediaServer((request, response) => serve(request, response, { content, etag: '"a"' }));

  it('that appears during the download is not replaced', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'sound.wav');
    const server = await good();
    const fetched = server.fetch(folder, { onBytes: () => writeFileSync(file, 'other') });
    await expect(fetched).rejects.toMatchObject({ code: 'exists' });
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['other', ['sound.wav']]);
  });

  it('is complete for --continue, without a request', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'sound.wav'), 'complete');
    const server = await good();
    const fetched = await server.fetch(folder, { existing: 'continue', wantsOldChecksum: true });
    const sha256 = createHash('sha256').update('complete').digest('hex');
    expect(fetched).toMatchObject({ status: 'exists', bytes: 8, sha256 });
    expect(server.asked).toEqual([]);
  });

  it('may have a second name, and the partial file of another download stays', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'sound.wav'), 'complete');
    linkSync(join(folder, 'sound.wav'), join(folder, 'second.wav'));
    writeFileSync(join(folder, '.sound.wav.part'), 'other');
    const server = await good();
    expect((await server.fetch(folder, { existing: 'skip' })).status).toBe('exists');
    expect(readdirSync(folder)).toEqual(['.sound.wav.part', 'second.wav', 'sound.wav']);
  });
});
