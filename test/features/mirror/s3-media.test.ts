import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNetwork } from '../../../src/client/network.ts';
import { S3Media } from '../../../src/features/mirror/s3-media.ts';
import { s3Settings } from '../../../src/features/mirror/s3-requests.ts';
import { freePort } from '../../support/free-port.ts';
import { s3Key, startFakeS3, type S3Behavior } from '../../support/fake-s3.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const sound = 'sound of a voicemail';
const sha256 = createHash('sha256').update(sound).digest('hex');

async function openStore(
  more: Readonly<Record<string, string>> = {},
  { bucket = 'archive', ...behavior }: S3Behavior & { readonly bucket?: string } = {},
) {
  const fake = await startFakeS3(bucket, behavior);
  const env = {
    AWS_ENDPOINT_URL_S3: fake.endpoint,
    AWS_ACCESS_KEY_ID: s3Key.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Key.secretAccessKey,
    ...more,
  };
  const network = await createNetwork({});
  onTestFinished(() => network.close());
  const folder = temporaryFolder();
  const pauses: number[] = [];
  const media = new S3Media(s3Settings('s3://archive/company a', env), {
    send: network.send,
    unfinished: folder,
    signal: new AbortController().signal,
    sleep: (milliseconds) => {
      pauses.push(milliseconds);
      return Promise.resolve();
    },
  });
  const put = async (content = sound): Promise<string> => {
    const file = join(folder, 'download');
    writeFileSync(file, content);
    await media.put(file, { sha256, bytes: content.length });
    return file;
  };
  return { ...fake, media, put, pauses };
}

describe('attachments in an S3-compatible store', () => {
  it('are stored once under their hash, read, checked and removed', async () => {
    const { media, put, objects, log } = await openStore();
    expect(existsSync(await put())).toBe(false);
    expect(existsSync(await put())).toBe(false);
    expect(log).toContain('PreconditionFailed');
    expect([...objects.keys()]).toEqual([`company%20a/sha256/${sha256.slice(0, 2)}/${sha256}`]);
    expect(Buffer.from(await media.read(sha256)).toString()).toBe(sound);
    expect(await media.hash(sha256)).toBe(sha256);
    expect(await media.has(sha256)).toBe(true);
    await media.remove(sha256);
    expect(await media.hash(sha256)).toBeUndefined();
    expect(await media.has(sha256)).toBe(false);
  });

  it('are not accepted with a wrong key or a changed content', async () => {
    const wrong = await openStore({ AWS_SECRET_ACCESS_KEY: 'another' });
    await expect(wrong.put()).rejects.toMatchObject({
      code: 'media_store',
      message: expect.stringContaining('403 SignatureDoesNotMatch') as string,
    });
    const { put, objects, media } = await openStore();
    await expect(put('something else')).rejects.toMatchObject({ code: 'media_store' });
    expect(objects.size).toBe(0);
    await put();
    const [key = ''] = objects.keys();
    objects.set(key, Buffer.from('changed'));
    expect(await media.hash(sha256)).not.toBe(sha256);
    await expect(media.read(sha256)).rejects.toMatchObject({ code: 'media_store' });
  });

  it('are stored once with a key that may not read them, and the error names the missing permission', async () => {
    const { put, media, objects, log } = await openStore({}, { mayRead: false });
    expect(await media.has(sha256)).toBe(false);
    await put();
    const missing = {
      code: 'media_store',
      message:
        's3://archive/company a/: the key may store attachments, but not read them (s3:GetObject is missing)',
    };
    await expect(media.has(sha256)).rejects.toMatchObject(missing);
    await expect(put()).rejects.toMatchObject(missing);
    expect([objects.size, log.filter((line) => line.startsWith('PUT'))]).toEqual([
      1,
      [expect.stringContaining(sha256)],
    ]);
  });

  it('that another run deleted are missing, with a key that may not list objects', async () => {
    const { put, media, objects } = await openStore({}, { mayList: false });
    await put();
    expect(await media.has(sha256)).toBe(true);
    await put();
    objects.clear();
    expect(await media.has(sha256)).toBe(false);
    await put();
    expect(await media.has(sha256)).toBe(true);
  });

  it('are stored although the store fails for a short time', async () => {
    const { media, put, objects, pauses } = await openStore({}, { failures: [503, 409, 500, 503] });
    await put();
    expect([objects.size, pauses]).toEqual([1, [500, 1000, 2000, 4000]]);
    expect(await media.hash(sha256)).toBe(sha256);
  });

  it('are read again after a reply that ended early', async () => {
    const { media, put, pauses } = await openStore({}, { cuts: 3 });
    await put();
    expect(await media.hash(sha256)).toBe(sha256);
    expect(Buffer.from(await media.read(sha256)).toString()).toBe(sound);
    expect(pauses).toEqual([500, 1000, 2000]);
    const cut = await openStore({}, { cuts: 5 });
    await cut.put();
    await expect(cut.media.hash(sha256)).rejects.toMatchObject({ code: 'media_store', retryable: true });
  });

  it('are not stored if the store keeps failing, or does not reply', async () => {
    const failing = await openStore({}, { failures: Array.from({ length: 5 }, () => 503) });
    await expect(failing.put()).rejects.toMatchObject({
      code: 'media_store',
      retryable: true,
      message: 's3://archive/company a/: an attachment could not be stored: HTTP 503 SlowDown',
    });
    const silent = await openStore({ AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${await freePort()}` });
    await expect(silent.put()).rejects.toMatchObject({
      code: 'media_store',
      retryable: true,
      message: expect.stringContaining('could not be stored: no reply from http://127.0.0.1') as string,
    });
    expect([failing.pauses, silent.pauses]).toEqual([failing.pauses, failing.pauses]);
    expect(failing.pauses).toHaveLength(4);
  });

  it('are not missing if the bucket is missing', async () => {
    const { put, objects, media } = await openStore({}, { bucket: 'another' });
    const missing = { code: 'media_store', message: expect.stringContaining('404 NoSuchBucket') as string };
    await expect(media.hash(sha256)).rejects.toMatchObject(missing);
    await expect(media.read(sha256)).rejects.toMatchObject(missing);
    await expect(media.remove(sha256)).rejects.toMatchObject(missing);
    await expect(put()).rejects.toMatchObject(missing);
    expect(objects.size).toBe(0);
  });

  it('that may be missing are an error that names both permissions, with a key that may not list objects', async () => {
    const { media } = await openStore({}, { mayList: false });
    const forbidden = {
      code: 'media_store',
      message: `s3://archive/company a/: attachment ${sha256} could not be read: HTTP 403 AccessDenied`,
      hint: 'without s3:ListBucket for the bucket, S3 replies 403 for a missing attachment; add s3:ListBucket and s3:GetObject to the permissions of the key, and run the same command again',
    };
    await expect(media.hash(sha256)).rejects.toMatchObject(forbidden);
    await expect(media.read(sha256)).rejects.toMatchObject(forbidden);
  });

  it('need an address and a key', () => {
    expect(() => s3Settings('s3://', {})).toThrow('use s3://BUCKET/PREFIX');
    expect(() => s3Settings('s3://archive', {})).toThrow('AWS_ACCESS_KEY_ID');
  });
});
