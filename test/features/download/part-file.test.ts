import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PartFile, type OpenFile } from '../../../src/features/download/part-file.ts';
import { nameNew, partOf } from '../../../src/features/download/part-path.ts';
import { deferred } from '../../support/deferred.ts';
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

  it('or deleted is an error', async () => {
    const file = join(temporaryFolder(), 'sound.wav');
    const part = await opened(file);
    await part.write([Buffer.alloc(size)], 0);
    rmSync(partOf(file));
    await expect(part.finish(size, false)).rejects.toMatchObject({ code: 'busy' });
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

  it('no longer has the state that the first download recorded', async () => {
    const file = join(temporaryFolder(), 'sound.wav');
    const first = await opened(file);
    await first.write([Buffer.alloc(size)], 0);
    await first.save(progress);
    const second = await opened(file);
    await second.write([Buffer.alloc(size)], 0);
    await expect(first.save(progress)).rejects.toMatchObject({ code: 'busy' });
    expect(first.hasNotes).toBe(false);
    await Promise.all([first.close(), second.close()]);
  });
});

describe('a partial file', () => {
  const fileIn = (folder: string) => join(folder, 'sound.wav');

  it('has bytes at any offset', async () => {
    const folder = temporaryFolder();
    const part = await opened(fileIn(folder));
    await part.write([Buffer.from('bc')], 1);
    await part.write([Buffer.from('a')], 0);
    await part.finish(3, false);
    expect(readFileSync(fileIn(folder), 'utf8')).toBe('abc');
  });

  it('has the bytes that arrive while it is created', async () => {
    const folder = temporaryFolder();
    const [begun, created] = [deferred<undefined>(), deferred<undefined>()];
    const openFile: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      const writev = handle.writev.bind(handle);
      const later: typeof writev = async (buffers, position) => {
        begun.resolve(undefined);
        await created.promise;
        return writev(buffers, position);
      };
      return Object.assign(handle, { writev: later });
    };
    const { part } = await PartFile.open(fileIn(folder), uri, { resume: false, openFile });
    await part.write([Buffer.from('a')], 0);
    const saved = part.save(progress);
    await begun.promise;
    const written = part.write([Buffer.from('b'), Buffer.from('c')], 1);
    created.resolve(undefined);
    await Promise.all([saved, written]);
    await part.finish(3, false);
    expect(readFileSync(fileIn(folder), 'utf8')).toBe('abc');
  });

  it('replaces the files of an earlier download, whose state describes other bytes', async () => {
    const folder = temporaryFolder();
    for (const name of ['.part', '.part.json', '.part.json.new'])
      writeFileSync(join(folder, `.sound.wav${name}`), 'earlier');
    const part = await opened(fileIn(folder));
    await part.write([Buffer.alloc(size)], 0);
    expect(readdirSync(folder)).toEqual(['.sound.wav.part']);
    await part.close();
  });

  it('has no state and no bytes after it was cleared', async () => {
    const folder = temporaryFolder();
    const part = await opened(fileIn(folder));
    await part.write([Buffer.alloc(size)], 0);
    await part.save(progress);
    await part.clear();
    expect([readdirSync(folder), statSync(join(folder, '.sound.wav.part')).size]).toEqual([
      ['.sound.wav.part'],
      0,
    ]);
    await part.close();
  });

  it('is flushed before its state is recorded, and before it gets the name of the file', async () => {
    const folder = temporaryFolder();
    const steps: (readonly [string, readonly string[]])[] = [];
    const openFile: OpenFile = async (...parts) => {
      const handle = await open(...parts);
      const [datasync, sync] = [handle.datasync.bind(handle), handle.sync.bind(handle)];
      return Object.assign(handle, {
        datasync: async () => {
          steps.push(['datasync', readdirSync(folder)]);
          await datasync();
        },
        sync: async () => {
          steps.push(['sync', readdirSync(folder)]);
          await sync();
        },
      });
    };
    const { part } = await PartFile.open(fileIn(folder), uri, { resume: false, openFile });
    await part.write([Buffer.alloc(size)], 0);
    await part.save(progress);
    await part.finish(size, false);
    expect(steps).toEqual([
      ['datasync', ['.sound.wav.part']],
      ['sync', ['.sound.wav.part', '.sound.wav.part.json']],
    ]);
    expect(readdirSync(folder)).toEqual(['sound.wav']);
  });

  it.each([
    ['is resumed if it has all recorded bytes', 10, true],
    ['is not resumed if it is shorter than its state records', 9, false],
  ])('%s', async (_, bytes, isResumed) => {
    const folder = temporaryFolder();
    const segments = [
      { first: 0, next: 10, last: 49 },
      // Not begun, so the file need not have these bytes.
      { first: 50, next: 50, last: 99 },
    ];
    const part = await opened(fileIn(folder));
    await part.write([Buffer.alloc(10)], 0);
    await part.save({ ...progress, total: 100, segments });
    await part.close();
    truncateSync(join(folder, '.sound.wav.part'), bytes);
    const again = await PartFile.open(fileIn(folder), uri, { resume: true });
    await again.part.close();
    expect(again.progress?.segments).toEqual(isResumed ? segments : undefined);
  });

  it('does not replace a file that has appeared meanwhile', async () => {
    const folder = temporaryFolder();
    const part = await opened(fileIn(folder));
    await part.write([Buffer.alloc(10)], 0);
    writeFileSync(fileIn(folder), 'other');
    await expect(part.finish(10, false)).rejects.toMatchObject({ code: 'exists' });
    expect(readFileSync(fileIn(folder), 'utf8')).toBe('other');
  });

  it.each(['finish', 'discard'] as const)('leaves no state after %s, and no temporary state', async (end) => {
    const folder = temporaryFolder();
    const part = await opened(fileIn(folder));
    await part.write([Buffer.alloc(10)], 0);
    await part.save(progress);
    // A process that was killed while it recorded the state has left it.
    writeFileSync(join(folder, '.sound.wav.part.json.new'), '');
    await (end === 'finish' ? part.finish(10, false) : part.discard());
    expect(readdirSync(folder)).toEqual(end === 'finish' ? ['sound.wav'] : []);
  });

  it('does not contain the end of a longer earlier download', async () => {
    const folder = temporaryFolder();
    const part = await opened(fileIn(folder));
    await part.write([Buffer.alloc(size, 'a')], 0);
    await part.finish(10, false);
    expect(readFileSync(fileIn(folder), 'utf8')).toBe('aaaaaaaaaa');
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
