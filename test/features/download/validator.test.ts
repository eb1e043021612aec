import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { validatorOf } from '../../../src/features/download/validator.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const noon = 'Sun, 22 Nov 2026 12:00:00 GMT';
const second = 'Sun, 22 Nov 2026 12:00:01 GMT';

describe('a validator is strong by RFC 9110, 8.8.2', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['a strong tag', { etag: '"a"' }, '"a"'],
    [
      'a strong tag takes precedence over a date',
      { etag: '"a"', 'last-modified': noon, date: second },
      '"a"',
    ],
    ['a weak tag', { etag: 'W/"a"', 'last-modified': noon, date: second }, undefined],
    ['a tag without quotes', { etag: 'a' }, undefined],
    ['a date one second before its reply', { 'last-modified': noon, date: second }, noon],
    ['a date of the second of its reply', { 'last-modified': noon, date: noon }, undefined],
    ['a date after its reply', { 'last-modified': second, date: noon }, undefined],
    ['a date without the time of its reply', { 'last-modified': noon }, undefined],
    ['what is not a date', { 'last-modified': 'yesterday', date: second }, undefined],
    ['a reply whose time is not a date', { 'last-modified': noon, date: 'x' }, undefined],
    ['nothing', {}, undefined],
  ])('%s', (_, headers, validator) => {
    expect(validatorOf(fakeReply({ status: 200, headers }))).toBe(validator);
  });
});

/** Content that a file still being written has: the end stays, the beginning changes. */
function changed(content: Buffer): Buffer {
  const other = Buffer.from(content);
  other.fill(7, 20, 2000);
  return other;
}

describe('content without a strong validator', () => {
  const old = sound(100_000);
  const fresh = changed(old);
  const young = { 'last-modified': noon, date: noon };

  it.each<[string, Record<string, string>]>([
    ['a date as young as its reply', young],
    ['no date', {}],
    ['a weak tag', { etag: 'W/"x"' }],
  ])('%s: a later run starts from the beginning', async (_, headers) => {
    const folder = temporaryFolder();
    let isDown = false;
    const server = await mediaServer((request, response) => {
      if (isDown) response.destroy();
      else serve(request, response, { content: old, headers, cutAfter: 90_000 });
      isDown = true;
    });
    // After the interruption it restarts, and the server is down.
    await expect(server.fetch(folder)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(readdirSync(folder)).toEqual([]);
    const later = await mediaServer((request, response) =>
      serve(request, response, { content: fresh, headers }),
    );
    const { file, status } = await later.fetch(folder, { uri: server.uri, existing: 'continue' });
    expect(later.asked).toEqual([{ range: undefined, ifRange: undefined }]);
    expect(status).toBe('downloaded');
    expect(readFileSync(file).equals(fresh)).toBe(true);
  });

  it('a broken connection starts from the beginning in the same run', async () => {
    const server = await mediaServer((request, response, count) =>
      serve(request, response, {
        content: count === 1 ? old : fresh,
        headers: young,
        cutAfter: count === 1 ? 50_000 : undefined,
      }),
    );
    const { file } = await server.fetch(temporaryFolder());
    expect(readFileSync(file).equals(fresh)).toBe(true);
    // The cut may come before the first byte was stored: then a range from 0 is the beginning, too.
    expect(server.asked.filter(({ range }) => range !== undefined && !range.startsWith('bytes=0-'))).toEqual(
      [],
    );
  });

  it('a connection that breaks every time ends with the code of a broken connection', async () => {
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: old, headers: young, cutAfter: 50_000 }),
    );
    await expect(server.fetch(temporaryFolder())).rejects.toMatchObject({ code: 'cut', exit: 7 });
  });

  it('a large file comes over one connection', async () => {
    const content = sound(33 * 1024 * 1024);
    const server = await mediaServer((request, response) =>
      serve(request, response, { content, headers: young }),
    );
    const { file } = await server.fetch(temporaryFolder());
    expect(server.asked).toHaveLength(1);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('notes of an earlier version with a date of unknown strength are not continued', async () => {
    const folder = temporaryFolder();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: fresh, headers: { 'last-modified': noon, date: noon } }),
    );
    const uri = createHash('sha256').update(server.uri).digest('hex');
    const segments = [{ first: 0, next: 50_000, last: 99_999 }];
    writeFileSync(`${folder}/.sound.wav.part`, old.subarray(0, 50_000));
    writeFileSync(
      `${folder}/.sound.wav.part.json`,
      JSON.stringify({ uri, validator: noon, contentType: 'audio/x-wav', total: 100_000, segments }),
    );
    const { file } = await server.fetch(folder, { existing: 'continue' });
    expect(server.asked).toEqual([{ range: undefined, ifRange: undefined }]);
    expect(readFileSync(file).equals(fresh)).toBe(true);
  });
});
