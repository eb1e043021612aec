import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PartFile } from '../../../src/features/download/part-file.ts';
import { nameNew, partOf } from '../../../src/features/download/part-path.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

/** More bytes than a partial file buffers in memory. */
const size = 1024 * 1024 + 100;
const uri = 'https://media.example/content/1';
const progress = {
  validator: '"a"',
  contentType: undefined,
  total: size,
  segments: [{ first: 0, next: size, last: size - 1 }],
};

async function opened(file: string): Promise<PartFile> {
  return (await PartFile.open(file, uri, { resume: false })).part;
}

/** Two downloads of the same file, of which the second has received only half of it. */
async function twoDownloads(): Promise<{
  readonly folder: string;
  readonly file: string;
  readonly first: PartFile;
  readonly second: PartFile;
}> {
  const folder = temporaryFolder();
  const file = join(folder, 'sound.wav');
  const first = await opened(file);
  const second = await opened(file);
  await first.write([Buffer.alloc(size, 'a')], 0);
  await second.write([Buffer.alloc(1), Buffer.alloc(size / 2, 'b')], size / 2);
  return { folder, file, first, second };
}

describe('a partial file that another download has replaced', () => {
  it('does not get the name of the file', async () => {
    const { folder, file, first, second } = await twoDownloads();
    await expect(first.finish(size, false)).rejects.toMatchObject({
      code: 'busy',
      message: `another program has replaced or deleted the partial file of ${file}`,
    });
    expect(readdirSync(folder)).toEqual(['.sound.wav.part']);
    await second.write([Buffer.alloc(size, 'b')], 0);
    await second.finish(size, false);
    expect(readFileSync(file).equals(Buffer.alloc(size, 'b'))).toBe(true);
  });

  it('does not replace the file', async () => {
    const { file, first, second } = await twoDownloads();
    writeFileSync(file, 'old');
    await expect(first.finish(size, true)).rejects.toMatchObject({ code: 'busy' });
    expect(readFileSync(file, 'utf8')).toBe('old');
    await second.discard();
  });

  it('is not removed', async () => {
    const { folder, first, second } = await twoDownloads();
    await second.save(progress);
    await first.discard();
    expect(readdirSync(folder)).toEqual(['.sound.wav.part', '.sound.wav.part.json']);
    await second.close();
  });

  it('does not get the state of the first download', async () => {
    const { folder, first, second } = await twoDownloads();
    await expect(first.save(progress)).rejects.toMatchObject({ code: 'busy' });
    expect([first.hasNotes, readdirSync(folder)]).toEqual([false, ['.sound.wav.part']]);
    await Promise.all([first.close(), second.close()]);
  });
});

it('a partial file that cannot be removed after it got its name is removed by the next download', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sound.wav');
  const content = sound(100);
  writeFileSync(partOf(file), content);
  await nameNew(partOf(file), file, () => Promise.reject(new Error('EIO: i/o error, unlink')));
  expect(readdirSync(folder)).toEqual(['.sound.wav.part', 'sound.wav']);
  const server = await mediaServer((request, response) => serve(request, response, { content }));
  expect(await server.fetch(folder, { existing: 'skip' })).toMatchObject({ status: 'exists', bytes: 100 });
  expect(readdirSync(folder)).toEqual(['sound.wav']);
});
