import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PartFile } from '../../../src/features/download/part-file.ts';
import type { Segment } from '../../../src/features/download/part-notes.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const content = sound(40_000);

/** A folder with a partial file of an earlier run, in which each segment was received up to `next`. */
async function earlierRun(uri: string, segments: readonly Segment[]): Promise<string> {
  const folder = temporaryFolder();
  const { part } = await PartFile.open(join(folder, 'sound.wav'), uri, { resume: false });
  const received = Buffer.alloc(content.length);
  for (const { first, next } of segments) content.copy(received, first, first, next);
  await part.write([received], 0);
  await part.save({ validator: '"a"', contentType: 'audio/x-wav', total: content.length, segments });
  await part.close();
  return folder;
}

/** Resumes the download of an earlier run from a server with this content. */
async function resumed(segments: readonly Segment[], served: { content: Buffer; etag: string }) {
  const server = await mediaServer((request, response) => serve(request, response, served));
  const folder = await earlierRun(server.uri, segments);
  const { status, file } = await server.fetch(folder, { existing: 'continue' });
  expect(readFileSync(file).equals(served.content)).toBe(true);
  expect(readdirSync(folder)).toEqual(['sound.wav']);
  return { status, ranges: server.asked.map(({ range }) => range) };
}

const two = (first: number, second: number): readonly Segment[] => [
  { first: 0, next: first, last: 19_999 },
  { first: 20_000, next: second, last: 39_999 },
];

describe('a download that an earlier run stored', () => {
  const same = { content, etag: '"a"' };

  it.each([
    ['whose first segment has no byte yet', two(0, 30_000), ['bytes=0-19999', 'bytes=30000-39999']],
    ['whose first segment is complete', two(20_000, 30_000), ['bytes=30000-39999']],
    ['whose last segment is complete', two(5000, 40_000), ['bytes=5000-19999']],
  ])('%s requests only the missing bytes', async (_, segments, ranges) => {
    const found = await resumed(segments, same);
    expect([found.status, new Set(found.ranges)]).toEqual(['resumed', new Set(ranges)]);
    expect(found.ranges).toHaveLength(ranges.length);
  });

  const whole = [{ first: 0, next: 40_000, last: 39_999 }];
  it.each([
    ['one segment', whole],
    ['two segments', two(20_000, 40_000)],
  ])('with all bytes of %s requests the last byte again', async (_, segments) => {
    expect(await resumed(segments, same)).toEqual({ status: 'resumed', ranges: ['bytes=39999-39999'] });
  });

  it.each([
    ['one segment', whole],
    ['two segments', two(20_000, 40_000)],
  ])('with all bytes of %s is restarted if the content has changed', async (_, segments) => {
    const { status } = await resumed(segments, { content: sound(40_000, 2), etag: '"b"' });
    expect(status).toBe('downloaded');
  });
});
