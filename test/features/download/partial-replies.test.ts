import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const mib = 1024 * 1024;

interface Parts {
  readonly content: Buffer;
  /** Maximum number of bytes of each reply. */
  readonly size: number;
  readonly etag?: string | undefined;
  /** The total size in the reply to a range behind the end; undefined for no header. */
  readonly end?: string | undefined;
  /** First byte of the replies that state the total size. */
  readonly totalFrom?: number;
}

/** Answers each request with a part whose total size is unknown, even without a range. */
function servePart(request: IncomingMessage, response: ServerResponse, parts: Parts): void {
  const { content, size, etag, end, totalFrom = Infinity } = parts;
  const first = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (first >= content.length) {
    response.writeHead(416, end === undefined ? {} : { 'content-range': `bytes */${end}` }).end();
    return;
  }
  const body = content.subarray(first, first + size);
  const total = first >= totalFrom ? content.length : '*';
  response.writeHead(206, {
    'content-type': 'audio/x-wav',
    ...(etag !== undefined && { etag }),
    'content-range': `bytes ${first}-${first + body.length - 1}/${total}`,
  });
  response.end(body);
}

describe('a 206 without a total size to a request without Range', () => {
  const content = sound(65_536);

  it.each([
    ['416 with the size', { end: '65536' }],
    ['416 with an unknown size', { end: '*' }],
    ['416 without a size', {}],
    ['a part that states the total size', { totalFrom: 60_000 }],
    ['the total size that the second part states', { totalFrom: 1 }],
  ])('spec:MEDIA-3 is continued until %s', async (_, more) => {
    for (const etag of ['"p"', undefined]) {
      for (const size of [10_000, 16_384, 65_535, 65_536]) {
        const server = await mediaServer((request, response) =>
          servePart(request, response, { content, size, etag, ...more }),
        );
        const { file, bytes, warnings } = await server.fetch(temporaryFolder());
        expect([etag, size, bytes, warnings]).toEqual([etag, size, content.length, []]);
        expect(readFileSync(file).equals(content)).toBe(true);
      }
    }
  });

  it('is never saved as the whole if the server then sends only the same bytes', async () => {
    for (const etag of ['"p"', undefined]) {
      const folder = temporaryFolder();
      const server = await mediaServer((request, response) => {
        request.headers.range = 'bytes=0-';
        servePart(request, response, { content, size: 10_000, etag });
      });
      await expect(server.fetch(folder)).rejects.toMatchObject({ code: 'bad_reply' });
      expect(readdirSync(folder)).toEqual([]);
    }
  });

  it('is not continued with other content', async () => {
    const other = sound(65_536, 2);
    const folder = temporaryFolder();
    const server = await mediaServer((request, response, count) =>
      servePart(request, response, { content: count < 3 ? content : other, size: 40_000 }),
    );
    const { file } = await server.fetch(folder);
    expect(readFileSync(file).equals(other)).toBe(true);
  });

  it('is continued by a later run, too', async () => {
    const folder = temporaryFolder();
    let isDown = true;
    const server = await mediaServer((request, response, count) => {
      if (isDown && count > 3) response.destroy();
      else servePart(request, response, { content, size: 10_000, etag: '"p"' });
    });
    await expect(server.fetch(folder)).rejects.toMatchObject({ code: 'cut' });
    isDown = false;
    const { file, status } = await server.fetch(folder, { existing: 'continue' });
    expect(status).toBe('resumed');
    expect(readFileSync(file).equals(content)).toBe(true);
  });
});

it.each([
  ['of known size', (size: number) => `bytes 0-${size - 1}/${size}`],
  ['of unknown size', (size: number) => `bytes 0-${size - 1}/*`],
])('compressed content in a 206 %s is never saved', async (_, range) => {
  const folder = temporaryFolder();
  const packed = gzipSync(sound(65_536));
  const server = await mediaServer((_request, response) => {
    const headers = { 'content-type': 'audio/x-wav', 'content-encoding': 'gzip', etag: '"g"' };
    response.writeHead(206, { ...headers, 'content-range': range(packed.length) }).end(packed);
  });
  await expect(server.fetch(folder)).rejects.toMatchObject({
    code: 'bad_reply',
    message: 'the server replied with a part in the encoding gzip, which was not requested',
  });
  expect([readdirSync(folder), server.asked.length]).toEqual([[], 1]);
});

it('a 206 without a valid Content-Range, even to a range, is never saved and not requested again', async () => {
  const folder = temporaryFolder();
  const server = await mediaServer((_request, response) => {
    response.writeHead(206, { 'content-type': 'audio/x-wav' }).end(sound(1000));
  });
  await expect(server.fetch(folder)).rejects.toMatchObject({
    code: 'bad_reply',
    exit: 1,
    message: 'the server replied with a part without a valid Content-Range header',
  });
  expect([readdirSync(folder), server.asked.length]).toEqual([[], 2]);
});

describe('a server that sends the whole content to each range', () => {
  const content = sound(33 * mib);

  it('is read over one connection after one restart, if it promises ranges', async () => {
    const server = await mediaServer((request, response) => {
      delete request.headers.range;
      serve(request, response, { content, etag: '"a"' });
    });
    const { file, bytes } = await server.fetch(temporaryFolder());
    expect(bytes).toBe(content.length);
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(server.asked.filter(({ range }) => range === undefined)).toHaveLength(2);
  });
});

describe('an empty content', () => {
  const empty = (headers: Readonly<Record<string, string>>) =>
    mediaServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/x-wav', ...headers }).end();
    });

  it.each([
    ['with a length', { 'content-length': '0' }],
    ['without a length', { 'transfer-encoding': 'chunked' }],
  ])('%s is saved with a warning if its size is not known', async (_, headers) => {
    const server = await empty(headers);
    const { bytes, warnings } = await server.fetch(temporaryFolder());
    expect([bytes, warnings]).toEqual([0, ['the content is empty; compare a second download']]);
  });

  it('whose metadata states 0 bytes has no warning', async () => {
    const server = await empty({ 'content-length': '0' });
    expect((await server.fetch(temporaryFolder(), { expectedSize: 0 })).warnings).toEqual([]);
  });
});
