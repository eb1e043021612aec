import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FetchOptions } from '../../../src/features/download/fetch-options.ts';
import { PartFile, type OpenFile } from '../../../src/features/download/part-file.ts';
import type { PartProgress, Segment } from '../../../src/features/download/part-notes.ts';
import { StateRecorder } from '../../../src/features/download/state-recorder.ts';
import { deferred } from '../../support/deferred.ts';
import { eventually } from '../../support/eventually.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { mediaServer, serve, sound } from './media-server.ts';

const mib = 1024 * 1024;
const content = sound(12 * mib);

/**
 * Downloads from a server that stops after these bytes and keeps the connection open, until the state is recorded.
 * @returns the recorded state, as a killed process leaves it
 */
async function recordedAfter(bytes: number, options: Partial<FetchOptions>): Promise<PartProgress> {
  const folder = temporaryFolder();
  const end = new AbortController();
  const server = await mediaServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/x-wav', etag: '"a"', 'content-length': content.length });
    response.write(content.subarray(0, bytes));
  });
  const state = join(folder, '.sound.wav.part.json');
  const fetched = server.fetch(folder, { signal: end.signal, ...options }).catch(() => undefined);
  const recorded = await eventually(() => {
    expect(existsSync(state)).toBe(true);
    return JSON.parse(readFileSync(state, 'utf8')) as PartProgress;
  });
  end.abort();
  await fetched;
  return recorded;
}

describe('the state of a download in progress', () => {
  it('is recorded after a few megabytes, also if they arrive at once', async () => {
    const { segments, total } = await recordedAfter(9 * mib, { elapsed: () => 0 });
    expect(total).toBe(content.length);
    // The last megabytes may be in memory.
    expect(segments[0]?.next).toBeGreaterThan(6 * mib);
  });

  it('is recorded each second if at least a megabyte was received', async () => {
    let elapsed = 0;
    const { segments } = await recordedAfter(3 * mib, { elapsed: () => (elapsed += 1000) });
    expect(segments[0]?.next).toBeGreaterThan(0);
  });

  it('is not recorded for a small file', async () => {
    const folder = temporaryFolder();
    const small = content.subarray(0, mib);
    const seen = new Set<string>();
    const server = await mediaServer((request, response) =>
      serve(request, response, { content: small, etag: '"a"' }),
    );
    let elapsed = 0;
    await server.fetch(folder, {
      elapsed: () => (elapsed += 10),
      onBytes: () => readdirSync(folder).forEach((name) => seen.add(name)),
    });
    expect([...seen]).not.toContain('.sound.wav.part.json');
  });
});

const diskFull = (): Error => Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });

/**
 * A recorder of a partial file with received bytes.
 * @param flush called for each record, in place of the flush of the file
 */
async function recorderOf(
  flush: () => Promise<void>,
  { bytes = 9 * mib, segments = [{ first: 0, next: bytes, last: undefined }] as readonly Segment[] } = {},
) {
  const folder = temporaryFolder();
  const openFile: OpenFile = async (...parts) => Object.assign(await open(...parts), { datasync: flush });
  const { part } = await PartFile.open(join(folder, 'sound.wav'), 'https://media.example/1', {
    resume: false,
    openFile,
  });
  onTestFinished(() => part.close());
  await part.write([Buffer.alloc(bytes)], 0);
  const state: { elapsed: number; progress: PartProgress | undefined } = {
    elapsed: 0,
    progress: { validator: '"a"', contentType: undefined, total: undefined, segments },
  };
  const recorder = new StateRecorder(
    part,
    () => state.progress,
    () => state.elapsed,
  );
  return { folder, recorder, state, segments, size: () => statSync(join(folder, '.sound.wav.part')).size };
}

describe('the records of a download in progress', () => {
  it('are at least a second and a megabyte apart, one at a time', async () => {
    let flushes = 0;
    const flushed = deferred<undefined>();
    const { recorder, state } = await recorderOf(async () => {
      flushes += 1;
      await flushed.promise;
    });
    recorder.count(9 * mib);
    state.elapsed = 5000;
    recorder.count(2 * mib);
    flushed.resolve(undefined);
    await recorder.settled();
    expect(flushes).toBe(1);
    const flushesAfter = async (bytes: number): Promise<number> => {
      recorder.count(bytes);
      await recorder.settled();
      return flushes;
    };
    expect(await flushesAfter(0)).toBe(2);
    state.elapsed = 10_000;
    expect(await flushesAfter(mib / 2)).toBe(2);
    expect(await flushesAfter(mib / 2)).toBe(3);
    state.elapsed = 10_999;
    expect(await flushesAfter(20 * mib)).toBe(3);
    state.elapsed = 11_000;
    expect(await flushesAfter(0)).toBe(4);
  });

  it('are complete before the download continues with the file', async () => {
    const flushed = deferred<undefined>();
    const steps: string[] = [];
    const { recorder } = await recorderOf(async () => {
      await flushed.promise;
      steps.push('flushed');
    });
    recorder.count(9 * mib);
    const settled = recorder.settled().then(() => steps.push('settled'));
    await new Promise(setImmediate);
    flushed.resolve(undefined);
    await settled;
    expect(steps).toEqual(['flushed', 'settled']);
  });

  it('may fail, because the download then fails by itself', async () => {
    const { recorder, folder } = await recorderOf(() => Promise.reject(diskFull()));
    recorder.count(9 * mib);
    await recorder.settled();
    expect(readdirSync(folder)).toEqual(['.sound.wav.part']);
  });

  it('do not exist before the first byte is on the disk', async () => {
    const { recorder, folder } = await recorderOf(() => Promise.resolve(), {
      segments: [{ first: 0, next: 0, last: undefined }],
    });
    recorder.count(9 * mib);
    await recorder.settled();
    expect(readdirSync(folder)).toEqual(['.sound.wav.part']);
  });
});

describe('the state of a failed download', () => {
  /** Fails the first records with a full disk. */
  const fullAt = (first: number) => {
    let flushes = 0;
    return () => ((flushes += 1) <= first ? Promise.reject(diskFull()) : Promise.resolve());
  };
  const room = 64 * 1024;

  it.each([1, 3])('is stored after the file is shortened on a full disk, %i times', async (times) => {
    const { recorder, segments, size } = await recorderOf(fullAt(times));
    expect(await recorder.store(segments)).toBe(true);
    const rest = 9 * mib - times * room;
    expect([segments[0]?.next, size()]).toEqual([rest, rest]);
  });

  it('is not stored if the disk stays full', async () => {
    const { recorder, segments } = await recorderOf(fullAt(4));
    expect(await recorder.store(segments)).toBe(false);
  });

  it('keeps the start of a segment that is after the end of the shortened file', async () => {
    const segments = [
      { first: 0, next: 3 * mib, last: 4 * mib - 1 },
      { first: 4 * mib, next: 4 * mib + 10, last: undefined },
    ];
    const { recorder, size } = await recorderOf(fullAt(1), { bytes: 4 * mib + 10, segments });
    expect(await recorder.store(segments)).toBe(true);
    expect(segments.map(({ next }) => next)).toEqual([3 * mib, 4 * mib]);
    expect(size()).toBe(4 * mib + 10 - room);
  });

  it('is the earlier state if the disk is full', async () => {
    let isFull = false;
    const flush = () => (isFull ? Promise.reject(diskFull()) : Promise.resolve());
    const { recorder, segments, size } = await recorderOf(flush);
    expect(await recorder.store(segments)).toBe(true);
    isFull = true;
    expect(await recorder.store(segments)).toBe(true);
    expect([segments[0]?.next, size()]).toEqual([9 * mib, 9 * mib]);
  });

  it.each([
    ['the disk fails', { code: 'EIO' }, {}],
    ['no bytes were received', undefined, { segments: [{ first: 0, next: 0, last: undefined }] }],
  ])('is not stored if %s', async (_, failure, more) => {
    const flush = () =>
      failure ? Promise.reject(Object.assign(new Error('i/o error'), failure)) : Promise.resolve();
    const { recorder, segments, folder, size } = await recorderOf(flush, more);
    expect(await recorder.store(segments)).toBe(false);
    expect([readdirSync(folder), size()]).toEqual([['.sound.wav.part'], 9 * mib]);
  });

  it('is not stored if the download cannot be resumed', async () => {
    const { recorder, state, segments, folder } = await recorderOf(() => Promise.resolve());
    state.progress = undefined;
    expect(await recorder.store(segments)).toBe(false);
    expect(readdirSync(folder)).toEqual(['.sound.wav.part']);
  });
});
