import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { hintText, type Hint } from '../../../src/errors/hint.ts';
import type { OpenFile } from '../../../src/features/download/part-file.ts';
import { linksOf } from '../../support/signal-links.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const kib = 1024;
const code = (error: unknown): unknown => (error as { readonly code?: unknown }).code;
/** The code of the failure; a success fails the test. */
async function failure(
  work: Promise<unknown>,
): Promise<{ readonly code: unknown; readonly message: string; readonly hint: string }> {
  try {
    await work;
  } catch (error) {
    const { hint } = error as { readonly hint?: Hint };
    return { code: code(error), message: (error as Error).message, hint: hint ? hintText(hint) : '' };
  }
  throw new Error('it did not fail');
}

describe('cut at every KiB of 64 KiB (D5)', () => {
  const content = sound(64 * kib);
  const points = Array.from({ length: 64 }, (_, index) => index * kib);

  it('spec:CLIENT-25 in one run: resumed automatically, byte for byte the same', async () => {
    for (const cut of points) {
      const folder = temporaryFolder();
      const server = await mediaServer((request, response, count) =>
        serve(request, response, { content, etag: '"a"', cutAfter: count === 1 ? cut : undefined }),
      );
      const { bytes } = await server.fetch(folder);
      expect([cut, bytes]).toEqual([cut, content.length]);
      expect([cut, readFileSync(join(folder, 'sound.wav')).equals(content)]).toEqual([cut, true]);
      expect(readdirSync(folder)).toEqual(['sound.wav']);
    }
  });

  it('in two runs: an unfinished file is resumed with Range and If-Range', async () => {
    for (const cut of points.slice(1)) {
      const folder = temporaryFolder();
      let isDown = false;
      const server = await mediaServer((request, response) => {
        if (isDown) response.destroy();
        else serve(request, response, { content, etag: '"a"', cutAfter: cut });
        isDown = true;
      });
      expect((await failure(server.fetch(folder))).code).toBe('cut');
      expect(readdirSync(folder)).toEqual(['.sound.wav.part', '.sound.wav.part.json']);
      const up = await mediaServer((request, response) => serve(request, response, { content, etag: '"a"' }));
      const again = await up.fetch(folder, { uri: server.uri, existing: 'continue' });
      expect(again.status).toBe('resumed');
      expect(up.asked).toEqual([
        { range: expect.stringMatching(/^bytes=\d+-65535$/) as string, ifRange: '"a"' },
      ]);
      expect([cut, readFileSync(again.file).equals(content)]).toEqual([cut, true]);
      expect(readdirSync(folder)).toEqual(['sound.wav']);
    }
  });
});

describe('what a failed download reports', () => {
  const content = sound(64 * kib);

  it('a connection that breaks before the first byte leaves no partial file, and the hint says so', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, etag: '"a"', cutAfter: 0 }),
    );
    const { code: failed, hint } = await failure(server.fetch(folder));
    expect(failed).toBe('cut');
    expect(hint).toBe('run the same command again; no bytes were received');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a server that ignores ranges did not change its content', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) => {
      delete request.headers.range;
      serve(request, response, { content, etag: '"a"', cutAfter: kib });
    });
    const { code: failed, message, hint } = await failure(server.fetch(folder));
    expect(failed).toBe('cut');
    expect(message).toContain('the connection was lost repeatedly');
    expect(hint).toContain('the service cannot resume downloads');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('leaves nothing on the signal of the run', async () => {
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, etag: '"a"', cutAfter: kib }),
    );
    const { signal } = new AbortController();
    expect((await failure(server.fetch(temporaryFolder(), { retries: 0, signal }))).code).toBe('cut');
    expect(linksOf(signal)).toBe(0);
  });

  it('--retry 0: a broken connection is not resumed in the same run, and the partial file is stored', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, etag: '"a"', cutAfter: kib }),
    );
    const { code: failed, hint } = await failure(server.fetch(folder, { retries: 0 }));
    expect(failed).toBe('cut');
    expect(hint).toContain('--continue');
    expect(server.asked).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['.sound.wav.part', '.sound.wav.part.json']);
  });

  it('--retry 0: a download without a validator is not started again', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, cutAfter: kib }),
    );
    expect((await failure(server.fetch(folder, { retries: 0 }))).code).toBe('cut');
    expect(server.asked).toHaveLength(1);
  });

  it('--retry N: at most N further connections in a row without a received byte', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, etag: '"a"', cutAfter: server.asked.length === 1 ? kib : 0 }),
    );
    expect((await failure(server.fetch(folder, { retries: 2 }))).code).toBe('cut');
    expect(server.asked).toHaveLength(3);
  });

  const waiting = () => {
    const waits: number[] = [];
    const sleep = (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return Promise.resolve();
    };
    return { waits, sleep };
  };

  it('any number of connections, without a wait, if each receives some bytes', async () => {
    const { waits, sleep } = waiting();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, etag: '"a"', cutAfter: 8 * kib }),
    );
    const { file } = await server.fetch(temporaryFolder(), { retries: 1, sleep });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect([server.asked.length, waits]).toEqual([8, []]);
  });

  it('longer and longer waits between connections without a received byte, up to 8 seconds', async () => {
    const { waits, sleep } = waiting();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, cutAfter: 0 }),
    );
    expect((await failure(server.fetch(temporaryFolder(), { retries: 7, sleep }))).hint).toBe(
      'run the same command again; no bytes were received',
    );
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });
});

/** A folder with an unfinished file of which `received` bytes were saved. */
async function unfinished(received: number, content: Buffer, etag: string | undefined) {
  const folder = temporaryFolder();
  let isDown = false;
  const server = await mediaServer((request, response) => {
    if (isDown) response.destroy();
    else serve(request, response, { content, etag, cutAfter: received });
    isDown = true;
  });
  expect((await failure(server.fetch(folder))).code).toBe('cut');
  return { folder, uri: server.uri };
}

describe('other replies', () => {
  const old = sound(100_000, 1);
  const fresh = sound(100_000, 2);

  it('content changed between the parts (D1): restarted, never mixed', async () => {
    const { folder, uri } = await unfinished(40_000, old, '"old"');
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: fresh, etag: '"new"' }),
    );
    const { file, status } = await server.fetch(folder, { uri, existing: 'continue' });
    expect(status).toBe('downloaded');
    expect(readFileSync(file).equals(fresh)).toBe(true);
  });

  it('a server that ignores If-Range (D1): detected by the tag of the part', async () => {
    const { folder, uri } = await unfinished(40_000, old, '"old"');
    const server = await mediaServer((request, response) => {
      delete request.headers['if-range'];
      serve(request, response, { content: fresh, etag: '"new"' });
    });
    expect(readFileSync((await server.fetch(folder, { uri, existing: 'continue' })).file).equals(fresh)).toBe(
      true,
    );
  });

  it('200 to a Range (D2): truncated and read again', async () => {
    const { folder, uri } = await unfinished(40_000, old, '"old"');
    const server = await mediaServer((request, response) => {
      delete request.headers.range;
      serve(request, response, { content: old, etag: '"old"' });
    });
    expect(readFileSync((await server.fetch(folder, { uri, existing: 'continue' })).file).equals(old)).toBe(
      true,
    );
  });

  it('206 that starts later than requested (D3): never appended', async () => {
    const { folder, uri } = await unfinished(40_000, old, '"old"');
    const server = await mediaServer((request, response) => {
      const { range } = request.headers;
      if (range) request.headers.range = 'bytes=50000-';
      serve(request, response, { content: old, etag: '"old"' });
    });
    expect(readFileSync((await server.fetch(folder, { uri, existing: 'continue' })).file).equals(old)).toBe(
      true,
    );
    expect(server.asked.at(-1)).toEqual({ range: undefined, ifRange: undefined });
  });

  it('206 that starts earlier than requested (D3): the existing bytes are skipped', async () => {
    const { folder, uri } = await unfinished(40_000, old, '"old"');
    const server = await mediaServer((request, response) => {
      request.headers.range = 'bytes=10000-';
      serve(request, response, { content: old, etag: '"old"' });
    });
    const { file, status } = await server.fetch(folder, { uri, existing: 'continue' });
    expect(status).toBe('resumed');
    expect(readFileSync(file).equals(old)).toBe(true);
    expect(server.asked).toHaveLength(1);
  });

  it('416 because the content is shorter now (D4): restarted', async () => {
    const short = sound(20_000, 3);
    const { folder, uri } = await unfinished(40_000, old, '"old"');
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: short, etag: '"s"' }),
    );
    expect(readFileSync((await server.fetch(folder, { uri, existing: 'continue' })).file).equals(short)).toBe(
      true,
    );
  });

  it('416 with exactly the existing size (D4): complete', async () => {
    const folder = temporaryFolder();
    let isDown = false;
    // Chunked: the size is not known when it is cut after the last byte.
    const first = await mediaServer((_request, response) => {
      if (isDown) {
        response.destroy();
        return;
      }
      isDown = true;
      response.writeHead(200, { 'content-type': 'audio/x-wav', etag: '"c"' });
      response.write(old, () => setImmediate(() => response.destroy()));
    });
    expect((await failure(first.fetch(folder))).code).toBe('cut');
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: old, etag: '"c"' }),
    );
    const { file } = await server.fetch(folder, { uri: first.uri, existing: 'continue' });
    expect(readFileSync(file).equals(old)).toBe(true);
    expect(server.asked).toEqual([{ range: 'bytes=100000-', ifRange: '"c"' }]);
  });

  it('no validator and a server that sends only parts: the last 64 KiB are read again and compared', async () => {
    const parts = (content: (count: number) => Buffer) =>
      mediaServer((request, response, count) => {
        const [, from = '0'] = /bytes=(\d+)/.exec(request.headers.range ?? '') ?? [];
        request.headers.range = `bytes=${from}-${Number(from) + 89_999}`;
        serve(request, response, { content: content(count) });
      });
    const same = await parts(() => old);
    expect(readFileSync((await same.fetch(temporaryFolder())).file).equals(old)).toBe(true);
    expect(same.asked[1]).toEqual({ range: `bytes=${90_000 - 64 * kib}-99999`, ifRange: undefined });
    const other = await parts((count) => (count === 1 ? old : fresh));
    expect(readFileSync((await other.fetch(temporaryFolder())).file).equals(fresh)).toBe(true);
  });

  it.each([20_000, 64 * kib, 70_000])('no validator and parts of %i bytes: complete', async (size) => {
    const server = await mediaServer((request, response) => {
      const [, from = '0'] = /bytes=(\d+)/.exec(request.headers.range ?? '') ?? [];
      request.headers.range = `bytes=${from}-${Number(from) + size - 1}`;
      serve(request, response, { content: old });
    });
    expect(readFileSync((await server.fetch(temporaryFolder())).file).equals(old)).toBe(true);
    expect(server.asked.length).toBeLessThanOrEqual(8);
  });

  it('no validator, and small parts whose content changes: restarted, never mixed', async () => {
    const server = await mediaServer((request, response, count) => {
      const [, from = '0'] = /bytes=(\d+)/.exec(request.headers.range ?? '') ?? [];
      request.headers.range = `bytes=${from}-${Number(from) + 19_999}`;
      serve(request, response, { content: count < 3 ? old : fresh });
    });
    expect(readFileSync((await server.fetch(temporaryFolder())).file).equals(fresh)).toBe(true);
  });

  it('content that changes three times: complete', async () => {
    const server = await mediaServer((request, response, count) => {
      const state = Math.min(count, 4);
      const cutAfter = state < 4 ? 1000 : undefined;
      serve(request, response, { content: sound(80_000, state), etag: `"${state}"`, cutAfter });
    });
    const { file } = await server.fetch(temporaryFolder());
    expect(readFileSync(file).equals(sound(80_000, 4))).toBe(true);
  });

  it('content that changes all the time: an error, no file', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response, count) =>
      serve(request, response, { content: sound(80_000, count), etag: `"${count}"`, cutAfter: 1000 }),
    );
    expect((await failure(server.fetch(folder))).code).toBe('changing');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('spec:MEDIA-3 a 206 to a request without Range is continued until complete', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) => {
      request.headers.range ??= 'bytes=0-29999';
      const [, from = '0'] = /bytes=(\d+)/.exec(request.headers.range) ?? [];
      request.headers.range = `bytes=${from}-${Number(from) + 29_999}`;
      serve(request, response, { content: old, etag: '"p"' });
    });
    const { file, bytes } = await server.fetch(folder);
    expect(bytes).toBe(old.length);
    expect(readFileSync(file).equals(old)).toBe(true);
    expect(server.asked.map(({ range }) => range)).toEqual([
      undefined,
      'bytes=30000-99999',
      'bytes=60000-99999',
      'bytes=90000-99999',
    ]);
  });
});

describe('the end of a body', () => {
  const content = sound(50_000);

  it('spec:CLIENT-15 close-delimited (D6): marked as of unknown length; with a size in the metadata a truncation is detected', async () => {
    const server = await mediaServer((_request, response) => {
      response.useChunkedEncodingByDefault = false;
      response.removeHeader('transfer-encoding');
      response.writeHead(200, { 'content-type': 'audio/x-wav', connection: 'close' });
      response.end(content.subarray(0, 30_000));
    });
    const marked = await server.fetch(temporaryFolder());
    expect(marked.warnings.join()).toContain('ucctl cannot check that the file is complete');
    const folder = temporaryFolder();
    const { code: found, message } = await failure(server.fetch(folder, { expectedSize: content.length }));
    expect([found, message.includes('instead of 50000 bytes')]).toEqual(['bad_reply', true]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['its length is the length of the rest', { 'content-length': '30000' }],
    ['its last chunk ends it', { 'transfer-encoding': 'chunked' }],
    ['it is a part, and its range names no other size', { 'content-range': 'bytes 0-29999/30000' }],
  ])('warns of a reply that a proxy may have truncated: %s', async (_, headers) => {
    const server = await mediaServer((_request, response) => {
      const isPart = 'content-range' in headers;
      response.writeHead(isPart ? 206 : 200, { 'content-type': 'audio/x-wav', etag: '"a"', ...headers });
      response.end(content.subarray(0, 30_000));
    });
    const found = await server.fetch(temporaryFolder(), { expectedSize: content.length });
    expect([found.bytes, found.warnings]).toEqual([
      30_000,
      [expect.stringContaining('the content has 30000 bytes, but the service stated 50000 bytes')],
    ]);
  });

  it('a content that is larger than its metadata says is complete if its reply has a length', async () => {
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, etag: '"a"' }),
    );
    expect((await server.fetch(temporaryFolder(), { expectedSize: 30_000 })).bytes).toBe(content.length);
  });

  it('gzip although not requested (D7): decompressed; a truncated file is deleted', async () => {
    const packed = gzipSync(content);
    const headers = { 'content-type': 'audio/x-wav', 'content-encoding': 'gzip', etag: '"g"' };
    const server = await mediaServer(
      (_request, response) => void response.writeHead(200, headers).end(packed),
    );
    const { file } = await server.fetch(temporaryFolder());
    expect(readFileSync(file).equals(content)).toBe(true);
    const folder = temporaryFolder();
    const cut = await mediaServer((_request, response) => {
      response.writeHead(200, headers).end(packed.subarray(0, packed.length - 500));
    });
    const { code: failed, message } = await failure(cut.fetch(folder));
    expect([failed, message]).toEqual([
      'cut',
      expect.stringContaining('the compressed content is incomplete or damaged'),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('an empty content is an empty file', async () => {
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: Buffer.alloc(0) }),
    );
    const { file, bytes } = await server.fetch(temporaryFolder());
    expect([bytes, readFileSync(file).length]).toEqual([0, 0]);
  });
});

describe('a large file', () => {
  it('is read over several connections, one range each, and each is resumed after an interruption', async () => {
    const content = sound(33 * 1024 * kib);
    const folder = temporaryFolder();
    const server = await mediaServer((request, response, count) =>
      serve(request, response, { content, etag: '"l"', cutAfter: count === 3 ? 100_000 : undefined }),
    );
    const { file, bytes } = await server.fetch(folder, { wantsChecksum: true });
    expect(bytes).toBe(content.length);
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(server.asked.filter(({ ifRange }) => ifRange === '"l"')).toHaveLength(4);
    expect(readdirSync(folder)).toEqual(['sound.wav']);
  });

  it('fails at once if one connection fails, although others get no bytes', async () => {
    const content = sound(33 * 1024 * kib);
    const server = await mediaServer((request, response, count) => {
      if (count === 1) serve(request, response, { content, etag: '"l"' });
      else if (count === 2)
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"errorCode":"CMN-102"}');
      // The other requests get no reply.
    });
    await expect(server.fetch(temporaryFolder())).rejects.toMatchObject({ status: 404 });
    // A request that is not aborted would be repeated after its timeout.
    expect(server.asked.length).toBeLessThanOrEqual(4);
  });

  it('is restarted if it changes during the download', async () => {
    const contents = [sound(33 * 1024 * kib, 1), sound(33 * 1024 * kib, 2)] as const;
    const server = await mediaServer((request, response, count) => {
      const isOld = count === 1;
      serve(request, response, { content: contents[isOld ? 0 : 1], etag: isOld ? '"1"' : '"2"' });
    });
    const { file } = await server.fetch(temporaryFolder());
    expect(readFileSync(file).equals(contents[1])).toBe(true);
  });
});

describe('obstacles', () => {
  const diskFull = (): Error => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
  const content = sound(20_000);
  const good = () => mediaServer((request, response) => serve(request, response, { content, etag: '"a"' }));

  it('a full disk (D8): the received bytes stay on disk, and the missing space is reported', async () => {
    const folder = temporaryFolder();
    const big = sound(3 * 1024 * kib);
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: big, etag: '"a"' }),
    );
    let room = 2;
    const full: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      const writev = handle.writev.bind(handle);
      handle.writev = ((buffers: Buffer[], position: number) => {
        room -= 1;
        if (room >= 0) return writev(buffers, position);
        return Promise.reject(diskFull());
      }) as typeof handle.writev;
      return handle;
    };
    const error = await failure(server.fetch(folder, { openFile: full }));
    expect(error.code).toBe('disk_full');
    expect(error.message).toMatch(/\d+ more bytes needed/);
    expect(readdirSync(folder)).toContain('.sound.wav.part');
    const { file, status } = await server.fetch(folder, { existing: 'continue' });
    expect(status).toBe('resumed');
    expect(readFileSync(file).equals(big)).toBe(true);
  });

  it.each([
    ['without a validator', {}],
    ['of compressed content', { etag: '"a"', 'content-encoding': 'gzip' }],
  ])('a full disk during a download %s: the partial file is deleted', async (_, headers) => {
    const folder = temporaryFolder();
    const big = sound(3 * 1024 * kib);
    const body = 'etag' in headers ? gzipSync(big) : big;
    const server = await mediaServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/x-wav', ...headers }).end(body);
    });
    let room = 2;
    const full: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      const writev = handle.writev.bind(handle);
      handle.writev = ((buffers: Buffer[], position: number) =>
        (room -= 1) >= 0 ? writev(buffers, position) : Promise.reject(diskFull())) as typeof handle.writev;
      return handle;
    };
    const { code: failed, hint } = await failure(server.fetch(folder, { openFile: full }));
    expect([failed, readdirSync(folder)]).toEqual(['disk_full', []]);
    expect(hint).toContain('no partial file was stored');
  });

  it('a full disk for a small file (D8): the partial file is deleted, and the error states the required space', async () => {
    const folder = temporaryFolder();
    const server = await good();
    let room = 1;
    const full: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      const writev = handle.writev.bind(handle);
      handle.writev = ((buffers: Buffer[], position: number) => {
        // A disk that is nearly full takes a part at first.
        if ((room -= 1) >= 0) return writev([Buffer.concat(buffers).subarray(0, 5000)], position);
        return Promise.reject(diskFull());
      }) as typeof handle.writev;
      return handle;
    };
    const error = await failure(server.fetch(folder, { openFile: full }));
    expect([error.code, error.message]).toEqual([
      'disk_full',
      expect.stringContaining(`${content.length} more bytes needed`),
    ]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a file size limit is named, with the next step', async () => {
    const server = await good();
    const limited: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      handle.writev = () =>
        Promise.reject(Object.assign(new Error('EFBIG: file too large'), { code: 'EFBIG' }));
      return handle;
    };
    const error = await failure(server.fetch(temporaryFolder(), { openFile: limited }));
    expect(error).toMatchObject({
      code: 'file_size_limit',
      message: expect.stringContaining('sound.wav: the file size limit is reached (ulimit -f)') as string,
      hint: 'raise the limit of the shell (ulimit -f unlimited), then run the same command with --continue',
    });
  });

  it('a disk that accepts a few bytes at a time: all are written', async () => {
    const folder = temporaryFolder();
    const server = await good();
    const slow: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      const writev = handle.writev.bind(handle);
      handle.writev = ((buffers: Buffer[], position: number) =>
        writev([Buffer.concat(buffers).subarray(0, 3000)], position)) as typeof handle.writev;
      return handle;
    };
    const { file } = await server.fetch(folder, { openFile: slow });
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('notes without an unfinished file: restarted', async () => {
    const { folder, uri } = await unfinished(10_000, content, '"a"');
    rmSync(join(folder, '.sound.wav.part'));
    const server = await good();
    const { file, status } = await server.fetch(folder, { uri, existing: 'continue' });
    expect(status).toBe('downloaded');
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(readdirSync(folder)).toEqual(['sound.wav']);
  });

  it('an unfinished file without --continue: restarted', async () => {
    const { folder, uri } = await unfinished(10_000, content, '"a"');
    const server = await good();
    expect((await server.fetch(folder, { uri })).status).toBe('downloaded');
    expect(server.asked).toMatchObject([{ range: undefined }]);
    expect(readdirSync(folder)).toEqual(['sound.wav']);
  });

  it('a symbolic link as the target, or as the unfinished file (D10): never followed', async () => {
    const folder = temporaryFolder();
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'precious');
    symlinkSync(victim, join(folder, 'sound.wav'));
    const server = await good();
    for (const existing of ['fail', 'clobber', 'continue', 'skip'] as const) {
      const error = await failure(server.fetch(folder, { existing }));
      expect([error.code, error.message.includes('a symbolic link')]).toEqual(['not_a_file', true]);
    }
    symlinkSync(victim, join(folder, '.other.wav.part'));
    const { file } = await server.fetch(folder, { name: 'other.wav' });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it('an unfinished file that became a link: rejected when resumed', async () => {
    const { folder, uri } = await unfinished(10_000, content, '"a"');
    const victim = join(temporaryFolder(), 'victim');
    writeFileSync(victim, 'x'.repeat(30_000));
    rmSync(join(folder, '.sound.wav.part'));
    symlinkSync(victim, join(folder, '.sound.wav.part'));
    const server = await good();
    expect((await failure(server.fetch(folder, { uri, existing: 'continue' }))).code).toBe('not_a_file');
    expect(readFileSync(victim, 'utf8')).toBe('x'.repeat(30_000));
  });

  it('a folder, or a name outside of the folder', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'sound.wav'));
    const server = await good();
    expect((await failure(server.fetch(folder))).code).toBe('not_a_file');
    for (const name of ['../x', 'a/b', '..', '.', '']) {
      expect((await failure(server.fetch(folder, { name }))).code).toBe('unsafe_name');
    }
  });

  it('an existing file: rejected, skipped or overwritten', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'sound.wav'), 'mine');
    const server = await good();
    expect((await failure(server.fetch(folder))).code).toBe('exists');
    expect((await server.fetch(folder, { existing: 'skip' })).status).toBe('exists');
    expect(server.asked).toEqual([]);
    expect(readFileSync(join(folder, 'sound.wav'), 'utf8')).toBe('mine');
    expect((await server.fetch(folder, { existing: 'clobber' })).status).toBe('downloaded');
    expect(readFileSync(join(folder, 'sound.wav')).equals(content)).toBe(true);
  });

  it.each([
    ['by its type', 'text/html; charset=utf-8', '<!doctype html><title>Sign in</title>'],
    ['by its first bytes', 'audio/x-wav', '\n <HTML><body>Sign in</body></HTML>'],
    ['as JSON', 'audio/x-wav', '{"errorCode":"TokenInvalid"}'],
    ['as JSON by its type', 'application/json', '{"errorCode":"TokenInvalid"}'],
  ])('an HTML page or an error in place of audio, detected %s: no file (D9)', async (_how, type, body) => {
    const folder = temporaryFolder();
    const server = await mediaServer((_request, response) => {
      response.writeHead(200, { 'content-type': type, etag: '"a"' }).end(body);
    });
    expect((await failure(server.fetch(folder, { expectedType: 'audio/x-wav' }))).code).toBe('not_media');
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['application/json', 'application/x-ndjson', 'application/octet-stream', undefined])(
    'JSON of type %s is stored where it is permitted, and is an error message elsewhere',
    async (type) => {
      const folder = temporaryFolder();
      const body = '[{"id":5,"type":"SMS","subject":"hello"}]';
      const server = await mediaServer((_request, response) => {
        response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);
      });
      expect((await failure(server.fetch(folder, { expectedType: undefined }))).code).toBe('not_media');
      const { file } = await server.fetch(folder, { expectedType: undefined, mayBeJson: true });
      expect(readFileSync(file, 'utf8')).toBe(body);
    },
  );

  it.each([
    ['text/html', '<!doctype html><title>Sign in</title>'],
    [undefined, '<!doctype html><title>Sign in</title>'],
    ['application/json', '{ "errorCode": "CMN-102", "message": "Resource not found" }'],
  ])('a page or an error body of type %s is not stored, even where JSON is permitted', async (type, body) => {
    const folder = temporaryFolder();
    const server = await mediaServer((_request, response) => {
      response.writeHead(200, type === undefined ? {} : { 'content-type': type }).end(body);
    });
    const options = { expectedType: undefined, mayBeJson: true };
    expect((await failure(server.fetch(folder, options))).code).toBe('not_media');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('a type that differs from the metadata is a warning', async () => {
    const server = await mediaServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/x-wav' }).end('%PDF-1.7 something');
    });
    const { warnings } = await server.fetch(temporaryFolder(), { expectedType: 'audio/x-wav' });
    expect(warnings.join()).toContain('the content is pdf, not audio/x-wav');
  });
});
